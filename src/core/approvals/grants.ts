import * as z from 'zod';
import { AppError } from '../../shared/errors.ts';
import { GrantId, Revision, type ChatId, type ServerId } from '../../shared/ids.ts';
import { Grant } from '../../shared/model/tool-call.ts';
import type { Clock, Documents } from '../ports.ts';

export interface GrantsDeps {
  readonly clock: Clock;
  readonly newId: () => string;
  readonly documents: Documents;
  readonly onChange: (grants: readonly Grant[]) => void;
}
/** What a permission is given for: this server as it is launched, this tool as it is defined. */
export interface GrantSubject {
  readonly serverId: ServerId;
  readonly serverName: string;
  readonly serverRevision: Revision;
  readonly target: string;
  /** The package that its command runs, with its version, where that is known. */
  readonly package?: string;
  readonly tool: string;
  readonly toolRevision: Revision;
  /** The tool's definition as text, to show what changed. */
  readonly definition: string;
}
export interface GrantCheck {
  readonly allowed: 'chat' | 'tool' | 'server' | undefined;
  readonly stale: { readonly what: 'tool' | 'server'; readonly before: string; readonly after: string } | undefined;
}

const file = 'grants.json';
const GrantsFile = z.strictObject({ version: z.literal(1), grants: z.array(Grant) });

/** What a person allowed for longer than one call. Permanent grants are bound to the server's identity and the tool's definition: a change of either asks again. */
export class Grants {
  readonly #deps: GrantsDeps;
  #permanent: readonly Grant[] = [];
  readonly #ofChats = new Set<string>();

  constructor(deps: GrantsDeps) {
    this.#deps = deps;
  }

  /** Throws `config/invalid` for a file that cannot be understood: nothing is allowed then, and nothing overwritten. */
  async load(signal: AbortSignal): Promise<void> {
    const text = await this.#deps.documents.read(file, signal);
    if (text === undefined) return;
    this.#permanent = parse(text);
    this.#deps.onChange(this.#permanent);
  }

  check(subject: GrantSubject, chatId: ChatId | undefined): GrantCheck {
    const after = subject.definition;
    const ofServer = this.#permanent.filter((grant) => grant.serverId === subject.serverId);
    const forTool = ofServer.filter((grant) => grant.tool?.name === subject.tool);
    const forAll = ofServer.filter((grant) => grant.tool === undefined);
    const sameServer = (grant: Grant) => grant.serverRevision === subject.serverRevision && grant.package === subject.package;
    if (forTool.some((grant) => sameServer(grant) && grant.tool?.revision === subject.toolRevision)) return { allowed: 'tool', stale: undefined };
    const changedTool = forTool.find((grant) => sameServer(grant));
    if (changedTool?.tool) return { allowed: undefined, stale: { what: 'tool', before: changedTool.tool.definition, after } };
    if (forAll.some(sameServer)) return { allowed: 'server', stale: undefined };
    const changedServer = [...forTool, ...forAll][0];
    if (changedServer) return { allowed: undefined, stale: { what: 'server', before: words(changedServer), after: words(subject) } };
    if (chatId !== undefined && this.#ofChats.has(chatKey(chatId, subject))) return { allowed: 'chat', stale: undefined };
    return { allowed: undefined, stale: undefined };
  }

  /** For this chat while the app runs; forgotten with it. */
  allowForChat(chatId: ChatId, subject: GrantSubject): void {
    this.#ofChats.add(chatKey(chatId, subject));
  }

  forgetChat(chatId: ChatId): void {
    for (const key of this.#ofChats) if (key.startsWith(`${chatId}\n`)) this.#ofChats.delete(key);
  }

  /** On disk before it counts. Replaces what was allowed before for the same tool or server. */
  async allowAlways(subject: GrantSubject, scope: 'tool' | 'server', signal: AbortSignal): Promise<void> {
    const grant: Grant = {
      id: GrantId.parse(this.#deps.newId()),
      serverId: subject.serverId, serverName: subject.serverName, serverRevision: subject.serverRevision, target: subject.target,
      ...(subject.package === undefined ? {} : { package: subject.package }),
      ...(scope === 'tool' ? { tool: { name: subject.tool, revision: subject.toolRevision, definition: subject.definition } } : {}),
      grantedAt: this.#deps.clock.now(),
    };
    // A permission for the whole server also settles what had become stale for single tools.
    await this.#change((grants) => [...grants.filter((old) => old.serverId !== grant.serverId || (scope === 'tool' && old.tool?.name !== subject.tool)), grant], signal);
  }

  async revoke(id: GrantId, signal: AbortSignal): Promise<void> {
    await this.#change((grants) => grants.filter((grant) => grant.id !== id), signal);
  }

  async #change(change: (grants: readonly Grant[]) => readonly Grant[], signal: AbortSignal): Promise<void> {
    await this.#deps.documents.update(
      file,
      (current) => {
        this.#permanent = change(current === undefined ? [] : parse(current));
        return `${JSON.stringify({ version: 1, grants: this.#permanent }, null, 2)}\n`;
      },
      signal,
    );
    this.#deps.onChange(this.#permanent);
  }
}

const words = ({ target, package: runs }: { readonly target: string; readonly package?: string | undefined }): string => (runs === undefined ? target : `${target} (${runs})`);
const chatKey = (chatId: ChatId, subject: GrantSubject) =>
  [chatId, subject.serverId, subject.serverRevision, subject.package ?? '', subject.tool, subject.toolRevision].join('\n');

function parse(text: string): readonly Grant[] {
  try {
    return GrantsFile.parse(JSON.parse(text)).grants;
  } catch (cause) {
    throw new AppError('config/invalid', `${file} cannot be understood`, { data: { file }, cause });
  }
}

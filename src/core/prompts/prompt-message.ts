import * as z from 'zod';
import type { Attachment } from '../../shared/model/attachment.ts';
import type { JsonObject } from '../../shared/model/catalog.ts';
import type { ResultPart } from '../../shared/model/content.ts';
import type { PromptAnswer, PromptCommand } from '../../shared/model/prompt-command.ts';
import { guardResult, type ResultGuardDeps } from '../guard/results.ts';

const Message = z.object({ role: z.enum(['user', 'assistant']).catch('user'), content: z.unknown() });
type Role = z.infer<typeof Message>['role'];

/**
 * What a server answered as one message of the person's (F-147): its texts under `[user]` and `[assistant]` where there are several, everything else as attachments. Held to the limits of any
 * result, secrets taken out.
 */
export async function promptMessage(raw: JsonObject, { serverId, serverName, prompt }: PromptCommand, deps: ResultGuardDeps): Promise<PromptAnswer> {
  const messages = (Array.isArray(raw['messages']) ? raw['messages'] : []).flatMap((message: unknown) => {
    const parsed = Message.safeParse(message);
    return parsed.success ? [parsed.data] : [];
  });
  const blocks = messages.flatMap(({ role, content }) => (Array.isArray(content) ? content : [content]).map((block: unknown) => ({ role, block })));
  const { parts } = await guardResult({ content: blocks.map(({ block }) => block) }, deps);
  const attachments: Attachment[] = [];
  const said = parts.flatMap((part, index): { readonly role: Role; readonly text: string }[] => {
    const role = blocks[index]?.role ?? 'user';
    const text = textOf(part);
    if (text !== undefined) return text.trim() === '' ? [] : [{ role, text }];
    const name = nameOf(part, prompt.title ?? prompt.name);
    attachments.push({ kind: 'prompt', serverId, serverName, prompt: prompt.name, name, ...mimeOf(part), result: { parts: [part] } });
    return [{ role, text: `(attached: ${name})` }];
  });
  if (said.length === 0) return { kind: 'empty', serverName, prompt: prompt.title ?? prompt.name };
  const [first] = said;
  const text = said.length === 1 && first?.role === 'user' ? first.text : said.map(({ role, text: words }) => `[${role}]\n${words}`).join('\n\n');
  return { kind: 'message', text, attachments };
}

function textOf(part: ResultPart): string | undefined {
  if (part.type === 'unknown') return part.json;
  if (part.type !== 'text') return undefined;
  return part.truncated ? `${part.text}\n[Cut here: it was ${part.truncated.bytes} bytes long.]` : part.text;
}

function nameOf(part: ResultPart, prompt: string): string {
  if (part.type === 'resource-link' && part.name !== '') return part.name.slice(0, 500);
  const uri = 'uri' in part ? part.uri : undefined;
  return uri === undefined || uri === '' ? prompt.slice(0, 500) : (uri.split('/').findLast((one) => one !== '') ?? uri).slice(0, 500);
}

function mimeOf(part: ResultPart): { readonly mimeType?: string } {
  if ('ref' in part) return { mimeType: part.ref.mimeType };
  return 'mimeType' in part && part.mimeType !== undefined ? { mimeType: part.mimeType.slice(0, 200) } : {};
}

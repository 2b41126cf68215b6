import type { ApproveTools } from '../../shared/model/server-options.ts';
import type { ApprovalPreset } from '../../shared/model/settings.ts';
import type { Caller } from '../../shared/model/tool-call.ts';
import type { ServerId } from '../../shared/ids.ts';
import { matchesAny, type NamedTool } from './name-match.ts';

/** What a person allowed before and still holds for this very server and tool. */
export type Allowed = 'chat' | 'tool' | 'server' | undefined;

export interface PolicyFacts {
  readonly caller: Caller;
  readonly serverId: ServerId;
  readonly names: NamedTool;
  readonly preset: ApprovalPreset;
  readonly approveTools: ApproveTools;
  /** The server's own setting, in place of the global one; `false` removes the globs for this server, never the preset. */
  readonly serverApproveTools: ApproveTools | undefined;
  readonly allowed: Allowed;
  /** A permission was given once, for what the tool or server was then. */
  readonly stale: 'tool' | 'server' | undefined;
  readonly paused: boolean;
  /** The person keeps this tool from the chat that calls it, or the limits of its run do (a profile's, a file's); neither where no chat calls. */
  readonly keptBy: 'chat' | 'run' | undefined;
  /** Another call made it: a script's, or the gateway's. */
  readonly inner: boolean;
}
export type Verdict = { readonly kind: 'allow' } | { readonly kind: 'ask'; readonly because: string } | { readonly kind: 'deny'; readonly because: string };

/** Pure: the same facts always give the same verdict. A server's annotations are not among the facts: they are shown and lower nothing. */
export function decide(facts: PolicyFacts): Verdict {
  const { caller } = facts;
  if (facts.paused) return { kind: 'deny', because: 'Everything is paused' };
  if (facts.preset === 'locked-down') return { kind: 'deny', because: 'Tools are locked down in the settings' };
  if (caller.kind === 'app-window' && caller.serverId !== facts.serverId) return { kind: 'deny', because: 'An app may call only its own server' };
  if (facts.keptBy !== undefined) return { kind: 'deny', because: facts.keptBy === 'chat' ? 'It is switched off for this chat' : 'It is not among the tools of this run' };
  // The press of Run on a form that shows server, tool and all arguments, or of Read beside server and address. What a call makes of its own accord was on no form.
  if ((caller.kind === 'direct' || caller.kind === 'person') && !facts.inner) return { kind: 'allow' };
  if (facts.stale) return { kind: 'ask', because: `The ${facts.stale} changed since you allowed it` };
  const named = namingRule(facts);
  // A rule that names the tool outweighs a permission for the whole server, not one for this tool that answered it.
  if (named && (facts.allowed === undefined || facts.allowed === 'server')) return { kind: 'ask', because: named };
  if (facts.allowed !== undefined || facts.preset === 'unrestricted') return { kind: 'allow' };
  return { kind: 'ask', because: 'Gatehouse asks before every tool that you have not allowed' };
}

function namingRule({ approveTools, serverApproveTools, names }: PolicyFacts): string | undefined {
  if (serverApproveTools !== undefined && fits(serverApproveTools, names)) return `“Always ask” is set for this tool on ${names.serverName}`;
  if (serverApproveTools === undefined && fits(approveTools, names)) return '“Always ask” is set for this tool in the settings';
  return undefined;
}
const fits = (rule: ApproveTools, names: NamedTool) => rule === true || (Array.isArray(rule) && matchesAny(rule, names));

import type { ToolCallView } from '../../../shared/model/tool-call.ts';
import { describeError } from '../../bridge/errors.ts';
import type { DotState } from '../../ui/state-dot.tsx';
import { ownTrouble } from './own-words.ts';

export interface CallWords {
  readonly dot: DotState;
  readonly word: string;
  /** Said beside the tool's name when the call did not simply succeed. */
  readonly remark?: string;
}
const deniedBy = { user: 'Denied by you', policy: 'Denied by a rule', guard: 'Refused before it ran' } as const;

/** How a call is or how it ended, said honestly: denied is not failed, and unknown is not failed either. */
export function callWords(view: ToolCallView): CallWords {
  switch (view.phase) {
    case 'waiting':
      return { dot: 'needs-you', word: 'Waiting for you', remark: 'Asks next' };
    case 'starting':
      return { dot: 'busy', word: 'Starting' };
    case 'running':
      return { dot: 'busy', word: 'Running', ...progressRemark(view.progress) };
    case 'settled': {
      const { outcome } = view;
      switch (outcome.kind) {
        case 'succeeded':
          return { dot: 'working', word: 'Done' };
        case 'tool-error':
          return { dot: 'trouble', word: 'The tool reports an error', remark: ownTrouble(view) ?? 'The tool reports an error' };
        case 'denied':
          return { dot: 'asleep', word: deniedBy[outcome.by], remark: deniedBy[outcome.by] };
        case 'cancelled':
          return { dot: 'asleep', word: 'Cancelled', remark: 'Cancelled' };
        case 'failed':
          if (outcome.code === 'tool/outcome-unknown') return { dot: 'needs-you', word: 'Outcome unknown', remark: 'Outcome unknown' };
          if (outcome.code === 'auth/sign-in-required' || outcome.code === 'auth/scopes-needed')
            return { dot: 'needs-you', word: 'Not let in', remark: describeError(outcome.code, { server: view.call.serverName, tool: view.call.ref.tool }).what };
          return { dot: 'trouble', word: 'Failed', remark: describeError(outcome.code, { server: view.call.serverName, tool: view.call.ref.tool }).what };
      }
    }
  }
}

function progressRemark(progress: { readonly done: number; readonly total?: number; readonly message?: string } | undefined): { readonly remark?: string } {
  if (!progress) return {};
  const amount = progress.total === undefined ? `${progress.done}` : `${progress.done} of ${progress.total}`;
  return { remark: progress.message ? `${amount} · ${progress.message}` : amount };
}

/** Arguments in one line: what tells this call from the next one like it. */
export function argumentLine(args: Readonly<Record<string, unknown>>, longest = 120): string {
  const text = Object.entries(args).map(([name, value]) => `${name}: ${typeof value === 'string' ? value : (JSON.stringify(value) ?? '')}`).join(', ').replaceAll(/\s+/g, ' ');
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}

/** How long it ran, or has run; absent when it never ran. */
export function callDuration(view: ToolCallView, now: number): number | undefined {
  if (view.phase === 'running') return Math.max(0, now - view.startedAt);
  if (view.phase === 'settled' && view.startedAt !== undefined) return view.settledAt - view.startedAt;
  return undefined;
}

import type { ToolCallId } from '../../../shared/ids.ts';
import type { ChatItem, ChatState } from '../../../shared/state/chat-state.ts';

type Item<K extends ChatItem['kind']> = Extract<ChatItem, { readonly kind: K }>;

/** What the transcript draws, one row each: calls that follow each other sit together, whoever made them. */
export type TranscriptRow =
  | { readonly kind: 'user'; readonly key: string; readonly item: Item<'user'> }
  | { readonly kind: 'answer'; readonly key: string; readonly item: Item<'assistant'>; readonly streaming: boolean }
  | { readonly kind: 'calls'; readonly key: string; readonly calls: readonly ToolCallId[]; readonly direct: boolean }
  /** `last`: of the chat's last run. */
  | { readonly kind: 'prepared'; readonly key: string; readonly item: Item<'run-prepared'>; readonly last: boolean }
  /** `last`: the chat rests here and can go on. */
  | { readonly kind: 'ended'; readonly key: string; readonly item: Item<'run-ended'>; readonly last: boolean }
  /** The run works and there is nothing of its next answer yet. */
  | { readonly kind: 'working'; readonly key: string; readonly step: number; readonly since: number };

/** A finish that the person should know of; the others need no words. */
export const finishWords = (finish: Item<'assistant'>['finish']): string | undefined => {
  switch (finish) {
    case 'length':
      return "The answer ended at the model's length limit.";
    case 'content-filter':
      return 'The provider ended this answer because of its content rules.';
    case 'stop':
    case 'tool-calls':
    case 'cut-off':
    case 'other':
    case undefined:
      return undefined;
  }
};

const hasWords = (item: Item<'assistant'>): boolean => item.text.trim() !== '' || item.reasoning.trim() !== '' || item.toolsSetAside.length > 0 || finishWords(item.finish) !== undefined;

function addCalls(rows: TranscriptRow[], key: string, calls: readonly ToolCallId[], direct: boolean): void {
  const last = rows.at(-1);
  if (last?.kind === 'calls' && last.direct === direct) rows[rows.length - 1] = { ...last, calls: [...last.calls, ...calls] };
  else rows.push({ kind: 'calls', key, calls, direct });
}

export function transcriptRows(state: ChatState): readonly TranscriptRow[] {
  const rows: TranscriptRow[] = [];
  const lastItem = state.items.at(-1);
  const lastPrepared = state.items.findLast(({ kind }) => kind === 'run-prepared');
  for (const item of state.items) {
    switch (item.kind) {
      case 'user':
        rows.push({ kind: 'user', key: item.id, item });
        break;
      case 'assistant':
        if (hasWords(item)) rows.push({ kind: 'answer', key: item.id, item, streaming: item.finish === undefined && item === lastItem && state.run.phase === 'running' });
        if (item.calls.length > 0) addCalls(rows, `calls ${item.id}`, item.calls, false);
        break;
      case 'direct-call':
        addCalls(rows, `calls ${item.id}`, [item.call], true);
        break;
      case 'run-prepared':
        rows.push({ kind: 'prepared', key: item.id, item, last: item === lastPrepared });
        break;
      case 'run-ended':
        rows.push({ kind: 'ended', key: item.id, item, last: item === lastItem && state.run.phase === 'resting' });
        break;
    }
  }
  if (state.run.phase === 'running' && isQuiet(state, lastItem)) rows.push({ kind: 'working', key: 'working', step: state.run.step, since: state.run.since });
  return rows;
}

/** Nothing on screen moves although the run does. */
function isQuiet(state: ChatState, last: ChatItem | undefined): boolean {
  if (last?.kind !== 'assistant') return true;
  if (last.finish === undefined) return last.text === '' && last.calls.length === 0 && last.reasoning === '';
  return last.calls.every((id) => state.calls[id]?.phase === 'settled');
}

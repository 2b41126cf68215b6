import type { ChatId } from '../../../shared/ids.ts';
import type { ModelChoice } from '../../../shared/model/settings.ts';
import type { RunEnding } from '../../../shared/model/transcript-entry.ts';
import { api } from '../../bridge/api.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { useRequest } from '../../bridge/request-state.ts';
import { Button } from '../../ui/button.tsx';

const restWords = (ending: Exclude<RunEnding, { readonly how: 'done' | 'failed' }>): { readonly what: string; readonly button: string } => {
  switch (ending.how) {
    case 'stopped':
      return { what: 'You stopped it here.', button: 'Continue' };
    case 'step-limit':
      return { what: `It paused after ${ending.steps} steps to ask whether it should go on.`, button: 'Go on' };
    case 'interrupted':
      return { what: 'Gatehouse ended in the middle of this. What had arrived is here.', button: 'Continue' };
  }
};

/** How a run came to rest, and the way on. Only the last one has a button. */
export function RunEnded({ ending, last, chatId, model }: { readonly ending: RunEnding; readonly last: boolean; readonly chatId: ChatId; readonly model: ModelChoice | undefined }) {
  const { state, run } = useRequest();
  const goOn = () => run(() => api.chats.continue({ chatId }));
  if (ending.how === 'done') return null;
  const problem = state.phase === 'failed' ? <FailureNote error={state.error} compact context={{ model: model?.model }} /> : null;
  if (ending.how === 'failed') {
    return (
      <div className="flex flex-col gap-2">
        <FailureNote error={ending} context={{ model: model?.model }} onRetry={last ? goOn : undefined} />
        {problem}
      </div>
    );
  }
  const words = restWords(ending);
  return (
    <div className="flex flex-col gap-2">
      <div className="flex min-h-7 items-center gap-3 text-list text-ink-2">
        <span className="h-px w-6 bg-line-strong" aria-hidden />{words.what}
        {last ? <Button size="s" busy={state.phase === 'sending'} onClick={goOn}>{words.button}</Button> : null}
        <span className="h-px flex-1 bg-line" aria-hidden />
      </div>
      {problem}
    </div>
  );
}

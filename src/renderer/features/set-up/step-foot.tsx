import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { countText } from '../../ui/time.ts';

export interface StepProps {
  readonly onNext: () => void;
  readonly onSkip: () => void;
}

/** The way on, always at the same place. `note` says what was just done. */
export const StepFoot = ({
  onSkip,
  note,
  children,
}: {
  /** Absent where going on is the same. */
  readonly onSkip: (() => void) | undefined;
  readonly note?: string | undefined;
  readonly children: ReactNode;
}) => (
  <div className="sticky bottom-0 -mx-6 mt-auto flex items-center gap-3 border-t border-line bg-pane px-6 py-3 compact:-mx-4 compact:px-4">
    <p role="status" className="min-w-0 flex-1 text-list text-ok">
      {note}
    </p>
    {onSkip ? (
      <Button look="plain" onClick={onSkip}>
        Skip this step
      </Button>
    ) : null}
    {children}
  </div>
);

/** Of a step in which servers are chosen: what was chosen is looked at first; with nothing chosen, going on is the same as skipping. */
export function ChoiceFoot({ chosen, note, onReview, onNext, onSkip }: StepProps & {
  readonly chosen: number;
  readonly note: string | undefined;
  readonly onReview: () => void;
}) {
  return (
    <StepFoot onSkip={chosen > 0 ? onSkip : undefined} note={note}>
      {chosen > 0 ? (
        <Button look="primary" onClick={onReview}>
          Review {countText(chosen, 'server')}…
        </Button>
      ) : (
        <Button look="primary" onClick={onNext}>
          Next
        </Button>
      )}
    </StepFoot>
  );
}

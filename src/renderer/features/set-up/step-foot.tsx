import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';

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

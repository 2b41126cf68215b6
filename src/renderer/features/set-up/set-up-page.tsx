import clsx from 'clsx';
import { Check } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { followAgain, useAppMirror } from '../../bridge/live.ts';
import { go } from '../../bridge/place.ts';
import { useRequest } from '../../bridge/request-state.ts';
import { Button } from '../../ui/button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { finishSetUp } from './first-start.ts';
import { FoundStep } from './found-step.tsx';
import { KnownStep } from './known-step.tsx';
import { ModelStep } from './model-step.tsx';

const steps = ['found', 'known', 'model'] as const;
type Step = (typeof steps)[number];
const words: { readonly [S in Step]: { readonly name: string; readonly title: string; readonly means: string } } = {
  found: {
    name: 'Found here',
    title: 'Servers that are here already',
    means:
      'Gatehouse has read the files of other programs on this computer. It has started nothing and contacted nothing. ' +
      'What you choose is copied; their files stay as they are.',
  },
  known: {
    name: 'Known servers',
    title: 'Servers that many people use',
    means: 'None of them has been contacted. The ones that you add can be switched off or removed at any time.',
  },
  model: {
    name: 'A model',
    title: 'With a model, or without',
    means: 'The last step. Both can be changed later, for each chat.',
  },
};

/** A few short steps, each of which can be skipped, from what was found to the first chat. */
export function SetUpPage() {
  const mirror = useAppMirror();
  const [step, setStep] = useState<Step>('found');
  const skipping = useRequest();
  const title = useRef<HTMLHeadingElement>(null);
  const moved = useRef(false);
  useEffect(() => {
    if (moved.current) title.current?.focus({ preventScroll: true });
    moved.current = true;
  }, [step]);
  const next = () => setStep(steps[steps.indexOf(step) + 1] ?? step);
  const skipAll = () =>
    skipping.run(async () => {
      await finishSetUp();
      go({ page: 'chat' }, 'replace');
    });
  return (
    <>
      <PageHeader
        title="Set-up"
        actions={
          <Button look="plain" busy={skipping.state.phase === 'sending'} onClick={skipAll}>
            Skip all of it
          </Button>
        }
      />
      <div className="min-h-0 flex-1 overflow-y-auto [scrollbar-gutter:stable]">
        <div className="mx-auto flex min-h-full w-full max-w-(--column) flex-col gap-5 px-6 pt-6 compact:px-4 compact:pt-4">
          <Progress step={step} onGo={setStep} />
          <div>
            <h2 ref={title} tabIndex={-1} className="text-display font-semibold text-ink focus-visible:outline-none">
              {words[step].title}
            </h2>
            <p className="mt-1 text-body text-ink-2">{words[step].means}</p>
          </div>
          {skipping.state.phase === 'failed' ? <FailureNote error={skipping.state.error} compact onRetry={skipAll} /> : null}
          {mirror.phase === 'loading' ? <Skeleton rows={5} /> : null}
          {mirror.phase === 'failed' ? <FailureNote error={mirror.error} onRetry={() => followAgain('app')} /> : null}
          {mirror.phase === 'ready' && step === 'found' ? <FoundStep onNext={next} onSkip={next} /> : null}
          {mirror.phase === 'ready' && step === 'known' ? <KnownStep onNext={next} onSkip={next} /> : null}
          {mirror.phase === 'ready' && step === 'model' ? <ModelStep /> : null}
        </div>
      </div>
    </>
  );
}

const Progress = ({ step, onGo }: { readonly step: Step; readonly onGo: (step: Step) => void }) => (
  <nav aria-label="Steps">
    <ol className="flex flex-wrap gap-1">
      {steps.map((one, index) => {
        const done = index < steps.indexOf(step);
        return (
          <li key={one}>
            <button
              type="button"
              aria-current={one === step ? 'step' : undefined}
              onClick={() => onGo(one)}
              className={clsx(
                'inline-flex h-7 items-center gap-1.5 rounded-full border px-2.5 text-list transition-colors',
                one === step
                  ? 'border-accent-line bg-accent-soft font-[550] text-accent'
                  : 'border-transparent text-ink-2 hover:bg-hover',
              )}
            >
              {done ? (
                <Check size={12} strokeWidth={2.5} className="text-ok" aria-hidden />
              ) : (
                <span className="text-detail">{index + 1}</span>
              )}
              {words[one].name}
            </button>
          </li>
        );
      })}
    </ol>
  </nav>
);

import clsx from 'clsx';
import type { SignInFlow, SignInWay } from '../../shared/model/sign-in.ts';
import { stepsOf, stepWords } from './sign-in-words.ts';
import { StateDot, type DotState } from '../ui/state-dot.tsx';

const nowLooks: Readonly<Record<SignInFlow['phase'], readonly [DotState, string]>> = {
  working: ['busy', 'now'],
  waiting: ['needs-you', 'waits for you'],
  'needs-client': ['needs-you', 'waits for you'],
  'needs-host': ['needs-you', 'waits for you'],
  failed: ['trouble', 'failed'],
};

/** The steps of a sign-in: those behind it, the one it is at, those to come. */
export function SignInSteps({ flow, way }: { readonly flow: Pick<SignInFlow, 'step' | 'phase'>; readonly way: SignInWay }) {
  const steps = stepsOf(way);
  // While it listens for the answer, it is the person in the browser who is waited for.
  const at = steps.indexOf(flow.phase === 'waiting' ? 'browser' : flow.step);
  return (
    <ol aria-label="Steps of the sign-in" className="flex shrink-0 flex-col gap-1.5 text-list">
      {steps.map((step, index) => {
        const [dot, said] = index < at ? (['working', 'done'] as const) : index === at ? nowLooks[flow.phase] : (['asleep', 'to come'] as const);
        return (
          <li key={step} aria-current={index === at ? 'step' : undefined} className="flex items-center gap-2">
            <StateDot state={dot} word={said} quiet />
            <span className={clsx(index === at ? (flow.phase === 'failed' ? 'font-[550] text-bad' : 'font-[550] text-ink') : index < at ? 'text-ink-2' : 'text-ink-3')}>{stepWords[step]}</span>
          </li>
        );
      })}
    </ol>
  );
}

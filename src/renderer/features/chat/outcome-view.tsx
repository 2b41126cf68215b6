import type { ReactNode } from 'react';
import type { ToolCallView, ToolOutcome } from '../../../shared/model/tool-call.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { LongText } from '../../ui/long-text.tsx';
import { LinkReader } from './link-reader.tsx';
import { SignInOffer, wantsSignIn } from './sign-in-offer.tsx';
import { ToolResultView } from './tool-result-view.tsx';

const deniedWords = {
  user: { what: 'You denied this call.', means: 'It did not run.' },
  policy: { what: 'A rule denied this call.', means: 'It did not run.' },
  guard: { what: 'This call was refused before it ran.', means: 'Its arguments or its tool did not pass the checks.' },
} as const;

/** How a call ended: its result, or what happened instead. */
export function OutcomeView({ outcome, view }: { readonly outcome: ToolOutcome; readonly view: ToolCallView }) {
  switch (outcome.kind) {
    case 'succeeded':
      return <LinkReader call={view.call}><ToolResultView result={outcome.result} /></LinkReader>;
    case 'tool-error':
      return (
        <div className="flex flex-col gap-2">
          <p className="text-list text-bad">{view.call.serverName} reports an error, in its own words:</p>
          <div className="rounded-card border border-bad-line bg-bad-soft/50 px-3 py-2"><ToolResultView result={outcome.result} /></div>
        </div>
      );
    case 'denied': {
      const words = deniedWords[outcome.by];
      return <Quiet what={words.what} means={words.means} more={outcome.reason.trim() === '' ? null : <LongText text={outcome.reason} code={false} className="mt-1 border-l-2 border-line-strong pl-2 text-ink-2" />} />;
    }
    case 'cancelled':
      return <Quiet what="This call was cancelled." means={view.phase === 'settled' && view.startedAt === undefined ? 'It had not started.' : 'It was told to stop. What it did before that stays done.'} />;
    case 'failed':
      if (outcome.code === 'tool/outcome-unknown') {
        return <ErrorNote tone="ask" what={`It is not known whether ${view.call.ref.tool} ran.`} means="The answer never came. Check what it was to change before you run it again." detail={outcome.message} />;
      }
      if (wantsSignIn(outcome)) return <SignInOffer view={view} outcome={outcome} />;
      return <FailureNote error={outcome} context={{ server: view.call.serverName, tool: view.call.ref.tool }} />;
  }
}

const Quiet = ({ what, means, more }: { readonly what: string; readonly means: string; readonly more?: ReactNode }) => (
  <div className="text-list"><p className="text-ink">{what} <span className="text-ink-2">{means}</span></p>{more}</div>
);

import clsx from 'clsx';
import type { ServerId } from '../../../shared/ids.ts';
import type { SignInExchange } from '../../../shared/model/sign-in.ts';
import { api } from '../../bridge/api.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { useAsked } from '../../bridge/request-state.ts';
import { stepWords } from '../../bridge/sign-in-words.ts';
import { copyText } from '../../bridge/tool-detail.tsx';
import { CopyButton } from '../../ui/code-block.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { durationText } from '../../ui/time.ts';
import { VisibleText } from '../../ui/visible-text.tsx';
import { historyText } from './sign-in-history-text.ts';

let clock: Intl.DateTimeFormat | undefined;
const secondsText = (at: number): string => (clock ??= new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit' })).format(at);

/** What the last sign-in and the last renewal asked and heard. `revision` changes when there may be more. */
export function SignInHistory({ serverId, revision }: { readonly serverId: ServerId; readonly revision: string }) {
  const asked = useAsked(`${serverId} ${revision}`, (signal) => api.auth.history({ serverId }, signal));
  const exchanges = asked.phase === 'ready' ? asked.value : [];
  return (
    <section aria-labelledby="what-happened">
      <div className="mb-1.5 flex h-6 items-center gap-2">
        <h3 id="what-happened" className="text-detail font-[550] text-ink-3">What happened</h3>
        {exchanges.length > 0 ? <CopyButton text={historyText(exchanges)} onCopy={copyText} name="Copy all of it as text" /> : null}
      </div>
      {asked.phase === 'failed' ? <FailureNote error={asked.error} compact onRetry={asked.again} /> : null}
      {asked.phase === 'loading' ? <Skeleton rows={3} /> : null}
      {asked.phase === 'ready' && exchanges.length === 0 ? <p className="rounded-card border border-line bg-card px-4 py-3 text-list text-ink-3">Nothing was asked yet. Each request of a sign-in will stand here, without its secrets.</p> : null}
      {exchanges.length > 0 ? <Table exchanges={exchanges} /> : null}
    </section>
  );
}

function Table({ exchanges }: { readonly exchanges: readonly SignInExchange[] }) {
  return (
    <div tabIndex={0} role="group" aria-labelledby="what-happened" className="overflow-x-auto rounded-card border border-line bg-card focus-visible:outline-offset-[-2px]">
      <table className="w-full min-w-160 text-left text-detail">
        <thead className="text-ink-3">
          <tr className="[&>th]:px-2.5 [&>th]:py-1.5 [&>th]:font-[550] [&>th:first-child]:pl-4 [&>th:last-child]:pr-4 [&>th:last-child]:text-right">
            <th scope="col">Time</th>
            <th scope="col">Step</th>
            <th scope="col">Request</th>
            <th scope="col">Answer</th>
            <th scope="col">Took</th>
          </tr>
        </thead>
        <tbody>
          {exchanges.map((one, index) => (
            <tr key={index} className="border-t border-line align-top [&>td]:px-2.5 [&>td]:py-1.5 [&>td:first-child]:pl-4 [&>td:last-child]:pr-4">
              <td className="whitespace-nowrap text-ink-3">{secondsText(one.at)}</td>
              <td className="w-28 text-ink-2">{stepWords[one.step]}</td>
              <td className="min-w-0 select-text">
                <code className="break-all text-ink">{one.method} <VisibleText text={one.url} /></code>
                {one.sent.length > 0 ? <span className="block break-words text-ink-3">sent: <VisibleText text={one.sent.join(', ')} /></span> : null}
              </td>
              <td className="w-52 break-words select-text">
                <Answer exchange={one} />
              </td>
              <td className="text-right whitespace-nowrap text-ink-3">{durationText(one.ms)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Answer({ exchange: { status, answer, failure } }: { readonly exchange: SignInExchange }) {
  const bad = status === undefined || status >= 400;
  return (
    <>
      <span className={clsx('font-[550]', bad ? 'text-bad' : 'text-ink')}>{status ?? 'no answer'}</span>
      {failure ?? answer ? <span className={failure === undefined ? 'text-ink-2' : 'text-bad'}> <VisibleText text={failure ?? answer ?? ''} /></span> : null}
    </>
  );
}

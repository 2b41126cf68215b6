import clsx from 'clsx';
import type { ReactNode } from 'react';
import type { ConnectionFailure } from '../../../shared/model/connection-state.ts';
import type { ServerRow } from '../../../shared/state/app-state.ts';
import { signInNeed } from '../../../shared/state/sign-in-need.ts';
import { visibleText } from '../../../shared/text/visible-text.ts';
import { connectionWords } from '../../bridge/connection-words.ts';
import { describeError } from '../../bridge/errors.ts';
import { useApp } from '../../bridge/live.ts';
import { copyText } from '../../bridge/tool-detail.tsx';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { StateDot } from '../../ui/state-dot.tsx';
import { useNow } from '../../ui/use-now.ts';
import { VisibleText } from '../../ui/visible-text.tsx';
import { plainLine } from './log-text.ts';
import { adviceFor, type ServerAction } from './server-advice.ts';

/** Why a server is not there, in full, and the next step. Nothing while all is well. */
export function StateNote({
  row,
  paused,
  pending,
  onPress,
}: {
  readonly row: ServerRow;
  readonly paused: boolean;
  readonly pending: ReadonlySet<ServerAction>;
  readonly onPress: (action: ServerAction) => void;
}) {
  const { connection, definition } = row;
  const asked = useApp((state) => state.secretQuestions.some((question) => question.serverId === definition.id)) ?? false;
  const secretsKept = useApp((state) => state.vault.phase !== 'unavailable') ?? true;
  const counting = (connection.phase === 'failed' && connection.retryAt !== undefined) || connection.phase === 'reconnecting';
  const now = useNow(counting ? 'second' : 'never');
  if (connection.phase === 'ready' || connection.phase === 'stopped' || connection.phase === 'starting') return null;
  // A sign-in that is wanted, under way or failed has its own note.
  const bySignIn = 'failure' in connection ? connection.failure.code.startsWith('auth/') : connection.what === 'sign-in';
  if (bySignIn && signInNeed(row)) return null;
  const advice = adviceFor(row, now, secretsKept, asked);
  const words = connectionWords(connection);
  const why = 'failure' in connection ? cause(connection.failure) : (advice.why ?? '');
  const bad = connection.phase !== 'needs';
  const button = paused ? null : (
    <Button
      look={bad || !advice.urgent ? 'quiet' : 'primary'}
      size="s"
      busy={pending.has(advice.action.do)}
      onClick={() => onPress(advice.action.do)}
    >
      {advice.action.label}
    </Button>
  );
  const again =
    advice.action.do === 'edit' && !paused ? (
      <Button look="plain" size="s" busy={pending.has('try-again')} onClick={() => onPress('try-again')}>
        Try again
      </Button>
    ) : null;
  return (
    <section
      aria-label="Its state"
      className={clsx(
        'flex flex-col gap-2.5 rounded-card border px-4 py-3 text-list',
        bad ? 'border-bad-line bg-bad-soft' : advice.urgent ? 'border-ask-line bg-ask-soft' : 'border-line bg-card',
      )}
    >
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-80">
          <StateDot
            state={words.dot}
            word={words.word}
            className={clsx('font-[550]', bad ? 'text-bad' : advice.urgent ? 'text-ask' : 'text-ink')}
          />
          {why === '' ? null : (
            <p className="mt-0.5 break-words text-ink select-text">
              <VisibleText text={plainLine(why)} />
            </p>
          )}
          {'failure' in connection ? (
            <p className="mt-0.5 text-ink-2">
              {describeError(connection.failure.code, { server: definition.name }).means}{' '}
              {paused
                ? ''
                : (advice.next ??
                  (connection.phase === 'failed' && connection.retryAt !== undefined ? 'It is tried again when it is used.' : ''))}
            </p>
          ) : null}
        </div>
        <div className="flex gap-2">
          {again}
          {button}
        </div>
      </div>
      {'failure' in connection ? <Evidence failure={connection.failure} /> : null}
    </section>
  );
}

/** Without what stands below it as evidence. */
function cause({ code, message, detail }: ConnectionFailure): string {
  if (code === 'launch/command-not-found') return message.replace(/ \(searched [^)]*\)/, '');
  return (code === 'server/exited' || code === 'connection/crash-loop') && detail?.trim() ? '' : message;
}

/** What the other side left behind: its last words, its answer, the folders that were searched. */
function Evidence({ failure }: { readonly failure: ConnectionFailure }) {
  // Where its state's word does not say so already.
  const facts: readonly string[] = [
    ...(failure.httpStatus === undefined || failure.code === 'server/http-error' ? [] : [`HTTP status ${failure.httpStatus}`]),
    ...(failure.exitCode === undefined || failure.code === 'server/exited' ? [] : [`exit code ${failure.exitCode}`]),
    ...(failure.signal === undefined || failure.code === 'server/exited' ? [] : [`ended by ${failure.signal}`]),
  ];
  const detail = failure.detail?.trim() ? plainLine(failure.detail.trim()).replace(/^Searched in:\n/, '') : undefined;
  if (facts.length === 0 && detail === undefined) return null;
  return (
    <div className="flex flex-col gap-1.5">
      {detail === undefined ? null : (
        <>
          <Caption>{[captionOf(failure), ...facts].join(', ')}</Caption>
          <CodeBlock code={visibleText(detail)} onCopy={copyText} maxHeight="max-h-56" />
        </>
      )}
      {detail === undefined && facts.length > 0 ? <Caption>{facts.join(', ')}</Caption> : null}
    </div>
  );
}
const Caption = ({ children }: { readonly children: ReactNode }) => <p className="text-detail text-ink-2">{children}</p>;
const captionOf = ({ code, httpStatus, detail }: ConnectionFailure): string =>
  detail?.startsWith('Searched in:')
    ? 'Where Gatehouse looked'
    : httpStatus !== undefined || code === 'server/not-mcp'
      ? 'What it answered'
      : code === 'server/protocol-error'
        ? 'What it said'
        : 'The end of what it wrote (stderr)';

import clsx from 'clsx';
import { ArrowDown } from 'lucide-react';
import { memo, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { ServerId } from '../../../shared/ids.ts';
import type { ServerLogLine } from '../../../shared/model/connection-state.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { followAgain, useLogMirror } from '../../bridge/live.ts';
import { copyText } from '../../bridge/tool-detail.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/code-block.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useThrottled } from '../../ui/use-throttled.ts';
import { VisibleText } from '../../ui/visible-text.tsx';
import { lineTime, logText, plainLine, withLevel, type LogLevel } from './log-text.ts';
import { fileNameOf, useSavedFile } from './use-saved-file.tsx';

const levels: readonly { readonly value: LogLevel; readonly label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'info', label: 'No debug' },
  { value: 'warning', label: 'Warnings' },
  { value: 'error', label: 'Errors' },
];
/** A line has no id, but stays the same object for as long as it is kept. */
const keys = new WeakMap<ServerLogLine, number>();
let lastKey = 0;
const keyOf = (line: ServerLogLine): number => {
  const known = keys.get(line) ?? (lastKey += 1);
  keys.set(line, known);
  return known;
};

/** What a server said and what Gatehouse did with it, as it comes. Stays at the end until one scrolls up. */
export function ServerLog({ serverId, server }: { readonly serverId: ServerId; readonly server: string }) {
  const mirror = useLogMirror(serverId);
  if (mirror.phase === 'failed') return <FailureNote error={mirror.error} onRetry={() => followAgain(`log/${serverId}`)} />;
  return mirror.phase === 'loading' ? <Skeleton rows={4} /> : <Log all={mirror.state} server={server} />;
}

/** A server may write hundreds of lines a second. They are drawn a few times a second, and each line once. */
const drawnEveryMs = 150;

function Log({ all, server }: { readonly all: readonly ServerLogLine[]; readonly server: string }) {
  const lines = useThrottled(all, drawnEveryMs);
  const [level, setLevel] = useState<LogLevel>('all');
  const shown = useMemo(() => withLevel(lines, level), [lines, level]);
  const saved = useSavedFile('Save these lines', async () => ({ fileName: fileNameOf(server, 'log', 'txt'), text: `${logText(shown)}\n` }), shown.length === 0);
  const box = useRef<HTMLDivElement>(null);
  const [atEnd, setAtEnd] = useState(true);
  useLayoutEffect(() => {
    if (atEnd && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [shown, atEnd]);
  const drawn = useMemo(() => shown.map((line) => <Line key={keyOf(line)} line={line} />), [shown]);
  return (
    <div className="flex flex-col gap-3">
      <div className="flex items-center gap-3">
        <Segmented name="Show lines of level" value={level} options={levels} onChange={setLevel} />
        <span className="ml-auto text-detail text-ink-3">
          {shown.length === lines.length
            ? `${lines.length} ${lines.length === 1 ? 'line' : 'lines'}`
            : `${shown.length} of ${lines.length} lines`}
        </span>
        <span className="flex items-center gap-0.5">
          <CopyButton text="" onCopy={() => copyText(logText(shown))} name="Copy these lines" />
          {saved.button}
        </span>
      </div>
      {saved.words}
      <div className="relative">
        <div
          ref={box}
          role="log"
          aria-label="Log"
          aria-live="off"
          tabIndex={0}
          onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) =>
            setAtEnd(scrollHeight - scrollTop - clientHeight < 24)
          }
          className={clsx(
            'max-h-[max(240px,calc(100vh-320px))] min-h-32 overflow-y-auto rounded-card border border-line bg-sunken py-2 select-text',
            'focus-visible:outline-offset-[-2px]',
          )}
        >
          {shown.length === 0 ? (
            <p className="px-3 py-6 text-center text-list text-ink-3">
              {lines.length === 0
                ? 'Nothing yet. What the server writes and what Gatehouse does with it appears here.'
                : 'No line of this level.'}
            </p>
          ) : null}
          {drawn}
        </div>
        {atEnd ? null : (
          <Button
            size="s"
            className="absolute right-4 bottom-3 shadow-lifted"
            icon={<ArrowDown size={12} aria-hidden />}
            onClick={() => setAtEnd(true)}
          >
            To the end
          </Button>
        )}
      </div>
    </div>
  );
}

const inks: Readonly<Record<ServerLogLine['level'], string>> = {
  debug: 'text-ink-3',
  info: 'text-ink',
  warning: 'text-ask',
  error: 'text-bad',
};
const Line = memo(({ line }: { readonly line: ServerLogLine }) => (
  <div className="grid grid-cols-[max-content_68px_minmax(0,1fr)] gap-x-3 px-3 py-px font-code text-detail leading-[1.6] hover:bg-hover">
    <time dateTime={new Date(line.at).toISOString()} className="text-ink-3">
      {lineTime(line.at)}
    </time>
    <span className={clsx('truncate', line.from === 'gatehouse' ? 'text-accent' : 'text-ink-3')}>{line.from}</span>
    <span className={clsx('min-w-0 break-words whitespace-pre-wrap', inks[line.level])}>
      {line.level === 'warning' || line.level === 'error' ? <span className="sr-only">{line.level}: </span> : null}
      <VisibleText text={plainLine(line.text)} />
    </span>
  </div>
));

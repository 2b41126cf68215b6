import { X } from 'lucide-react';
import type { ServerId } from '../../../shared/ids.ts';
import type { ProtocolMessage } from '../../../shared/model/protocol-message.ts';
import { api } from '../../bridge/api.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { useAsked } from '../../bridge/request-state.ts';
import { copyText } from '../../bridge/tool-detail.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/code-block.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { JsonTree } from '../../ui/json-tree.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { VisibleText } from '../../ui/visible-text.tsx';
import { lineTime } from './log-text.ts';
import { isTrouble, kindWord, methodText, sizeText, tookText } from './message-filter.ts';

const transports: Readonly<Record<ProtocolMessage['over'], string>> = { stdio: 'stdio', socket: 'socket', http: 'Streamable HTTP', sse: 'HTTP + SSE' };

interface Props {
  readonly serverId: ServerId;
  readonly message: ProtocolMessage;
  readonly onChoose: (seq: number) => void;
  readonly onClose: () => void;
}

/** All of one message: what it is, and what it carried as a tree. */
export function MessageDetail({ serverId, message, onChoose, onClose }: Props) {
  const { seq, pair, error, kind } = message;
  const asked = useAsked(`${serverId} ${seq}`, (signal) => api.inspector.message({ serverId, seq }, signal));
  const found = asked.phase === 'ready' ? asked.value : undefined;
  const isQuestion = kind === 'request';
  return (
    <section aria-label="The message" className="flex h-full min-h-0 min-w-0 flex-col">
      <header className="flex items-center gap-2 border-b border-line py-1.5 pr-2 pl-3">
        <Badge tone={isTrouble(message) ? 'bad' : 'plain'}>{kindWord(message)}</Badge>
        <h3 className="min-w-0 truncate font-code text-code text-ink">
          <VisibleText text={methodText(message)} />
        </h3>
        <span className="ml-auto flex shrink-0 items-center">
          {pair === undefined ? null : (
            <Button look="plain" size="s" onClick={() => onChoose(pair)}>
              {isQuestion ? 'Its answer' : 'Its request'}
            </Button>
          )}
          {found ? <CopyButton text="" onCopy={() => copyText(JSON.stringify(found.payload, undefined, 2))} name="Copy as JSON" /> : null}
          <IconButton size="s" name="Close the message" icon={<X size={14} strokeWidth={1.75} />} onClick={onClose} />
        </span>
      </header>
      <div className="min-h-0 flex-1 overflow-auto px-3 py-2.5" tabIndex={0} role="group" aria-label="What it carried">
        <Facts message={message} />
        {error ? (
          <p className="mt-2 text-list break-words text-bad select-text">
            {error.code === undefined ? '' : `${error.code}: `}
            <VisibleText text={error.message} />
          </p>
        ) : null}
        <div className="mt-3">
          {asked.phase === 'loading' ? <Skeleton rows={3} /> : null}
          {asked.phase === 'failed' ? <FailureNote error={asked.error} compact onRetry={asked.again} /> : null}
          {asked.phase === 'ready' && !found ? <p className="text-list text-ink-3">It is no longer kept.</p> : null}
          {found ? (
            <>
              {found.cut ? <p className="mb-2 text-detail text-ink-3">It is large ({sizeText(message)}). Only its beginning is kept.</p> : null}
              <JsonTree value={found.payload} openTo={3} />
            </>
          ) : null}
        </div>
      </div>
    </section>
  );
}

function Facts({ message }: { readonly message: ProtocolMessage }) {
  const { at, direction, id, tookMs, over, http, pair, kind } = message;
  const facts: readonly (readonly [string, string])[] = [
    [direction === 'sent' ? 'Sent' : 'Received', lineTime(at)],
    ...(id === undefined ? [] : [['Id', String(id)] as const]),
    ...(tookMs === undefined ? [] : [['Answered in', tookText(tookMs)] as const]),
    ...(kind === 'request' && pair === undefined ? [['Answer', 'none yet'] as const] : []),
    ['Size', sizeText(message)],
    ['Over', transports[over]],
    ...(http === undefined ? [] : [['HTTP', String(http.status)] as const]),
    ...(http?.session === undefined ? [] : [['Session', http.session] as const]),
  ];
  return (
    <dl className="flex flex-wrap gap-x-5 gap-y-1 text-detail">
      {facts.map(([name, value]) => (
        <div key={name} className="flex min-w-0 gap-1.5">
          <dt className="text-ink-3">{name}</dt>
          <dd className="min-w-0 truncate font-code text-ink-2 select-text">
            <VisibleText text={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

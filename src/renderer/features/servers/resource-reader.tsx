import { Check, Download, Paperclip, RefreshCw } from 'lucide-react';
import { useState } from 'react';
import type { ServerId } from '../../../shared/ids.ts';
import type { ContentRef, ResultPart } from '../../../shared/model/content.ts';
import { fileNameOf } from '../../../shared/text/file-name.ts';
import { api } from '../../bridge/api.ts';
import { addAttachments } from '../../bridge/drafts.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { useResourceWatch } from '../../bridge/live.ts';
import { OutcomeNote } from '../../bridge/outcome-note.tsx';
import { go } from '../../bridge/place.ts';
import { useAsked, useRequest } from '../../bridge/request-state.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { bytesText } from '../../ui/time.ts';
import { ContentPart } from './content-part.tsx';

const icon = { size: 14, strokeWidth: 1.75, 'aria-hidden': true } as const;
const watchWords = { waiting: 'Waiting for a connection to follow its changes.', watching: 'Changes are followed.', unsupported: 'This server does not announce changes.', failed: 'Its changes cannot be followed.' } as const;

interface ResourceReaderProps {
  readonly serverId: ServerId;
  readonly serverName: string;
  readonly uri: string;
  /** It is a file of a skill. */
  readonly ofSkill?: true;
}

/** One resource as it is now: read when it is opened, told of when it changes, and left when it is closed. */
export function ResourceReader({ serverId, serverName, uri, ofSkill }: ResourceReaderProps) {
  const [turn, setTurn] = useState(0);
  const [seen, setSeen] = useState(0);
  const asked = useAsked(`${serverId} ${uri} ${turn}`, (signal): Promise<ReadAnswer> => (ofSkill ? api.skills.read({ serverId, uri }, signal) : api.resources.read({ serverId, uri }, signal)));
  const watch = useResourceWatch(serverId, uri);
  const attaching = useRequest();
  const changes = watch.phase === 'ready' ? watch.state.changes : 0;
  const again = () => {
    setSeen(changes);
    setTurn(turn + 1);
  };
  const attach = () => attaching.run(async () => {
    const answer = await api.resources.attach({ serverId, uri });
    if (answer.kind !== 'attached') return again();
    addAttachments('new', [answer.attachment]);
    return go({ page: 'chat' });
  });
  if (asked.phase === 'loading') return <Skeleton rows={3} />;
  if (asked.phase === 'failed') return <FailureNote error={asked.error} compact context={{ server: serverName }} onRetry={asked.again} />;
  const { outcome, files, verified } = asked.value;
  if (outcome.kind !== 'succeeded') return <OutcomeNote outcome={outcome} server={serverName} onRetry={again} />;
  return (
    <div className="flex flex-col gap-3">
      {verified === undefined ? null : <Verified verified={verified} />}
      {outcome.result.parts.length === 0 ? <p className="text-list text-ink-3">It is empty.</p> : null}
      {outcome.result.parts.map((part, index) => <Content key={index} part={part} file={files[index] ?? undefined} uri={uri} many={outcome.result.parts.length > 1} />)}
      {attaching.state.phase === 'failed' ? <FailureNote error={attaching.state.error} compact context={{ server: serverName }} onRetry={attach} /> : null}
      <div className="flex flex-wrap items-center gap-2">
        <Button size="s" icon={<Paperclip {...icon} />} busy={attaching.state.phase === 'sending'} onClick={attach}>Attach to a new chat</Button>
        <Button size="s" look="plain" icon={<RefreshCw {...icon} />} onClick={again}>Read again</Button>
        <span role="status" className="min-w-0 text-detail text-ink-3">
          {changes > seen ? <span className="text-ask">It changed on the server since it was read.</span> : watch.phase === 'ready' ? watchWords[watch.state.phase] : ''}
        </span>
      </div>
    </div>
  );
}

type ReadAnswer = Awaited<ReturnType<typeof api.resources.read>> & { readonly verified?: boolean };

/** Agreement, not trust: both sides of it come from the server. */
const Verified = ({ verified }: { readonly verified: boolean }) => (
  <p className="flex flex-wrap items-center gap-2 text-detail text-ink-3">
    {verified ? <Badge tone="ok"><Check size={12} strokeWidth={2} aria-hidden /> As listed</Badge> : <Badge tone="ask">Not checked</Badge>}
    {verified ? 'It has the size and digest that the server listed.' : 'The server makes this up as it is read, so there is nothing to hold it against.'}
  </p>
);

function Content({ part, file, uri, many }: { readonly part: ResultPart; readonly file: ContentRef | undefined; readonly uri: string; readonly many: boolean }) {
  const saving = useRequest();
  const source = 'uri' in part && part.uri !== undefined && part.uri !== '' ? part.uri : uri;
  const save = (ref: ContentRef) => saving.run(() => api.shell.saveContent({ id: ref.id, name: fileNameOf(source, ref.mimeType) }));
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      {many ? <p className="font-code text-detail break-all text-ink-3">{source}</p> : null}
      <ContentPart part={part} />
      {file ? (
        <p className="flex flex-wrap items-center gap-2 text-detail text-ink-3">
          <Button size="s" look="plain" icon={<Download {...icon} />} busy={saving.state.phase === 'sending'} onClick={() => save(file)}>Save…</Button>
          {file.mimeType} · {bytesText(file.bytes)}
          {saving.state.phase === 'failed' ? <span role="alert" className="text-bad">It could not be saved there.</span> : null}
        </p>
      ) : null}
    </div>
  );
}

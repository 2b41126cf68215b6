import { useState, type ReactNode } from 'react';
import type { ChatId } from '../../../shared/ids.ts';
import type { ResultPart } from '../../../shared/model/content.ts';
import type { ToolCall } from '../../../shared/model/tool-call.ts';
import { api } from '../../bridge/api.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { OutcomeNote } from '../../bridge/outcome-note.tsx';
import { useAsked } from '../../bridge/request-state.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { VisibleText } from '../../ui/visible-text.tsx';
import { LinkReading } from './link-reading.ts';
import { ToolResultView } from './tool-result-view.tsx';

type Link = Extract<ResultPart, { readonly type: 'resource-link' }>;

/** Lets links in the result of a call be read through the server of that call, in a dialog. Nothing is fetched from the web (O23). */
export function LinkReader({ call, children }: { readonly call: ToolCall; readonly children: ReactNode }) {
  const [open, setOpen] = useState<Link>();
  const { caller } = call;
  if (!('chatId' in caller)) return children;
  return (
    <LinkReading value={setOpen}>
      {children}
      <Dialog open={open !== undefined} onClose={() => setOpen(undefined)} wide title={<VisibleText text={open ? (open.title ?? (open.name || open.uri)) : ''} />} description={open ? <><VisibleText text={call.serverName} /> · <span className="font-code break-all"><VisibleText text={open.uri} /></span></> : undefined}>
        {open ? <Linked call={call} chatId={caller.chatId} uri={open.uri} /> : null}
      </Dialog>
    </LinkReading>
  );
}

function Linked({ call, chatId, uri }: { readonly call: ToolCall; readonly chatId: ChatId; readonly uri: string }) {
  const asked = useAsked(`${call.id} ${uri}`, (signal) => api.resources.read({ serverId: call.ref.serverId, uri, chatId }, signal));
  if (asked.phase === 'loading') return <Skeleton rows={3} />;
  if (asked.phase === 'failed') return <FailureNote error={asked.error} compact context={{ server: call.serverName }} onRetry={asked.again} />;
  const { outcome } = asked.value;
  return outcome.kind === 'succeeded' ? <ToolResultView result={outcome.result} /> : <OutcomeNote outcome={outcome} server={call.serverName} onRetry={asked.again} />;
}

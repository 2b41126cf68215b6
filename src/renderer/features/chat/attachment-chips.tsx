import { FileText, Image, MessageSquareText, X } from 'lucide-react';
import { useState } from 'react';
import type { Attachment } from '../../../shared/model/attachment.ts';
import { attachmentBytes } from '../../../shared/model/attachment-size.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { bytesText } from '../../ui/time.ts';
import { VisibleText } from '../../ui/visible-text.tsx';
import { AttachmentChange } from './attachment-change.tsx';
import { ToolResultView } from './tool-result-view.tsx';

const icon = { size: 14, strokeWidth: 1.75, 'aria-hidden': true } as const;
const iconOf = ({ kind, result }: Attachment) =>
  result.parts.some(({ type }) => type === 'image') ? <Image {...icon} /> : kind === 'prompt' ? <MessageSquareText {...icon} /> : <FileText {...icon} />;
const keyOf = (attachment: Attachment, index: number): string => (attachment.kind === 'resource' ? `${attachment.serverId} ${attachment.uri}` : `${attachment.prompt} ${index}`);
const addressOf = (attachment: Attachment): string => (attachment.kind === 'resource' ? attachment.uri : `from the prompt “${attachment.prompt}”`);

/** What stands beside a message: each opens to what a model is given of it. */
export function AttachmentChips({ attachments, reading = [], onRemove, onRefresh }: {
  readonly attachments: readonly Attachment[];
  /** Names of those that are being read. */
  readonly reading?: readonly string[];
  /** Absent once they are sent. */
  readonly onRemove?: (index: number) => void;
  readonly onRefresh?: (attachment: Attachment & { readonly kind: 'resource' }) => void;
}) {
  const [open, setOpen] = useState<Attachment>();
  if (attachments.length === 0 && reading.length === 0) return null;
  return (
    <>
      <ul aria-label="Attachments" className="flex min-w-0 flex-wrap gap-1.5">
        {attachments.map((attachment, index) => (
          <li key={keyOf(attachment, index)} className="flex h-7 max-w-full min-w-0 items-center gap-1.5 rounded-control border border-line bg-card pl-2 text-detail text-ink-2">
            <span className="shrink-0 text-ink-3">{iconOf(attachment)}</span>
            <button type="button" onClick={() => setOpen(attachment)} title={`${attachment.serverName} · ${addressOf(attachment)}`} className="flex min-w-0 items-baseline gap-1.5 rounded-[4px] pr-1 hover:text-ink">
              <span className="max-w-64 min-w-0 truncate font-[550] text-ink"><VisibleText text={attachment.name} /></span>
              <span className="shrink-0 text-ink-3">{[attachment.mimeType, bytesText(attachmentBytes(attachment))].filter(Boolean).join(' · ')}</span>
            </button>
            {attachment.kind === 'resource' && onRefresh ? <AttachmentChange attachment={attachment} onRefresh={() => onRefresh(attachment)} /> : null}
            {onRemove ? <IconButton name={`Remove ${attachment.name}`} size="s" icon={<X size={14} aria-hidden />} onClick={() => onRemove(index)} /> : <span className="pr-1" />}
          </li>
        ))}
        {reading.map((name) => (
          <li key={`reading ${name}`} className="flex h-7 max-w-64 min-w-0 items-center gap-1.5 rounded-control border border-line bg-card px-2 text-detail text-ink-2"><Spinner /><span className="truncate">Reading <VisibleText text={name} /></span></li>
        ))}
      </ul>
      <Dialog
        open={open !== undefined} onClose={() => setOpen(undefined)} wide title={<VisibleText text={open?.name ?? ''} />}
        description={open ? <><VisibleText text={open.serverName} /> · <span className="font-code break-all"><VisibleText text={addressOf(open)} /></span></> : undefined}
      >
        {open ? <ToolResultView result={open.result} /> : null}
      </Dialog>
    </>
  );
}

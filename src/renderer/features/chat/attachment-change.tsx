import { RefreshCw } from 'lucide-react';
import { useState } from 'react';
import type { Attachment } from '../../../shared/model/attachment.ts';
import { useResourceWatch } from '../../bridge/live.ts';
import { IconButton } from '../../ui/icon-button.tsx';

/** Says that what is attached changed on its server since it was read, and reads it again. Nothing for a server that does not tell. */
export function AttachmentChange({ attachment, onRefresh }: { readonly attachment: Attachment & { readonly kind: 'resource' }; readonly onRefresh: () => void }) {
  const mirror = useResourceWatch(attachment.serverId, attachment.uri);
  const changes = mirror.phase === 'ready' ? mirror.state.changes : 0;
  const [read, setRead] = useState({ attachment, changes });
  if (read.attachment !== attachment) setRead({ attachment, changes });
  if (changes === read.changes) return null;
  return (
    <span role="status" className="flex items-center gap-1 text-ask">
      changed on the server
      <IconButton name={`Read ${attachment.name} again`} size="s" icon={<RefreshCw size={13} aria-hidden />} onClick={onRefresh} className="text-ask" />
    </span>
  );
}

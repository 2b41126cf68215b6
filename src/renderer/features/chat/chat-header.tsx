import { MoreHorizontal } from 'lucide-react';
import { useState } from 'react';
import type { ChatId } from '../../../shared/ids.ts';
import type { Usage } from '../../../shared/model/transcript-entry.ts';
import { DeleteChatDialog, RenameChatDialog } from '../../bridge/chat-dialogs.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';

const count = (value: number): string => value.toLocaleString('en-US');

/** The chat's title, what it has used so far, and what can be done with it. */
export function ChatHeader({ chatId, title, usage }: { readonly chatId: ChatId | undefined; readonly title: string; readonly usage: Usage | undefined }) {
  const [asking, setAsking] = useState<'rename' | 'delete'>();
  const close = () => setAsking(undefined);
  const used = usage && usage.inputTokens + usage.outputTokens > 0 ? usage : undefined;
  return (
    <>
      <PageHeader
        title={title || 'New chat'}
        actions={
          <>
            {used ? (
              <Tooltip text={`${count(used.inputTokens)} read, ${count(used.outputTokens)} written${used.cachedInputTokens ? `, ${count(used.cachedInputTokens)} of them from the cache` : ''}`}>
                <span tabIndex={0} className="rounded-control px-1 text-detail text-ink-3">{count(used.inputTokens + used.outputTokens)} tokens</span>
              </Tooltip>
            ) : null}
            {chatId === undefined ? null : (
              <Menu
                trigger={<IconButton size="s" name="More for this chat" icon={<MoreHorizontal size={16} />} />}
                entries={[{ label: 'Rename…', onSelect: () => setAsking('rename') }, { label: 'Delete…', danger: true, onSelect: () => setAsking('delete') }]}
              />
            )}
          </>
        }
      />
      {asking === 'rename' && chatId ? <RenameChatDialog chatId={chatId} title={title} onClose={close} /> : null}
      {asking === 'delete' && chatId ? <DeleteChatDialog chatId={chatId} title={title} onClose={close} /> : null}
    </>
  );
}

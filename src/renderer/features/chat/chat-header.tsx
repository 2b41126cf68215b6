import { MoreHorizontal } from 'lucide-react';
import { useState } from 'react';
import type { ChatId } from '../../../shared/ids.ts';
import type { ToolName } from '../../../shared/model/chat-tools.ts';
import type { ChatState } from '../../../shared/state/chat-state.ts';
import { DeleteChatDialog, RenameChatDialog } from '../../bridge/chat-dialogs.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { ChatToolsButton } from './chat-tools-button.tsx';
import { CostMeter } from './cost-meter.tsx';
import { useNewChatTools } from './new-chat.ts';

const nothingLoaded: readonly ToolName[] = [];

/** The chat's title, what tools cost in it so far, which of them it may use, and what can be done with it. */
export function ChatHeader({ chatId, chat, direct }: {
  readonly chatId: ChatId | undefined;
  /** `undefined` until it is there. */
  readonly chat: ChatState | undefined;
  /** No model answers. */
  readonly direct: boolean;
}) {
  const title = chat?.title ?? '';
  const newTools = useNewChatTools();
  const tools = chatId === undefined ? newTools : chat?.tools;
  const [asking, setAsking] = useState<'rename' | 'delete'>();
  const close = () => setAsking(undefined);
  return (
    <>
      <PageHeader
        title={title || 'New chat'}
        actions={
          <>
            {chat ? <CostMeter cost={chat.cost} runCost={chat.runCost} usage={chat.usage} /> : null}
            {tools ? <ChatToolsButton chatId={chatId} saved={tools} loaded={chat?.loaded ?? nothingLoaded} direct={direct} /> : null}
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

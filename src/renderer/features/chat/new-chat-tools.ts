import { create } from 'zustand';
import type { ChatId } from '../../../shared/ids.ts';
import type { ChatTools } from '../../../shared/model/chat-tools.ts';
import { everyTool } from '../../../shared/model/every-tool.ts';
import type { ModelChoice } from '../../../shared/model/settings.ts';
import { api } from '../../bridge/api.ts';

/** What the chat that does not exist yet may use; chosen before its first word. */
const useChosen = create<{ readonly tools: ChatTools }>(() => ({ tools: everyTool }));

export const useNewChatTools = (): ChatTools => useChosen((chosen) => chosen.tools);
export const setNewChatTools = (tools: ChatTools): void => useChosen.setState({ tools });

/** The chat of the first word, with what was chosen for it: before anything is sent. */
export async function createChat(model: ModelChoice | null): Promise<ChatId> {
  const { chatId } = await api.chats.create({ model });
  const { tools } = useChosen.getState();
  if (tools !== everyTool) await api.chats.setTools({ chatId, tools });
  setNewChatTools(everyTool);
  return chatId;
}

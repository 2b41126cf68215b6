import { create } from 'zustand';
import type { ChatId } from '../../../shared/ids.ts';
import type { ChatTools } from '../../../shared/model/chat-tools.ts';
import { everyTool } from '../../../shared/model/every-tool.ts';
import type { ModelChoice } from '../../../shared/model/settings.ts';
import { api } from '../../bridge/api.ts';

/** What was chosen for the chat that does not exist yet, before its first word. */
interface Chosen {
  readonly tools: ChatTools;
  readonly profile: string | undefined;
}
const nothing: Chosen = { tools: everyTool, profile: undefined };
const useChosen = create<Chosen>(() => nothing);

export const useNewChatTools = (): ChatTools => useChosen((chosen) => chosen.tools);
export const setNewChatTools = (tools: ChatTools): void => useChosen.setState({ tools });
export const useNewChatProfile = (): string | undefined => useChosen((chosen) => chosen.profile);
export const setNewChatProfile = (profile: string | undefined): void => useChosen.setState({ profile });

/** The chat of the first word, with what was chosen for it: before anything is sent. Without a `model` of its own it has that of its profile or of the settings. */
export async function createChat(model: ModelChoice | null | undefined): Promise<ChatId> {
  const { tools, profile } = useChosen.getState();
  const { chatId } = await api.chats.create({ ...(model === undefined ? {} : { model }), ...(profile === undefined ? {} : { profile }) });
  if (tools !== everyTool) await api.chats.setTools({ chatId, tools });
  useChosen.setState(nothing);
  return chatId;
}

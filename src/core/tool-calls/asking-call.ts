import type { AskingCall } from '../../shared/model/elicitation.ts';
import type { ToolCall } from '../../shared/model/tool-call.ts';

/** The call as a server's question names it. */
export const askingCall = ({ id, ref, caller }: ToolCall): AskingCall => ({ id, tool: ref.tool, ...('chatId' in caller ? { chatId: caller.chatId } : {}) });

import { ProtocolError, ProtocolErrorCode, type Client, type ClientCapabilities } from '@modelcontextprotocol/client';
import { AppError } from '../../shared/errors.ts';
import type { ServerId } from '../../shared/ids.ts';
import type { Link } from './link.ts';
import type { ServerRequests } from './session.ts';

/** Said to a server only where somebody answers (F-150). */
export const elicitationCapability: NonNullable<ClientCapabilities['elicitation']> = { form: { applyDefaults: true }, url: {} };

/**
 * Answers `elicitation/create` of the old era, and the entries of an `input_required` answer of the new one. What cannot be asked is an error of JSON-RPC. A question that
 * ends with its call is cancelled; one that the server took back, or whose connection is gone, has no answer.
 */
export function answerElicitation(client: Client, link: Link, serverId: ServerId, elicitation: NonNullable<ServerRequests['elicitation']>): void {
  client.setRequestHandler('elicitation/create', async ({ params }, { mcpReq: { signal } }) => {
    if (!elicitation.isOn()) throw new ProtocolError(ProtocolErrorCode.MethodNotFound, 'The person wants no questions of servers');
    try {
      const { action, content } = await link.calls.asking((calls, asking) => elicitation.ask(params, { serverId, calls }, asking), signal);
      return { action, ...(content ? { content: { ...content } } : {}) };
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof AppError && error.kind === 'cancelled') return { action: 'cancel' };
      if (error instanceof AppError && error.code === 'request/invalid') throw new ProtocolError(ProtocolErrorCode.InvalidParams, error.message);
      throw new ProtocolError(ProtocolErrorCode.InternalError, AppError.from(error).message);
    }
  });
}

import type { ProtocolMessage } from '../../../shared/model/protocol-message.ts';
import { bytesText, durationText } from '../../ui/time.ts';

export type MessageKind = 'all' | 'request' | 'response' | 'error' | 'notification';

/** What went wrong is an error whether the protocol, the tool or HTTP says so. */
export const isTrouble = ({ kind, error, http }: ProtocolMessage): boolean => kind === 'error' || error !== undefined || (http !== undefined && http.status >= 400);

/** The messages of a kind in which every word occurs: in the method, in what it is about, its id, its error. */
export function withWords(messages: readonly ProtocolMessage[], text: string, kind: MessageKind): readonly ProtocolMessage[] {
  const words = text.toLowerCase().split(/\s+/).filter((word) => word !== '');
  if (words.length === 0 && kind === 'all') return messages;
  return messages.filter((message) => {
    if (kind === 'error' ? !isTrouble(message) : kind !== 'all' && message.kind !== kind) return false;
    const { method, about = '', id = '', error, http } = message;
    const all = `${method} ${about} #${id} ${error?.message ?? ''} ${error?.code ?? ''} ${http?.status ?? ''}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
}

export const tookText = (ms: number): string => (ms < 1 ? '< 1 ms' : durationText(ms));
export const sizeText = ({ size, larger }: ProtocolMessage): string => `${larger ? '> ' : ''}${bytesText(size)}`;

const words: Readonly<Record<ProtocolMessage['kind'], string>> = { request: 'Request', response: 'Answer', error: 'Error', notification: 'Notification' };
export const kindWord = ({ kind }: ProtocolMessage): string => words[kind];
/** An answer that nothing asked for has no method. */
export const methodText = ({ method, kind }: ProtocolMessage): string => method || (kind === 'notification' ? 'no method' : 'answer to nothing');

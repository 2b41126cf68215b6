import type { SignInExchange } from '../../../shared/model/sign-in.ts';
import { durationText } from '../../ui/time.ts';

/** What came back, in a few words. */
export const answerText = ({ status, answer, failure }: SignInExchange): string =>
  [status === undefined ? 'no answer' : `${status}`, failure ?? answer ?? ''].filter((part) => part !== '').join(' ');

/** All of it as text, one request to a line, for a report to whoever runs the provider. No value of a secret is in it. */
export const historyText = (exchanges: readonly SignInExchange[]): string =>
  exchanges
    .map((one) => [new Date(one.at).toISOString(), one.step, one.method, one.url, one.sent.length > 0 ? `sent: ${one.sent.join(', ')}` : 'sent: nothing', answerText(one), durationText(one.ms)].join('\t'))
    .join('\n');

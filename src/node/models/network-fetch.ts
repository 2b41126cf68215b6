import { AppError } from '../../shared/errors.ts';
import type { Network } from '../network/network.ts';

/**
 * The way to a provider with the system's certificates and the person's proxies (S4). What is not reached fails as `fetch` does, the system's name for it and the
 * network's words beneath: who tells failures of providers apart looks for those.
 */
export function networkFetch(network: Pick<Network, 'send'>): typeof fetch {
  return async (input, init) => {
    try {
      const { response } = await network.send(new URL(input instanceof Request ? input.url : input), init ?? {}, 'anywhere');
      return response;
    } catch (error) {
      throw error instanceof AppError && error.code === 'connection/unreachable' ? asFetchFails(error) : error;
    }
  };
}

function asFetchFails(error: AppError): Error {
  const { data } = error;
  const code = typeof data === 'object' && data !== null && 'systemCode' in data ? data.systemCode : 'EUNREACHABLE';
  return new TypeError('fetch failed', { cause: Object.assign(new Error(error.message), { code }) });
}

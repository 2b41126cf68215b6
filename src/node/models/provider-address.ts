import { AppError } from '../../shared/errors.ts';
import type { ModelProvider, ProviderKind } from '../../shared/model/settings.ts';

const ownAddress: Readonly<Record<Exclude<ProviderKind, 'openai-compatible'>, string>> = {
  anthropic: 'https://api.anthropic.com/v1',
  openai: 'https://api.openai.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
};

/**
 * Where a provider's requests go, without a slash at the end. Always given to the SDK, which would otherwise take an address from the
 * environment. An address that names only a host gets the path that the protocol has by custom, so that `http://localhost:11434` works as
 * it is.
 */
export function providerAddress(provider: Pick<ModelProvider, 'kind' | 'baseUrl'>): string {
  if (provider.baseUrl === undefined) {
    if (provider.kind === 'openai-compatible') throw new AppError('request/invalid', 'An OpenAI-compatible provider needs an address');
    return ownAddress[provider.kind];
  }
  const url = new URL(provider.baseUrl);
  url.hash = '';
  url.search = '';
  if (url.pathname === '/') url.pathname = provider.kind === 'google' ? '/v1beta' : '/v1';
  return url.href.replace(/\/+$/, '');
}

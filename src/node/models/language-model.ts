import type { LanguageModel } from 'ai';
import type { ModelProvider } from '../../shared/model/settings.ts';

/** Each provider's package is loaded when first used, because together they cost start-up time. */
const packages = {
  anthropic: () => import('@ai-sdk/anthropic'),
  openai: () => import('@ai-sdk/openai'),
  google: () => import('@ai-sdk/google'),
  'openai-compatible': () => import('@ai-sdk/openai-compatible'),
} as const satisfies Readonly<Record<ModelProvider['kind'], () => Promise<unknown>>>;

/** Loads a provider's package and the SDK, so that its first answer does not wait for them. */
export async function loadProvider(kind: ModelProvider['kind']): Promise<void> {
  await Promise.all([packages[kind](), import('ai')]);
}

/** The SDK's model behind a provider. */
export async function languageModel(options: {
  readonly provider: ModelProvider;
  readonly address: string;
  /** Empty for servers that want none: `undefined` would make the SDK look into the environment. */
  readonly key: string;
  readonly model: string;
  readonly fetch: typeof fetch;
}): Promise<LanguageModel> {
  const settings = { baseURL: options.address, apiKey: options.key, fetch: options.fetch };
  switch (options.provider.kind) {
    case 'anthropic':
      return (await packages.anthropic()).createAnthropic(settings)(options.model);
    case 'openai':
      return (await packages.openai()).createOpenAI(settings).responses(options.model);
    case 'google':
      return (await packages.google()).createGoogle(settings)(options.model);
    case 'openai-compatible':
      return (await packages['openai-compatible']()).createOpenAICompatible({
        ...settings,
        name: 'openai-compatible',
        includeUsage: true,
        supportsMultiPartToolContent: true,
      })(options.model);
  }
}

import type { LanguageModel } from 'ai';
import type { ModelProvider } from '../../shared/model/settings.ts';

/** The SDK's model behind a provider; each provider's package is loaded when first used, because together they cost start-up time. */
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
      return (await import('@ai-sdk/anthropic')).createAnthropic(settings)(options.model);
    case 'openai':
      return (await import('@ai-sdk/openai')).createOpenAI(settings).responses(options.model);
    case 'google':
      return (await import('@ai-sdk/google')).createGoogle(settings)(options.model);
    case 'openai-compatible':
      return (await import('@ai-sdk/openai-compatible')).createOpenAICompatible({
        ...settings,
        name: 'openai-compatible',
        includeUsage: true,
        supportsMultiPartToolContent: true,
      })(options.model);
  }
}

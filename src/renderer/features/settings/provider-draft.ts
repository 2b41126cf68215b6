import type { ProviderDraft } from '../../../shared/ipc/contract/models.ts';
import type { ModelProvider, ProviderKind } from '../../../shared/model/settings.ts';

export const kinds: readonly ProviderKind[] = ['anthropic', 'openai', 'google', 'openai-compatible'];
export const kindNames: Readonly<Record<ProviderKind, string>> = {
  anthropic: 'Anthropic',
  openai: 'OpenAI',
  google: 'Google',
  'openai-compatible': 'OpenAI-compatible',
};
export const keyExamples: Readonly<Record<ProviderKind, string>> = {
  anthropic: 'sk-ant-…',
  openai: 'sk-…',
  google: 'AIza…',
  'openai-compatible': 'if it wants one',
};

export interface ProviderForm {
  readonly name: string;
  readonly baseUrl: string;
  readonly key: string;
  /** Names of models, one to a line. */
  readonly models: string;
}
export const formFor = (kind: ProviderKind, provider: ModelProvider | undefined): ProviderForm => ({
  name: provider?.name ?? (kind === 'openai-compatible' ? '' : kindNames[kind]),
  baseUrl: provider?.baseUrl ?? '',
  key: '',
  models: (provider?.models ?? []).join('\n'),
});

export type ProviderProblems = { readonly [F in keyof ProviderForm]?: string };
export type CheckedProvider =
  { readonly ok: true; readonly draft: ProviderDraft } | { readonly ok: false; readonly problems: ProviderProblems };

/** What the form sends, or what is wrong with it. A saved key goes only where it was entered for: another address asks for it again. */
export function checkProvider(form: ProviderForm, kind: ProviderKind, old: ModelProvider | undefined): CheckedProvider {
  const name = form.name.trim();
  const baseUrl = form.baseUrl.trim();
  const key = form.key.trim();
  const models = [
    ...new Set(
      form.models
        .split('\n')
        .map((model) => model.trim())
        .filter((model) => model !== ''),
    ),
  ];
  const needsKey = kind !== 'openai-compatible' && old?.keyRef === undefined;
  const moved = old?.keyRef !== undefined && (old.baseUrl ?? '') !== baseUrl;
  const url = urlProblem(baseUrl, kind);
  const problems: ProviderProblems = {
    ...(name === '' ? { name: 'Give it a name.' } : name.length > 100 ? { name: 'At most 100 characters.' } : {}),
    ...(url === undefined ? {} : { baseUrl: url }),
    ...(key === '' && needsKey
      ? { key: 'Enter its key.' }
      : key === '' && moved
        ? { key: 'The address changed: enter the key again.' }
        : /[\r\n]/.test(key)
          ? { key: 'A key is one line.' }
          : {}),
    ...(models.some((model) => model.length > 200) ? { models: 'A model’s name has at most 200 characters.' } : {}),
  };
  if (Object.keys(problems).length > 0) return { ok: false, problems };
  return {
    ok: true,
    draft: { ...(old ? { id: old.id } : {}), kind, name, models, ...(baseUrl === '' ? {} : { baseUrl }), ...(key === '' ? {} : { key }) },
  };
}

function urlProblem(url: string, kind: ProviderKind): string | undefined {
  if (url === '') return kind === 'openai-compatible' ? 'What is its address?' : undefined;
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) return 'Begin it with https:// or http://.';
  const { username, password } = new URL(url);
  return username !== '' || password !== '' ? 'A user name or password cannot be in the address.' : undefined;
}

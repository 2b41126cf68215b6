import type { FoundLiteral, SecretEntry, SecretPolicy, SecretUse } from '../../../shared/model/secret-entry.ts';
import { agoText, countText } from '../../ui/time.ts';

export const policyWords: { readonly [P in SecretPolicy]: string } = {
  prompt: 'Ask once per server',
  auto: 'Give without asking',
  deny: 'Give to nobody',
};

const shortly: { readonly [P in SecretPolicy]: string } = { prompt: 'ask', auto: 'give', deny: 'refuse' };
/** Of a secret that says nothing of its own. */
export const asUsual = (fallback: SecretPolicy): string => `As usual: ${shortly[fallback]}`;

/** What is wrong with a name that was typed; `undefined` when nothing is. */
export function keyProblem(text: string, taken: readonly string[]): string | undefined {
  const key = text.trim();
  if (key === '') return 'It needs a name.';
  if (!/^[A-Za-z0-9._-]{1,200}$/.test(key)) return 'Letters, digits, dots, dashes and underscores, at most 200.';
  if (key.startsWith('model.')) return 'Names that begin with “model.” belong to the keys of models.';
  if (/^project\.[0-9a-f]{12}\./.test(key)) return 'This form of name is kept for secrets of projects.';
  return taken.includes(key) ? 'There is one of this name. Give that one a new value instead.' : undefined;
}

const names = (uses: readonly SecretUse[]): readonly string[] => [...new Set(uses.map(({ server }) => server))];

/** `Used by GitHub and 2 more`. */
export function usedByText(uses: readonly SecretUse[]): string {
  const [first, second, ...rest] = names(uses);
  if (first === undefined) return 'Used by no server';
  if (second === undefined) return `Used by ${first}`;
  return rest.length === 0 ? `Used by ${first} and ${second}` : `Used by ${first} and ${rest.length + 1} more`;
}

/** When it was given its value, and who read it last. */
export function historyText({ missing, updatedAt, lastReadAt, lastReadBy }: SecretEntry, now: number): string {
  if (missing) return updatedAt > 0 ? 'its value was lost' : 'named by a file, never entered';
  const read =
    lastReadAt === undefined
      ? 'never read'
      : `last read ${lastReadBy === undefined ? '' : `by ${lastReadBy} `}${agoText(lastReadAt, now)}`;
  return `changed ${agoText(updatedAt, now)}, ${read}`;
}

/** Why a text can only be moved by hand, and what to do. */
export function fixedWords({ fixed, scope, suggestedKey }: FoundLiteral): string | undefined {
  switch (fixed) {
    case undefined:
      return undefined;
    case 'foreign-file':
      return [
        `Gatehouse does not write this file. Add a secret ${suggestedKey} here, then put {"secretRef": "${suggestedKey}", "scope": "${scope}"}`,
        'or a variable like ${TOKEN} in place of the text; or copy the server into Gatehouse.',
      ].join(' ');
    case 'argument':
      return [
        'An argument is seen by every program on this computer, wherever its value is kept.',
        'If the server can read it from an environment variable or a header, set it there instead.',
      ].join(' ');
  }
}

export const movable = (found: readonly FoundLiteral[]): readonly FoundLiteral[] => found.filter(({ fixed }) => fixed === undefined);

/** `3 secrets, 1 without a value`. */
export function secretsSummary(entries: readonly SecretEntry[]): string {
  const missing = entries.filter((entry) => entry.missing).length;
  return `${countText(entries.length, 'secret')}${missing > 0 ? `, ${missing} without a value` : ''}`;
}

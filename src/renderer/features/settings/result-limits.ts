import type { OutputGuard } from '../../../shared/model/output-guard.ts';

export type LimitName = 'maxBytes' | 'maxLines' | 'detailsMaxBytes';
type Cutting = Exclude<OutputGuard, false>;

export const limitFields: readonly { readonly name: LimitName; readonly label: string; readonly means: string; readonly unit: string; readonly usual: number }[] = [
  { name: 'maxBytes', label: 'Text, at most', means: 'Of all of a result’s text together, with the line that says where the whole is.', unit: 'bytes', usual: 51_200 },
  { name: 'maxLines', label: 'Lines, at most', means: 'Whichever is reached first.', unit: 'lines', usual: 2_000 },
  { name: 'detailsMaxBytes', label: 'Raw record, at most', means: 'Larger raw results stand in the chat’s record as a summary only.', unit: 'bytes', usual: 16_384 },
];

/** What holds: the person's own where there are any. */
export const limitsOf = (guard: Cutting): Readonly<Record<LimitName, number>> => {
  const own = guard === true ? {} : guard;
  return { maxBytes: own.maxBytes ?? 51_200, maxLines: own.maxLines ?? 2_000, detailsMaxBytes: own.detailsMaxBytes ?? 16_384 };
};

/** With this limit, or the usual one again; without limits of one's own it is simply on. */
export function withLimit(guard: Cutting, name: LimitName, value: number | undefined): OutputGuard {
  const { [name]: _old, ...others } = guard === true ? {} : guard;
  const next = { ...others, ...(value === undefined ? {} : { [name]: value }) };
  return Object.keys(next).length === 0 ? true : next;
}

export function limitProblem(typed: string): string | undefined {
  const value = Number(typed.trim());
  if (!/^\d+$/.test(typed.trim()) || value < 1) return 'A whole number, 1 or more.';
  return value > 1_073_741_824 ? 'That is more than can be kept: at most 1,073,741,824.' : undefined;
}

const choices = ['chat', '1', '7', '30', '90', '365'] as const;
export const daysWords = (days: number | undefined): string => (days === undefined ? 'chat' : String(days));
const label = (choice: string): string => (choice === 'chat' ? 'As long as the chat' : choice === '1' ? 'For a day' : choice === '365' ? 'For a year' : `For ${choice} days`);

/** The usual choices, and the one that a settings file says beside them. */
export function daysOf(days: number | undefined): readonly { readonly value: string; readonly label: string }[] {
  const own = daysWords(days);
  const all: readonly string[] = choices.some((choice) => choice === own) ? choices : [...choices, own].toSorted((a, b) => Number(a === 'chat' ? 0 : a) - Number(b === 'chat' ? 0 : b));
  return all.map((value) => ({ value, label: label(value) }));
}

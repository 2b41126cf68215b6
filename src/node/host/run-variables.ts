import type { Log } from '../../core/ports.ts';
import { RunnerTable, type RunLayer } from '../../shared/model/run-layer.ts';

type Key = keyof RunnerTable;

/** Decimal, so that `0x10`, `1e3` and words are no numbers. */
const numberOf = (text: string): unknown => (/^\d+(\.\d+)?$/.test(text) ? Number(text) : text);
/** `GATEHOUSE_` or `HARNESS_` and the key in capitals, each with how its text is taken. */
const variables = {
  model: (text) => text.trim(),
  max_steps: (text) => numberOf(text.trim()),
  max_cost_usd: (text) => numberOf(text.trim()),
  system_prompt: (text) => text,
  reasoning_effort: (text) => text.trim().toLowerCase(),
} as const satisfies Readonly<Record<Key, (text: string) => unknown>>;

/** What the environment says of runs (H-13). Of a variable and its alias the first that is set counts, even to nothing. No value gets into the log. */
export function runLayerOf(variable: (name: string) => string | undefined, log: Pick<Log, 'warn'>): RunLayer {
  const said = RunnerTable.keyof().options.flatMap((key): readonly (readonly [Key, unknown])[] => {
    const name = ['GATEHOUSE', 'HARNESS'].map((prefix) => `${prefix}_${key.toUpperCase()}`).find((one) => variable(one) !== undefined);
    const text = name === undefined ? undefined : variable(name);
    if (name === undefined || text === undefined || text.trim() === '') return [];
    const read = RunnerTable.shape[key].safeParse(variables[key](text));
    if (read.success) return [[key, read.data]];
    log.warn('A variable of the environment says nothing that a run can be set to', { variable: name, problem: read.error.issues[0]?.message ?? '' });
    return [];
  });
  return said.length === 0 ? {} : { runner: RunnerTable.parse(Object.fromEntries(said)) };
}

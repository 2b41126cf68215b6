/** What one run measured. Several numbers may come from one run. */
export type Sample = Readonly<Record<string, number>>;

interface Medians {
  readonly subject: Sample;
  readonly baseline: Sample;
}

/** How often each side runs: nine times, or as `--runs=N` says for a quick look. */
export const runs = runsIn(process.argv);

/**
 * Subject, baseline, subject, baseline…, so that what else the machine does meets both sides alike; every other round begins with the
 * baseline. One round before that is not counted: it fills caches. Gives the medians.
 */
export async function interleave(subject: () => Promise<Sample>, baseline: () => Promise<Sample>): Promise<Medians> {
  const subjects: Sample[] = [];
  const baselines: Sample[] = [];
  const sides = [async () => void subjects.push(await subject()), async () => void baselines.push(await baseline())];
  for (let round = 0; round <= runs; round += 1) {
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) await side();
    process.stderr.write('.');
  }
  return { subject: mediansOf(subjects.slice(1)), baseline: mediansOf(baselines.slice(1)) };
}

function runsIn(args: readonly string[]): number {
  const given = args.find((arg) => arg.startsWith('--runs='));
  const asked = Number(given?.slice('--runs='.length) ?? 9);
  if (!Number.isInteger(asked) || asked < 1) throw new Error(`${given} is no number of runs`);
  return asked;
}

export function mediansOf(samples: readonly Sample[]): Sample {
  const names = Object.keys(samples[0] ?? {});
  return Object.fromEntries(names.map((name) => [name, median(samples.flatMap((sample) => sample[name] ?? []))]));
}

/** A number that the run was to give; it is a bug of the benchmark when it did not. */
export function numberOf(sample: Sample, name: string): number {
  const value = sample[name];
  if (value === undefined) throw new Error(`nothing was measured as ${name}`);
  return value;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low, high] = [sorted[sorted.length % 2 === 1 ? middle : middle - 1], sorted[middle]];
  return low === undefined || high === undefined ? Number.NaN : (low + high) / 2;
}

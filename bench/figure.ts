/** One line of the result. Goals are limits: a ratio at or below its goal is good. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly baseline: number;
  readonly unit: string;
  /** The most that `value / baseline` should be; `null` where a figure only stands beside another. */
  readonly goal: number | null;
}

const rounded = (value: number): number => Number(value.toPrecision(4));
const ratioOf = ({ value, baseline }: Figure): number => value / baseline;

export function figureJson(figure: Figure): string {
  const { name, value, baseline, goal, unit } = figure;
  return JSON.stringify({ name, value: rounded(value), baseline: rounded(baseline), ratio: rounded(ratioOf(figure)), goal, unit });
}

const wordOf = (figure: Figure): string => (figure.goal === null ? '' : ratioOf(figure) <= figure.goal ? 'met' : 'missed');

const columns: readonly { readonly head: string; readonly left?: true; readonly of: (figure: Figure) => string }[] = [
  { head: 'figure', left: true, of: ({ name }) => name },
  { head: 'value', of: ({ value }) => String(rounded(value)) },
  { head: 'baseline', of: ({ baseline }) => String(rounded(baseline)) },
  { head: 'unit', left: true, of: ({ unit }) => unit },
  { head: 'ratio', of: (figure) => ratioOf(figure).toFixed(2) },
  { head: 'goal', of: ({ goal }) => (goal === null ? '–' : `≤ ${goal.toFixed(1)}`) },
  { head: '', left: true, of: wordOf },
];

export function figureTable(figures: readonly Figure[]): string {
  const lines = [columns.map(({ head }) => head), ...figures.map((figure) => columns.map(({ of }) => of(figure)))];
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => line[index]?.length ?? 0)));
  const pad = (text: string, index: number) => (columns[index]?.left ? text.padEnd(widths[index] ?? 0) : text.padStart(widths[index] ?? 0));
  return lines.map((line) => line.map(pad).join('  ').trimEnd()).join('\n');
}

import type { ServerLogLine } from '../../../shared/model/connection-state.ts';

export type LogLevel = 'all' | 'info' | 'warning' | 'error';
const weight: Readonly<Record<ServerLogLine['level'], number>> = { debug: 0, info: 1, warning: 2, error: 3 };

/** The lines of a level and those that weigh more. */
export const withLevel = (lines: readonly ServerLogLine[], level: LogLevel): readonly ServerLogLine[] =>
  level === 'all' ? lines : lines.filter((line) => weight[line.level] >= weight[level]);

const terminalColours = new RegExp(String.raw`\u001B\[[\d;]*m`, 'g');
/** Without the colours of a terminal, which say nothing here; every other unseen character is left to be marked. */
export const plainLine = (text: string): string => text.replace(terminalColours, '');

const two = (value: number): string => String(value).padStart(2, '0');
export const lineTime = (at: number): string => {
  const time = new Date(at);
  return `${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}.${String(time.getMilliseconds()).padStart(3, '0')}`;
};

/** For the clipboard: the full time, so that lines of several days stay in order. */
export const logText = (lines: readonly ServerLogLine[]): string =>
  lines.map((line) => `${new Date(line.at).toISOString()} ${line.from} ${line.level} ${plainLine(line.text)}`).join('\n');

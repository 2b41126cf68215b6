import type { ServerLogLine } from '../../shared/model/connection-state.ts';
import type { Clock } from '../ports.ts';

type Line = Omit<ServerLogLine, 'at'>;
const lineLimit = 2_000;
const linesInWindow = 200;
const windowMs = 10_000;

/** What one server may put into its log by protocol: whoever floods is cut short, and the log says by how much. */
export function boundedLog(log: (line: Line) => void, clock: Clock): (line: Line) => void {
  let since = clock.now();
  let taken = 0;
  return (line) => {
    const now = clock.now();
    if (now - since >= windowMs) {
      if (taken > linesInWindow) log({ from: 'gatehouse', level: 'warning', text: `… ${taken - linesInWindow} more lines left out` });
      since = now;
      taken = 0;
    }
    taken += 1;
    if (taken <= linesInWindow) log(line.text.length > lineLimit ? { ...line, text: `${line.text.slice(0, lineLimit)}…` } : line);
    else if (taken === linesInWindow + 1)
      log({ from: 'gatehouse', level: 'warning', text: 'The server says too much; some lines are left out' });
  };
}

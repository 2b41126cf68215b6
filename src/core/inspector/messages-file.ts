import type { MessagesFile } from '../../shared/ipc/contract/inspector.ts';
import type { MessageLog } from './message-log.ts';

/** What the window may save at once, with room for the rest of the file. Characters. */
const textLimit = 4_000_000;

/** Messages as a file for a bug report: each with what it carried, in the order of their numbers. */
export function messagesFile(server: string, log: MessageLog, seqs: readonly number[], now: number): MessagesFile {
  const rows = new Map(log.state.messages.map((message) => [message.seq, message]));
  const parts: string[] = [];
  let length = 0;
  for (const seq of [...new Set(seqs)].sort((a, b) => a - b)) {
    const row = rows.get(seq);
    const payload = log.payload(seq);
    if (!row || !payload) continue;
    const part = JSON.stringify({ ...row, at: new Date(row.at).toISOString(), ...payload }, undefined, 2);
    if (length + part.length > textLimit) continue;
    length += part.length + 2;
    parts.push(part);
  }
  const at = new Date(now).toISOString();
  const leftOut = new Set(seqs).size - parts.length;
  const head = JSON.stringify({ server, exportedAt: at, leftOut }, undefined, 2).slice(0, -2);
  return { text: `${head},\n  "messages": [${parts.join(',\n')}]\n}\n`, leftOut };
}

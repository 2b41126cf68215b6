import { expect, it } from 'vitest';
import { LineReader, type LongLine } from './line-reader.ts';
import { idOfLongAnswer } from './long-answer.ts';

function reader(maxBytes: number): { readonly lines: string[]; readonly long: LongLine[]; readonly reader: LineReader } {
  const lines: string[] = [];
  const long: LongLine[] = [];
  return { lines, long, reader: new LineReader(maxBytes, { line: (line) => lines.push(line), longLine: (line) => long.push(line) }) };
}

it('finds the same lines wherever the stream is cut', () => {
  const bytes = Buffer.from('eins\n\nzwölf 👩‍🚀\ndrei');
  for (let size = 1; size <= bytes.length; size += 1) {
    const { lines, reader: lineReader } = reader(1_000);
    for (let at = 0; at < bytes.length; at += size) lineReader.push(bytes.subarray(at, at + size));
    lineReader.end();
    expect(lines).toEqual(['eins', '', 'zwölf 👩‍🚀', 'drei']);
  }
});

it('reads a line of exactly the limit, and reports one a byte longer by its ends and its size', () => {
  const { lines, long, reader: lineReader } = reader(10);
  lineReader.push(Buffer.from('0123456789\n0123456789a\nnext\n'));
  expect(lines).toEqual(['0123456789', 'next']);
  expect(long.map(({ head, tail, bytes }) => [head.toString(), tail.toString(), bytes])).toEqual([['0123456789a', '0123456789a', 11]]);
});

it('holds no more than the limit and the ends of a line that goes on and on', () => {
  const { long, reader: lineReader } = reader(1024 * 1024);
  const before = process.memoryUsage().arrayBuffers;
  let most = 0;
  for (let count = 0; count < 600; count += 1) {
    lineReader.push(Buffer.alloc(1024 * 1024, 'x'));
    most = Math.max(most, process.memoryUsage().arrayBuffers - before);
  }
  lineReader.push(Buffer.from('the end\n'));
  expect(long).toMatchObject([{ bytes: 600 * 1024 * 1024 + 7 }]);
  expect(long[0]?.head).toHaveLength(64 * 1024);
  expect(long[0]?.tail.toString()).toMatch(/^x{1017}the end$/);
  // Some of what went by may not have been collected yet.
  expect(most).toBeLessThan(300 * 1024 * 1024);
});

it.each([
  ['the id first', '{"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"xxx', 'xxx"}]}}', 7],
  ['the id last', '{"result":{"content":[{"type":"text","text":"xxx', 'xxx"}]},"jsonrpc":"2.0","id":7}', 7],
  ['the id before the version', '{"result":{"a":"xxx', 'xxx"}, "id" : "a-1" , "jsonrpc":"2.0" }\r', 'a-1'],
  ['a byte order mark before it', '\ufeff{ "id": -3, "error": {"message":"xxx', 'xxx"}}', -3],
  ['another id inside the result', '{"jsonrpc":"2.0","result":{"id":3,"text":"xxx', 'xxx"},"id":9}', 9],
  ['what looks like an id in a text', '{"jsonrpc":"2.0","result":{"text":"\\"id\\":3, {\\"id\\":4', 'xxx\\"id\\":5}"}}', undefined],
  ["a server's own request", '{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{"text":"xxx', 'xxx"}}', undefined],
  ["a server's own request, parameters first", '{"jsonrpc":"2.0","id":1,"params":{"text":"xxx', 'xxx"},"method":"sampling/createMessage"}', undefined],
  ['a notification', '{"jsonrpc":"2.0","method":"notifications/message","params":{"id":4,"x":"xxx', 'xxx"}}', undefined],
  ['an id that is no id', '{"jsonrpc":"2.0","id":1.5,"result":{"x":"xxx', 'xxx"}}', undefined],
  ['no JSON at all', 'id: "id":7 xxx', 'xxx "id":7}', undefined],
])('tells which request a too long answer belongs to: %s', (_, head, tail, id) => {
  expect(idOfLongAnswer({ head: Buffer.from(head), tail: Buffer.from(tail) })).toBe(id);
});

import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildServer, type BuiltServer } from '../../../test/servers/build-server.ts';

let built: BuiltServer;
beforeAll(async () => {
  built = await buildServer('files');
}, 60_000);
afterAll(() => built[Symbol.asyncDispose]());

it('reads files of the folder it was given, as one bundle under plain Node, and none outside', async () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'gatehouse-files-')));
  const client = new Client({ name: 'test', version: '1' });
  try {
    writeFileSync(join(root, 'hello.txt'), 'Hello');
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [built.file, root], cwd: root, stderr: 'ignore' }));
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['read_text_file', 'write_file', 'edit_file', 'search_files']));
    const read = (path: string): ReturnType<Client['callTool']> => client.callTool({ name: 'read_text_file', arguments: { path } });
    expect((await read(join(root, 'hello.txt'))).content).toEqual([{ type: 'text', text: 'Hello' }]);
    expect((await read('/etc/passwd')).isError).toBe(true);
    const found = await client.callTool({ name: 'search_files', arguments: { path: root, pattern: '*.txt' } });
    expect(JSON.stringify(found.content)).toContain('hello.txt');
    const edited = await client.callTool({
      name: 'edit_file', arguments: { path: join(root, 'hello.txt'), edits: [{ oldText: 'Hello', newText: 'Goodbye' }] },
    });
    expect(JSON.stringify(edited.content)).toContain('+Goodbye');
  } finally {
    await client.close();
    rmSync(root, { recursive: true, force: true });
  }
});

import { writeFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client, type Transport } from '@modelcontextprotocol/client';
import { expect, it, onTestFinished } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { createTransports } from './create-transports.ts';

interface Mux {
  readonly path: string;
  readonly server: Server;
  readonly sockets: Socket[];
}

/** A server behind a socket: answers `echo`, dies on `hang-up`, keeps silent on `silent`. */
async function mux(greeting = ''): Promise<Mux> {
  const path = join(tempFolder(), 's.sock');
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => {});
    const send = (message: object): void => void socket.write(`${JSON.stringify(message)}\n`);
    socket.write(greeting);
    createInterface({ input: socket }).on('line', (line) => {
      const { id, method, params } = JSON.parse(line) as { id?: number; method: string; params: Record<string, never> }; // the client in this test writes it
      if (id === undefined) return;
      if (method === 'initialize') {
        send({ jsonrpc: '2.0', id, result: { protocolVersion: params['protocolVersion'], capabilities: { tools: {} }, serverInfo: { name: 'mux', version: '1' } } });
      } else if (params['name'] === 'hang-up') socket.destroy();
      else if (params['name'] === 'big') send({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'x'.repeat(params['arguments']?.['bytes'] ?? 0) }] } });
      else if (params['name'] !== 'silent') send({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'echo' }] } });
    });
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { path, server, sockets };
}
function socketTransport(path: string, log: string[] = [], maxMessageBytes?: number): Transport & { closes: number } {
  const transports = createTransports({ home: tempFolder(), ...(maxMessageBytes === undefined ? {} : { maxMessageBytes }) });
  const transport = Object.assign(transports.socket(path, { log: (line) => log.push(`${line.from}: ${line.text}`) }), { closes: 0 });
  transport.onclose = () => (transport.closes += 1);
  onTestFinished(() => transport.close());
  return transport;
}
async function connected(transport: Transport): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(transport);
  return client;
}

it('[F-48] speaks newline JSON over a Unix socket, and closes only its own connection', async () => {
  const { path, server, sockets } = await mux();
  const [first, second] = [socketTransport(path), socketTransport(path)];
  const [one, two] = [await connected(first), await connected(second)];
  expect(await one.callTool({ name: 'echo' })).toMatchObject({ content: [{ text: 'echo' }] });
  await Promise.all([first.close(), first.close()]);
  expect(first.closes).toBe(1);
  await expect(first.send({ jsonrpc: '2.0', method: 'notifications/x' })).rejects.toMatchObject({ code: 'connection/closed' });
  expect(await two.callTool({ name: 'echo' })).toMatchObject({ content: [{ text: 'echo' }] });
  expect(server.listening).toBe(true);
  expect(sockets.map((socket) => socket.destroyed)).toEqual([true, false]);
});

it('looks like stdio to the SDK, with no process behind it', async () => {
  const transport = socketTransport('/no/such.sock');
  expect(transport).toMatchObject({ pid: null, stderr: null });
});

it('fails what waits when the other side hangs up', async () => {
  const transport = socketTransport((await mux()).path);
  const client = await connected(transport);
  const silent = expect(client.callTool({ name: 'silent' })).rejects.toThrow('Connection closed');
  await expect(client.callTool({ name: 'hang-up' })).rejects.toThrow('Connection closed');
  await silent;
  expect(transport.closes).toBe(1);
});

it('tolerates text that is no protocol, and refuses only the message that is too large', async () => {
  const log: string[] = [];
  const client = await connected(socketTransport((await mux('hello\n\n')).path, log, 1_000_000));
  expect(log).toEqual(['stdout: hello', 'gatehouse: The server wrote text that is no protocol to stdout']);
  await expect(client.callTool({ name: 'big', arguments: { bytes: 1_000_001 } })).rejects.toMatchObject({ code: -32603 });
  expect(await client.callTool({ name: 'echo' })).toMatchObject({ content: [{ text: 'echo' }] });
});

it.each([
  ['nothing stands there', (folder: string) => join(folder, 'none.sock'), 'ENOENT'],
  ['it is no socket', (folder: string) => (writeFileSync(join(folder, 'file'), ''), join(folder, 'file')), 'ECONNREFUSED'],
])('says that a socket cannot be reached, and which: %s', async (_, make, systemCode) => {
  const path = make(tempFolder());
  const transport = socketTransport(path);
  await expect(transport.start()).rejects.toMatchObject({ code: 'connection/unreachable', data: { path, systemCode }, message: expect.stringContaining(path) as string });
  await transport.close();
});

it('ends at once when it is closed while it connects', async () => {
  const transport = socketTransport((await mux()).path);
  const starting = expect(transport.start()).rejects.toMatchObject({ code: 'connection/closed' });
  await transport.close();
  await starting;
  expect(transport.closes).toBe(1);
});

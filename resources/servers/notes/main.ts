import { resolve } from 'node:path';
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { NoteStore } from './note-store.ts';
import { registerPrompt, registerResources } from './resources.ts';
import { registerTools } from './tools.ts';

const INSTRUCTIONS = [
  'Notes that the person keeps on this computer, as Markdown files in a folder of their own, which they may also open in an editor.',
  'Look with find_notes before adding, so that one subject stays in one note; add to an existing one with edit_note and append.',
  'Ids come from find_notes and list_notes; never invent one. delete_note cannot be undone.',
].join(' ');
const CLOSING_MS = 2_000;

function createServer(store: NoteStore): McpServer {
  const server = new McpServer(
    { name: 'gatehouse-notes', title: 'Notes', version: '0.1.0' },
    {
      instructions: INSTRUCTIONS,
      capabilities: { tools: { listChanged: false }, prompts: { listChanged: false }, resources: { listChanged: true } },
    },
  );
  registerTools(server, store);
  registerResources(server, store);
  registerPrompt(server, store);
  const stop = store.onChange(() => server.sendResourceListChanged());
  server.server.onclose = stop;
  return server;
}

async function main(folder: string): Promise<void> {
  const store = new NoteStore(folder);
  await store.open();
  const handle = serveStdio(() => createServer(store), { onerror: (error) => process.stderr.write(`${error.message}\n`) });
  let ending = false;
  const end = (): void => {
    if (ending) return;
    ending = true;
    // Ends at once, but for a note that is just being written.
    setTimeout(() => process.exit(0), CLOSING_MS);
    void store.close().then(() => handle.close()).finally(() => process.exit(0));
  };
  for (const event of ['end', 'close', 'error'] as const) process.stdin.on(event, end);
  process.stdout.on('error', end);
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, end);
}

const folder = process.env['GATEHOUSE_NOTES_FOLDER'];
if (folder === undefined || folder === '') {
  process.stderr.write('Error: GATEHOUSE_NOTES_FOLDER is not set; it names the folder that holds the notes.\n');
  process.exitCode = 1;
} else {
  main(resolve(folder)).catch((error: unknown) => {
    process.stderr.write(`Error: the notes folder cannot be used: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  });
}

/**
 * `shelf.mjs FILE`: offers what FILE says, `{ tools, resources, resourceTemplates, prompts, instructions }`. A tool answers with its own name, the arguments that came and the process. When FILE was
 * written since it was last listed, the answer to a call comes after the notice that the lists changed.
 */
import { readFileSync } from 'node:fs';
import { notify, serve, text } from './peer.mjs';

const [file = ''] = process.argv.slice(2);
const read = () => readFileSync(file, 'utf8');
let listed = read();
const part = (name) => () => {
  listed = read();
  return { [name]: JSON.parse(listed)[name] ?? [] };
};
serve({
  instructions: JSON.parse(listed).instructions,
  capabilities: { tools: { listChanged: true }, resources: { listChanged: true }, prompts: { listChanged: true } },
  methods: {
    'tools/list': part('tools'),
    'resources/list': part('resources'),
    'resources/templates/list': part('resourceTemplates'),
    'prompts/list': part('prompts'),
    'resources/read': ({ uri }) => ({ contents: [{ uri, text: `the text of ${uri}` }] }),
    'tools/call': ({ name, arguments: args = {} }) => {
      if (read() !== listed) for (const kind of ['tools', 'resources', 'prompts']) notify(`notifications/${kind}/list_changed`);
      return text(JSON.stringify({ ran: name, args, pid: process.pid }));
    },
  },
});

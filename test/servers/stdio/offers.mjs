/** `offers.mjs FILE`: the tools of FILE, a JSON list, as they stand there. Each answers with its own name and the arguments that came. */
import { readFileSync } from 'node:fs';
import { serve, text, write } from './peer.mjs';

const [file = ''] = process.argv.slice(2);
serve({
  methods: {
    // As text: some of what is offered is nested too deeply to be written anew.
    'tools/list': (_, { id }) => {
      write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"tools":${readFileSync(file, 'utf8').trim()}}}\n`);
    },
    'tools/call': ({ name, arguments: args = {} }) => text(JSON.stringify({ ran: name, args })),
  },
});

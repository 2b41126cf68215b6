/** `defined.mjs FILE`: one tool, `row`, defined as FILE says at the moment of asking. `calls` tells how often it ran and with what. */
import { readFileSync } from 'node:fs';
import { serve, text, tool } from './peer.mjs';

const [file = ''] = process.argv.slice(2);
const calls = [];
serve({
  tools: {
    row: {
      run: (args) => {
        calls.push(args);
        return text(`ran with ${JSON.stringify(args)}`);
      },
    },
    calls: { run: () => text(JSON.stringify(calls)) },
  },
  methods: { 'tools/list': () => ({ tools: [tool('row', JSON.parse(readFileSync(file, 'utf8'))), tool('calls')] }) },
});

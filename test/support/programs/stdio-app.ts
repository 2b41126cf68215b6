import { Client } from '@modelcontextprotocol/client';
import { createTransports } from '../../../src/node/transports/create-transports.ts';

/** An app in small: connects to one server, says so, and then lives on, or leaves without having closed. `stdio-app HOME live|leave COMMAND ARG…` */
const [home = '', then = '', command = '', ...args] = process.argv.slice(2);
const transports = createTransports({ home });
const client = new Client({ name: 'app', version: '1.0.0' });
await client.connect(transports.stdio({ command, args, env: {}, ownRuntime: true }, { log: () => {} }));
console.log('connected');
if (then === 'leave') process.exit(0);

/**
 * `library.mjs [FILE]`: resources, templates, prompts and what it suggests for them. FILE gets a line for each request but the handshake's, so that a test knows what was asked.
 * `touch {uri}` says that a resource changed, and changes it; `link` gives a link to `lib://hidden/1`, which no list has; `watched` tells what is subscribed to.
 */
import { appendFileSync } from 'node:fs';
import { notify, serve, text } from './peer.mjs';

const [file] = process.argv.slice(2);
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const note = (method, params) => file && appendFileSync(file, `${JSON.stringify({ method, params })}\n`);
const editions = new Map();
const watched = new Set();
const fail = (message) => {
  throw Object.assign(new Error(message), { code: -32002 });
};
const contents = (uri) => {
  if (uri === 'lib://both') return [{ uri: 'lib://both/a', mimeType: 'text/plain', text: 'one half' }, { uri: 'lib://both/b', mimeType: 'application/json', text: '{"half":2}' }];
  if (uri === 'lib://picture') return [{ uri, mimeType: 'image/png', blob: PNG }];
  if (uri === 'lib://archive') return [{ uri, mimeType: 'application/zip', blob: 'AAAA' }];
  if (uri === 'lib://guide') return [{ uri, mimeType: 'text/markdown', text: `# Guide\n\nEdition ${editions.get(uri) ?? 1}` }];
  if (uri === 'lib://long') return [{ uri, mimeType: 'text/plain', text: `${'A line of the long one.\n'.repeat(9_000)}END` }];
  if (uri.startsWith('lib://hidden/')) return [{ uri, mimeType: 'text/plain', text: 'behind the link' }];
  const book = /^lib:\/\/books\/([^/]+)\/chapter\/([^/]+)$/.exec(uri);
  return book ? [{ uri, mimeType: 'text/plain', text: `Chapter ${decodeURIComponent(book[2])} of ${decodeURIComponent(book[1])}` }] : fail('Resource not found');
};
const suggested = ['plums', 'pears', 'peaches', ...Array.from({ length: 200 }, (_, at) => `apple ${at}`)];
const argument = (name, required, description) => ({ name, required, description });
const PROMPTS = {
  create_plan: { description: 'Plans something', arguments: [argument('goal', true, 'What for'), argument('tone', false, 'How it sounds')] },
  '2nd opinion!': { description: 'Digits and signs in its name' },
  '日本': { description: 'No letter that a command can have' },
  'create plan': { description: 'The same command as create_plan' },
  empty: { description: 'Says nothing' },
  show: { description: 'Comes with a picture and a resource' },
};
const say = (role, content) => ({ role, content });
const words = (value) => ({ type: 'text', text: value });

serve({
  capabilities: { tools: {}, resources: { subscribe: true, listChanged: true }, prompts: { listChanged: true }, completions: {} },
  tools: {
    touch: {
      about: { inputSchema: { type: 'object', properties: { uri: { type: 'string' } } } },
      run: ({ uri }) => {
        editions.set(uri, (editions.get(uri) ?? 1) + 1);
        if (watched.has(uri)) notify('notifications/resources/updated', { uri });
        return text('touched');
      },
    },
    link: { run: () => ({ content: [{ type: 'resource_link', uri: 'lib://hidden/1', name: 'hidden one' }] }) },
    watched: { run: () => text([...watched].join(',')) },
  },
  methods: {
    'resources/list': () => ({
      resources: [
        { uri: 'lib://guide', name: 'guide', title: 'The guide', description: 'How to read here', mimeType: 'text/markdown', size: 20 },
        { uri: 'lib://picture', name: 'picture', mimeType: 'image/png' },
        { uri: 'lib://both', name: 'both halves' },
        { uri: 'lib://archive', name: 'archive', mimeType: 'application/zip' },
        { uri: 'lib://long', name: 'long text', mimeType: 'text/plain' },
        { uri: 'lib://gone', name: 'gone' },
      ],
    }),
    'resources/templates/list': () => ({ resourceTemplates: [{ uriTemplate: 'lib://books/{book}/chapter/{number}', name: 'chapter', description: 'One chapter of a book' }] }),
    'resources/read': ({ uri }) => (note('resources/read', { uri }), { contents: contents(uri) }),
    'resources/subscribe': ({ uri }) => (note('resources/subscribe', { uri }), watched.add(uri), {}),
    'resources/unsubscribe': ({ uri }) => (note('resources/unsubscribe', { uri }), watched.delete(uri), {}),
    'prompts/list': () => ({ prompts: Object.entries(PROMPTS).map(([name, about]) => ({ name, ...about })) }),
    'prompts/get': ({ name, arguments: args = {} }) => {
      note('prompts/get', { name, args });
      if (name === 'empty') return { messages: [] };
      if (name === 'show')
        return { messages: [say('user', words('Look at this.')), say('user', { type: 'image', data: PNG, mimeType: 'image/png' }), say('user', { type: 'resource', resource: { uri: 'lib://guide', mimeType: 'text/markdown', text: '# Guide' } })] };
      if (name === 'create_plan') return { messages: [say('user', words(`Plan: ${args.goal}${args.tone ? `, ${args.tone}` : ''}`)), say('assistant', words('Gladly.'))] };
      return { messages: [say('user', words(`only ${name}`))] };
    },
    'completion/complete': ({ ref, argument: { name, value }, context }) => {
      note('completion/complete', { ref, name, value, others: context?.arguments });
      if (name === 'number') return { completion: { values: [`${context?.arguments?.book ?? 'no book'} 1`] } };
      const values = suggested.filter((one) => one.startsWith(value));
      return { completion: { values, total: values.length, hasMore: false } };
    },
  },
});

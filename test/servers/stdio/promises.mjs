/**
 * Tools that promise the form of their results. Of each schema one tool that keeps it and one that does not; `broken_promise` fails as it may, `no_promise_kept` gives no
 * structured result at all, and `strict` wants arguments that it says in its schema.
 */
import { serve, text } from './peer.mjs';

const draft07 = { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object', properties: { pair: { type: 'array', items: [{ type: 'string' }, { type: 'number' }], additionalItems: false } }, required: ['pair'] };
const draft2020 = { type: 'object', properties: { pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], items: false } }, required: ['pair'] };
const named2020 = { ...draft2020, $schema: 'https://json-schema.org/draft/2020-12/schema' };
const good = { pair: ['a', 1] };
const bad = { pair: ['a', 'b'] };
const tool = (outputSchema, structuredContent, isError) => ({
  about: { outputSchema },
  run: () => ({ ...text('in words'), ...(structuredContent === undefined ? {} : { structuredContent }), ...(isError ? { isError } : {}) }),
});

serve({
  tools: {
    draft07_kept: tool(draft07, good), draft07_not: tool(draft07, bad),
    draft2020_kept: tool(draft2020, good), draft2020_not: tool(draft2020, bad),
    named2020_kept: tool(named2020, good), named2020_not: tool(named2020, bad),
    broken_promise: tool(draft2020, bad, true),
    no_promise_kept: tool(draft2020),
    strict: {
      about: { inputSchema: { type: 'object', properties: { row: { type: 'string', description: 'Which row' }, dry: { type: 'boolean' } }, required: ['row'] } },
      run: () => ({ ...text('no such row'), isError: true }),
    },
    fails: { run: () => { throw Object.assign(new Error('the database is away'), { code: -32050 }); } },
  },
});

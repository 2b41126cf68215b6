import type { OwnResource } from '../model-tools/own-resources.ts';

/** Ships with the app; a model reads it when it wants to (F-206). */
export const scriptGuide: OwnResource = {
  uri: 'gatehouse://guide/scripts',
  name: 'scripts',
  title: 'Writing scripts for mcp_script',
  description: 'Every function that a script has, what it gives back, and patterns that work',
  mimeType: 'text/markdown',
  text: `# Scripts over MCP tools

\`mcp_script\` runs JavaScript as the body of an async function: \`await\` and \`return\` work, and what you return is what you are told.
Use it when one step needs several calls: loop over items, feed one result into the next call, join what two servers know, or keep a long
result out of the conversation and return only the part that matters. For one call, a loaded tool or \`mcp\` with action \`call\` is simpler.

## Find, look, call

\`\`\`js
const found = await tools.search({ query: 'search issues', server: 'github' });
const { path, server } = found.items[0];
const tool = await tools.describe({ path, server });   // its inputSchema says which arguments it takes
const result = await tools.call(path, { query: 'is:open label:bug' }, server);
if (!result.ok) return result.error;                   // { code, message }
return result.data.structuredContent ?? result.data.content;
\`\`\`

| Function | Gives back |
|---|---|
| \`tools.search({ query, server?, limit?, offset? })\` | \`{ items, total, hasMore, nextOffset, coverage }\`; each item has \`path\`, \`name\`, \`server\` |
| \`tools.describe({ path, server? })\` | the whole descriptor: \`inputSchema\`, \`outputSchema\`, \`title\`, \`annotations\` |
| \`tools.call(path, args, server?)\`, \`tools.some_name(args)\` | \`{ ok: true, data, resultRef? }\` or \`{ ok: false, error, data?, resultRef? }\` |
| \`tools.resources({ server, limit?, offset? })\` | \`{ items, total, hasMore, nextOffset }\` |
| \`tools.readResource({ server, uri })\` | like a call, with \`data.contents\` |
| \`tools.readResult({ ref, path?, fields?, offset?, limit? })\` | \`{ content, details }\`: a page of a result that was kept |
| \`emit(value)\`, \`console.log(value)\` | output before what is returned; other console levels are tagged |

Failures of search, describe and resources come as \`{ error: { code, message } }\`. Nothing throws because a tool failed: look at \`ok\`.
\`data\` is the MCP result as the server sent it: \`content\` is a list of parts, \`structuredContent\` the data if the tool gives any.
A result over 4 MiB comes as \`resultRef\` alone; read the part that you need with \`tools.readResult({ ref, path: '/structuredContent/items/0' })\`.

## Names

A path is any name of the tool. If several servers have it the error is \`ambiguous_tool\`: give the server as the third argument.

## Side by side

\`\`\`js
const pages = await Promise.all(ids.map((id) => tools.call('get_page', { id }, 'wiki')));
return pages.filter((page) => page.ok).map((page) => page.data.structuredContent.title);
\`\`\`

At most 64 calls run at once and 2,000 in all. Await every call: one that you do not wait for is ended when the script is.

## People and time

The person is asked about calls as always, and may take as long as they like: their time does not count. A denial is an error with the code
\`approval_denied\`: accept it. The script and its calls may run 30 seconds unless \`timeoutMs\` says otherwise. \`ambiguous_outcome\` means
that the answer was lost and the call may have taken effect: look at the state of things before you repeat it.

## What there is not

No network, files, timers, imports or environment. Only the language, \`tools\`, \`emit\` and \`console\`.
`,
};

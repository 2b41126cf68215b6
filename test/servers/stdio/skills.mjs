/**
 * `skills.mjs FILE ASKED`: a server with skills. FILE says, read at each request: `declares`, `pages` (entries of skills, page by page), `unlisted` (entries known by their address alone),
 * `files` (address → contents), `resources`, `templates`, `broken` (a page that fails). ASKED takes the methods and parameters of what was asked, a line each.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import { serve } from './peer.mjs';

const [file = '', asked = ''] = process.argv.slice(2);
const said = () => JSON.parse(readFileSync(file, 'utf8'));
const noted = (method, answer) => (params) => {
  appendFileSync(asked, `${JSON.stringify({ method, params })}\n`);
  return answer(params);
};
const missing = (uri) => Object.assign(new Error(`There is no ${uri}`), { code: -32602 });
serve({
  capabilities: { tools: {}, resources: {}, ...(said().declares === false ? {} : { extensions: { 'io.modelcontextprotocol/skills': {} } }) },
  methods: {
    'resources/list': () => ({ resources: said().resources ?? [] }),
    'resources/templates/list': () => ({ resourceTemplates: said().templates ?? [] }),
    'skills/list': noted('skills/list', ({ cursor = '0' }) => {
      const { pages = [], broken } = said();
      const page = Number(cursor);
      if (page === broken) throw new Error('This page is torn');
      return { skills: pages[page] ?? [], ...(page + 1 < pages.length ? { nextCursor: String(page + 1) } : {}) };
    }),
    'skills/get': noted('skills/get', ({ uri }) => {
      const skill = (said().unlisted ?? []).find((one) => one.uri === uri);
      if (!skill) throw missing(uri);
      return { skill };
    }),
    'resources/read': noted('resources/read', ({ uri }) => {
      const contents = said().files[uri];
      if (!contents) throw missing(uri);
      return { contents };
    }),
  },
});

import type { ActionAnswer } from './own-tool.ts';
import { refused } from './action-answer.ts';
import { moreLine, pageOf } from './pages.ts';

/** A text of Gatehouse's own that a model may ask for: the same everywhere, so nobody is asked for permission. */
export interface OwnResource {
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
  readonly text: string;
}

/** As the gateway and scripts name the place of these, where no server is named so. */
export const ownServerName = 'gatehouse';

export function ownResourceList(all: readonly OwnResource[], limit: number, offset: number): ActionAnswer {
  const listed = all.map(({ text: _text, ...shown }) => shown);
  const paged = pageOf(listed.slice(offset, offset + limit), listed.length, offset);
  if (!paged.ok) return paged;
  const { page } = paged;
  const lines = [`Gatehouse itself: ${page.total} ${page.total === 1 ? 'resource' : 'resources'}`, ...page.items.map(({ uri, title, description }) => `- ${uri} — ${title}: ${description}`), ...moreLine(page)];
  return { ok: true, text: lines.join('\n'), data: { mode: 'resources', server: ownServerName, ...page } };
}

export function readOwnResource(all: readonly OwnResource[], uri: string): ActionAnswer {
  const found = all.find((one) => one.uri === uri);
  if (!found) return refused('not_found', `Gatehouse itself offers no resource ${uri.slice(0, 500)}.`);
  const { mimeType, text } = found;
  return { ok: true, text, data: { contents: [{ uri, mimeType, text }] } };
}

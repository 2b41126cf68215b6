import type { ServerCatalog } from '../../shared/model/catalog.ts';
import type { ResourceLine } from '../../shared/model/resource-line.ts';

/** What these servers offer to read, in their order; with text, what fits it, best first: words, beginnings of words, and letters in their order. */
export function findResources(servers: readonly ServerCatalog[], text: string): readonly ResourceLine[] {
  const all = servers.flatMap(linesOf);
  const words = text.toLowerCase().split(/\s+/).filter((word) => word !== '');
  if (words.length === 0) return all;
  const scored = all.flatMap((line) => {
    const scores = words.map((word) => scoreOf(word, line));
    return scores.includes(0) ? [] : [{ line, score: scores.reduce((sum, score) => sum + score, 0) }];
  });
  return scored.toSorted((a, b) => b.score - a.score).map(({ line }) => line);
}

function linesOf({ serverId, serverName, resources, resourceTemplates, origin }: ServerCatalog): readonly ResourceLine[] {
  const head = { serverId, serverName, cached: origin.from === 'cache' };
  return [
    ...resources.map((resource) => ({ ...resource, ...head, template: false })),
    ...resourceTemplates.map(({ uriTemplate, ...rest }) => ({ ...rest, ...head, uri: uriTemplate, template: true })),
  ];
}

/** 0 for what does not fit. */
function scoreOf(word: string, { name, title = '', uri, serverName, description = '' }: ResourceLine): number {
  const names = `${title} ${name}`.toLowerCase();
  if (names.split(/[^\p{L}\p{N}]+/u).includes(word)) return 6;
  if (names.includes(word)) return names.trimStart().startsWith(word) ? 5 : 4;
  if (uri.toLowerCase().includes(word)) return 3;
  if (serverName.toLowerCase().includes(word)) return 2.5;
  if (description.toLowerCase().includes(word)) return 2;
  return inOrder(word, names) || inOrder(word, uri.toLowerCase()) ? 1 : 0;
}

function inOrder(word: string, text: string): boolean {
  if (word.length < 2) return false;
  let at = -1;
  for (const char of word) {
    at = text.indexOf(char, at + 1);
    if (at < 0) return false;
  }
  return true;
}

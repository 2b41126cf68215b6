import type { ProfileReport } from '../../shared/model/profile.ts';
import type { ConfigIssue } from '../../shared/model/source.ts';
import { countText } from '../ui/time.ts';

export const isError = ({ severity }: ConfigIssue): boolean => severity === 'error';

export const placeWords = ({ line, column }: Pick<ConfigIssue, 'line' | 'column'>): string => `Line ${line ?? 1}${column === undefined ? '' : `, column ${column}`}`;

/** One line: what a run of it has other than one without. */
export function factsText({ extends: bases, model, servers, tools, mcp }: ProfileReport): string {
  const facts = [
    ...(bases.length === 0 ? [] : [`Builds on ${bases.join(' → ')}`]),
    ...(model === undefined ? [] : [model]),
    ...(!mcp ? ['no MCP tools'] : tools === undefined ? [] : [`${countText(tools.length, 'tool')} allowed`]),
    ...(servers.length === 0 ? [] : [servers.length <= 3 ? `${servers.length === 1 ? 'server' : 'servers'} ${servers.join(', ')}` : countText(servers.length, 'server')]),
  ];
  return facts.join(' · ');
}

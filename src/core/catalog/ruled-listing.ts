import type { ServerId } from '../../shared/ids.ts';
import type { CatalogTool } from '../../shared/model/catalog.ts';
import { filterOf, isPinned, type CatalogRules } from './catalog-rules.ts';
import { nameAlone, withSuffix, type NamedAlone } from './model-name.ts';
import type { ListedTool } from './parse-listing.ts';
import { resourceAlias } from './resource-alias.ts';

/** A tool under its server's rules. What it is called depends on the others, and comes later. */
export interface RuledTool {
  readonly tool: Omit<CatalogTool, 'modelName' | 'serverName'>;
  readonly alone: NamedAlone;
}

/** Words by which every server's tools are found (H-49). */
const everyTools: readonly string[] = ['mcp', 'integration', 'external'];

export function ruledTools(serverId: ServerId, serverName: string, rules: CatalogRules, listed: readonly ListedTool[]): readonly RuledTool[] {
  const filter = filterOf(rules);
  const tags = rules.tags ? [...everyTools, ...rules.tags] : everyTools;
  const filtered = rules.include.length + rules.exclude.length > 0;
  return listed.map(({ name, revision, meantFor, ...tool }) => {
    const alone = nameAlone({ serverId, serverName, tool: name, prefix: rules.prefix });
    // A rule may name it as it is called beside others of the same name.
    const hidden = meantFor === 'apps' ? 'app-only' : filtered ? filter({ serverName, tool: name, modelName: withSuffix(alone) }) : undefined;
    return {
      alone,
      tool: {
        ...tool, tags, ref: { serverId, tool: name, revision },
        ...(hidden === undefined ? {} : { hidden }),
        ...(isPinned(rules.pins, name) ? { pinned: true } : {}),
        ...(meantFor === 'models' ? { notForApps: true } : {}),
      },
    };
  });
}

/** Resources and templates that may be read: none when they are not exposed, else those whose alias the filters let through (F-143). */
export function ruledResources<T extends { readonly name: string }>(serverName: string, rules: CatalogRules, listed: readonly T[]): readonly T[] {
  if (!rules.exposeResources) return [];
  const filter = filterOf(rules);
  return listed.filter(({ name }) => {
    const alias = resourceAlias(name);
    return filter({ serverName, tool: alias, modelName: alias }) === undefined;
  });
}

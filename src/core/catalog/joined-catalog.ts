import type { ServerId } from '../../shared/ids.ts';
import type { CatalogTool } from '../../shared/model/catalog.ts';
import type { Catalog } from './catalog.ts';
import { resolveAmong } from './resolve-tool.ts';

/** What can be seen of a catalog. */
export type CatalogView = Pick<Catalog, 'all' | 'server' | 'knows' | 'origin' | 'resolve' | 'serverNamed' | 'descriptor' | 'tool' | 'exposes'>;

/** The person's catalog with that of one run before it. A server of the person's that one of the run's stands in front of is not seen (H-18). */
export function joinedCatalog(base: Catalog, own: Catalog, isShadowed: (serverId: ServerId) => boolean): CatalogView {
  const seen = (tools: readonly CatalogTool[]) => tools.filter(({ ref }) => !isShadowed(ref.serverId));
  const holder = (serverId: ServerId) => (own.isDefined(serverId) ? own : base);
  const serverNamed = (name: string): ServerId | undefined => {
    const ofRun = own.serverNamed(name);
    if (ofRun !== undefined) return ofRun;
    const known = base.serverNamed(name);
    return known === undefined || isShadowed(known) ? undefined : known;
  };
  return {
    serverNamed,
    all: () => [...seen(base.all()), ...own.all()],
    resolve: (name, options) => resolveAmong(name, [...seen(base.named()), ...own.named()], serverNamed, options ?? {}),
    server: (serverId) => holder(serverId).server(serverId),
    knows: (serverId) => holder(serverId).knows(serverId),
    origin: (serverId) => holder(serverId).origin(serverId),
    descriptor: (ref) => holder(ref.serverId).descriptor(ref),
    tool: (serverId, name) => holder(serverId).tool(serverId, name),
    exposes: (serverId, name) => holder(serverId).exposes(serverId, name),
  };
}

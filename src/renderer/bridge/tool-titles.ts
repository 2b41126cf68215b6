import { useEffect } from 'react';
import { create } from 'zustand';
import type { ServerId } from '../../shared/ids.ts';
import { ownToolsId } from '../../shared/model/own-tools.ts';
import { api } from './api.ts';
import { appNow, useApp } from './live.ts';

interface Known {
  /** The catalog's revision when it was asked. */
  readonly revision: number;
  readonly titles: ReadonlyMap<string, string>;
}
const useTitles = create<Readonly<Record<string, Known>>>(() => ({}));
const asking = new Set<ServerId>();

async function ask(serverId: ServerId): Promise<void> {
  if (asking.has(serverId)) return;
  asking.add(serverId);
  const revision = appNow()?.catalogRevision ?? 0;
  try {
    const catalog = await api.servers.catalog({ serverId });
    const titles = new Map(catalog?.tools.flatMap((tool) => (tool.title === undefined ? [] : [[tool.ref.tool, tool.title] as const])));
    useTitles.setState({ [serverId]: { revision, titles } });
  } catch {
    useTitles.setState({ [serverId]: { revision, titles: new Map() } }); // the server is gone: its tools keep their names
  } finally {
    asking.delete(serverId);
  }
}

/** What a tool is called: its title where its server gives one, else its name. Asked once a server, and again when an unknown tool appears. */
export function useToolTitle(serverId: ServerId, tool: string): string {
  const known = useTitles((all) => all[serverId]);
  const revision = useApp((state) => state.catalogRevision);
  const title = known?.titles.get(tool);
  const stale = serverId !== ownToolsId && revision !== undefined && title === undefined && (known === undefined || known.revision < revision);
  useEffect(() => {
    if (stale) void ask(serverId);
  }, [stale, serverId]);
  return title ?? tool;
}

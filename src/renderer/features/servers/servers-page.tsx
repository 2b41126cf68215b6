import { Unplug } from 'lucide-react';
import { useApp } from '../../bridge/live.ts';
import { go, type Place } from '../../bridge/place.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { AddServerPage, EditServerPage } from './form-page.tsx';
import { ServerList } from './server-list.tsx';
import { ServerPage } from './server-page.tsx';

type ServersPlace = Extract<Place, { readonly page: 'servers' }>;

export function ServersPage({ place }: { readonly place: ServersPlace }) {
  const { serverId } = place;
  const known = useApp(() => true) ?? false;
  const row = useApp((state) => (serverId === undefined ? undefined : state.servers[serverId]));
  if (place.add) return <AddServerPage />;
  if (serverId === undefined) return <ServerList />;
  if (row) return place.edit && row.definition.owner !== 'built-in' ? <EditServerPage row={row} /> : <ServerPage key={serverId} row={row} />;
  return (
    <>
      <PageHeader title="Servers" />
      {known ? (
        <EmptyState
          icon={<Unplug strokeWidth={1.5} />}
          title="This server is not here"
          actions={<Button onClick={() => go({ page: 'servers' })}>All servers</Button>}
        >
          It was removed, or has another name now.
        </EmptyState>
      ) : (
        <div className="p-6">
          <Skeleton rows={5} />
        </div>
      )}
    </>
  );
}

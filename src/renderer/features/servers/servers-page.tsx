import type { Place } from '../../bridge/place.ts';
import { PageHeader } from '../../ui/page-header.tsx';

export const ServersPage = ({ place: _place }: { readonly place: Place & { page: 'servers' } }) => <PageHeader title="Servers" />;

import type { Place } from '../../bridge/place.ts';
import { PageHeader } from '../../ui/page-header.tsx';

export const ToolsPage = ({ place: _place }: { readonly place: Place & { page: 'tools' } }) => <PageHeader title="Tools" />;

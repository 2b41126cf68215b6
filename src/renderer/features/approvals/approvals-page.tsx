import type { Place } from '../../bridge/place.ts';
import { PageHeader } from '../../ui/page-header.tsx';

export const ApprovalsPage = ({ place: _place }: { readonly place: Place & { page: 'approvals' } }) => <PageHeader title="Approvals" />;

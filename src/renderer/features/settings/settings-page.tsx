import type { Place } from '../../bridge/place.ts';
import { PageHeader } from '../../ui/page-header.tsx';

export const SettingsPage = ({ place: _place }: { readonly place: Place & { page: 'settings' } }) => <PageHeader title="Settings" />;

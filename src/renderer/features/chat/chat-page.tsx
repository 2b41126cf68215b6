import type { ComponentType } from 'react';
import type { Approval } from '../../../shared/model/tool-call.ts';
import type { Place } from '../../bridge/place.ts';
import { PageHeader } from '../../ui/page-header.tsx';

export const ChatPage = ({ place: _place, approvalCard: _card }: { readonly place: Place & { page: 'chat' }; readonly approvalCard: ComponentType<{ readonly approval: Approval }> }) => <PageHeader title="Chat" />;

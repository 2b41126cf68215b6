import { lazy, Suspense, type ReactNode } from 'react';
import type { Place } from '../bridge/place.ts';
import { ChatPage } from '../features/chat/chat-page.tsx';
import { ModelPicker } from '../features/chat/model-picker.tsx';
import { ApprovalCard } from '../features/approvals/approval-card.tsx';
import { ElicitationCard } from '../features/approvals/elicitation-card.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

const ServersPage = lazy(() => import('../features/servers/servers-page.tsx').then((module) => ({ default: module.ServersPage })));
const ToolsPage = lazy(() => import('../features/tools/tools-page.tsx').then((module) => ({ default: module.ToolsPage })));
const ApprovalsPage = lazy(() => import('../features/approvals/approvals-page.tsx').then((module) => ({ default: module.ApprovalsPage })));
const SetUpPage = lazy(() => import('../features/set-up/set-up-page.tsx').then((module) => ({ default: module.SetUpPage })));
const SettingsPage = lazy(() => import('../features/settings/settings-page.tsx').then((module) => ({ default: module.SettingsPage })));
const ServerForm = lazy(() => import('../features/servers/server-form.tsx').then((module) => ({ default: module.ServerForm })));

/** The only place where features meet: what one shows of another is handed over here. */
function pageOf(place: Place): ReactNode {
  switch (place.page) {
    case 'chat':
      return <ChatPage place={place} approvalCard={ApprovalCard} elicitationCard={ElicitationCard} />;
    case 'servers':
      return <ServersPage place={place} />;
    case 'tools':
      return <ToolsPage place={place} />;
    case 'approvals':
      return <ApprovalsPage place={place} />;
    case 'set-up':
      return <SetUpPage />;
    case 'settings':
      return <SettingsPage place={place} modelPicker={ModelPicker} serverForm={ServerForm} />;
  }
}

export const PageView = ({ place }: { readonly place: Place }) => (
  <Suspense fallback={<div className="p-6"><Skeleton rows={5} /></div>}>{pageOf(place)}</Suspense>
);

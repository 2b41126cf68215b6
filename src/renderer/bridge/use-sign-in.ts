import { create } from 'zustand';
import type { ServerId } from '../../shared/ids.ts';
import type { SignInBegun } from '../../shared/ipc/contract/auth.ts';
import { api } from './api.ts';
import { appNow } from './live.ts';
import { go } from './place.ts';
import { useRequest, type RequestState } from './request-state.ts';

type InBrowser = Extract<SignInBegun, { readonly kind: 'browser' }>;
/** The addresses that sign-ins of this window are at. They are in no state that others follow. */
const useBegun = create<Readonly<Record<ServerId, InBrowser>>>(() => ({}));

/** The address that the browser is at, where this window began the sign-in. */
export function useSignInAddress(serverId: ServerId, flowId: string | undefined): string | undefined {
  const begun = useBegun((all) => all[serverId]);
  return begun && begun.flowId === flowId ? begun.url : undefined;
}

/** Begins a sign-in in the browser: only ever from the person's own press. What the person has to enter first is on the server's page, which is then shown. */
export async function beginSignIn(serverId: ServerId, options: { readonly otherAccount?: boolean } = {}): Promise<SignInBegun> {
  const begun = await api.auth.start({ serverId, openBrowser: true, ...(options.otherAccount ? { otherAccount: true } : {}) });
  if (begun.kind === 'browser') useBegun.setState({ [serverId]: begun });
  // One that exists in runs alone has no page: what it waits for stands where it was pressed.
  if ((begun.kind === 'needs-client' || begun.kind === 'needs-host') && appNow()?.servers[serverId]) go({ page: 'servers', serverId });
  return begun;
}

/** A button that begins to sign in to a server. */
export function useSignIn(serverId: ServerId): { readonly state: RequestState; readonly start: (options?: { readonly otherAccount?: boolean }) => void } {
  const { state, run } = useRequest();
  return { state, start: (options) => run(() => beginSignIn(serverId, options)) };
}

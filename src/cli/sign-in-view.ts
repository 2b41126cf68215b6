import type { SignInLogin, SignInWay, SignInWanted } from '../shared/model/sign-in.ts';
import type { ServerRow } from '../shared/state/app-state.ts';
import { signInNeed } from '../shared/state/sign-in-need.ts';
import { oneLine } from './output.ts';

/** How it stands with signing in to one server, as commands print it. Times are ISO 8601. */
export interface SignInView {
  readonly way: SignInWay;
  readonly login?: LoginView;
  /** It waits for a person, and why. */
  readonly needed?: SignInWanted['because'] | 'under-way' | 'client' | 'host' | 'failed';
  /** What has to be granted. */
  readonly scopes?: readonly string[];
  readonly message?: string;
}
export interface LoginView {
  readonly issuer: string;
  readonly account?: string;
  readonly scopes: readonly string[];
  readonly clientId: string;
  readonly clientFrom: SignInLogin['clientFrom'];
  readonly signedInAt: string;
  readonly expiresAt?: string;
  readonly renews: boolean;
}

const iso = (at: number): string => new Date(at).toISOString();

export const loginView = ({ issuer, account, scopes, clientId, clientFrom, signedInAt, expiresAt, renews }: SignInLogin): LoginView => ({
  issuer, ...(account === undefined ? {} : { account }), scopes, clientId, clientFrom, signedInAt: iso(signedInAt), ...(expiresAt === undefined ? {} : { expiresAt: iso(expiresAt) }), renews,
});

/** Absent for a server that nobody signs in to, or where nothing was needed yet. */
export function signInView(row: ServerRow): SignInView | undefined {
  const { signIn } = row;
  if (!signIn) return undefined;
  return { way: signIn.way, ...(signIn.login ? { login: loginView(signIn.login) } : {}), ...needOf(row) };
}

function needOf(row: ServerRow): Pick<SignInView, 'needed' | 'scopes' | 'message'> {
  const need = signInNeed(row);
  switch (need?.kind) {
    case undefined:
      return {};
    case 'wanted':
      return { needed: need.wanted.because, ...(need.wanted.scopes ? { scopes: need.wanted.scopes } : {}) };
    case 'working':
    case 'waiting':
      return { needed: 'under-way' };
    case 'needs-client':
      return { needed: 'client' };
    case 'needs-host':
      return { needed: 'host', ...(need.flow.host === undefined ? {} : { message: need.flow.host }) };
    case 'failed':
      return { needed: 'failed', ...(need.flow.failure === undefined ? {} : { message: need.flow.failure.message }) };
  }
}

/** The one next step, for people; `undefined` when there is none to take. */
export function nextStep(name: string, view: SignInView | undefined): string | undefined {
  if (view?.needed === undefined) return undefined;
  const why = view.needed === 'scopes' && view.scopes ? `wants to be granted ${view.scopes.map(oneLine).join(' ')}` : words[view.needed];
  const step = view.way === 'browser' ? `: \`gatehouse mcp auth ${oneLine(/^[\w.@:-]+$/.test(name) ? name : JSON.stringify(name))}\`` : '';
  return `${oneLine(name)} ${why}${view.message === undefined ? '' : ` (${oneLine(view.message)})`}${step}`;
}
const words: { readonly [N in NonNullable<SignInView['needed']>]: string } = {
  connect: 'needs a sign-in', call: 'needs a sign-in to be used', scopes: 'wants to be granted more', expired: 'needs a new sign-in: the last one has ended', 'under-way': 'is being signed in to',
  client: 'needs a client id to sign in', host: 'needs an address to be allowed to sign in', failed: 'could not be signed in to',
};

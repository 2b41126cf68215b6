import { createSystemBrowser } from '../node/browser/system-browser.ts';
import { definedOnly } from '../node/stdio/environment.ts';
import { AppError } from '../shared/errors.ts';
import type { ServerId } from '../shared/ids.ts';
import type { SignInBegun } from '../shared/ipc/contract/auth.ts';
import type { SignInLogin } from '../shared/model/sign-in.ts';
import { externalUrl } from '../shared/text/external-url.ts';
import { CliError } from './cli-error.ts';
import { oneLine } from './output.ts';
import { answeringQuestions } from './questions.ts';
import type { Session } from './session.ts';

export interface SignInWish {
  readonly server: string;
  readonly serverId: ServerId;
  readonly browser: boolean;
  readonly scopes: readonly string[];
  readonly otherAccount: boolean;
  /** Addresses that may be used if the sign-in leads there. */
  readonly allowed: readonly string[];
  /** How long a person may take. Milliseconds. */
  readonly waitMs: number;
}
type InBrowser = Extract<SignInBegun, { readonly kind: 'browser' }>;

/** How long giving up may take, when this process is about to end. Milliseconds. */
const cancelMs = 2_000;

/** Signs in, with the person at this terminal where one is needed. What was begun ends when this does. */
export async function signIn(session: Session, wish: SignInWish): Promise<SignInLogin> {
  const begun = await begin(session, wish);
  if (begun.kind === 'signed-in') return begun.login;
  const limit = AbortSignal.timeout(wish.waitMs);
  let ended = false;
  try {
    await show(session, wish, begun);
    const login = await waitFor(session, wish.serverId, AbortSignal.any([session.signal, limit]));
    ended = true;
    return login;
  } catch (error) {
    if (limit.aborted && !session.signal.aborted) throw new CliError(`Nobody signed in to ${oneLine(wish.server)} within ${Math.round(wish.waitMs / 1_000)} seconds. Nothing was stored.`, { hint: 'Try again; --timeout takes up to 300 seconds.' });
    ended = error instanceof AppError && error.code !== 'connection/closed';
    throw error;
  } finally {
    if (!ended) await session.client.request('auth.cancel', { serverId: wish.serverId }, AbortSignal.timeout(cancelMs)).catch(() => undefined); // the core may be gone, and its sign-in with it
  }
}

/** Until the browser is the next step, or nothing is. What only a person can say is asked for at the terminal, each once. */
async function begin(session: Session, wish: SignInWish): Promise<Extract<SignInBegun, { readonly kind: 'browser' | 'signed-in' }>> {
  const { client } = session;
  const { serverId, scopes, otherAccount } = wish;
  const asked = new Set<string>();
  for (;;) {
    const begun = await answeringQuestions(session, (signal) =>
      client.request('auth.start', { serverId, openBrowser: false, ...(scopes.length > 0 ? { scopes: [...scopes] } : {}), ...(otherAccount ? { otherAccount } : {}) }, signal),
    );
    if (begun.kind === 'browser' || begun.kind === 'signed-in') return begun;
    const need = begun.kind === 'needs-host' ? begun.host : 'client';
    const again = asked.has(need);
    asked.add(need);
    if (begun.kind === 'needs-host') await allowHost(session, wish, begun.host, again);
    else await askForClient(session, wish, begun, again);
  }
}

async function allowHost({ cli: { terminal }, client, signal }: Session, { server, serverId, allowed }: SignInWish, host: string, again: boolean): Promise<void> {
  const words = `The sign-in of ${oneLine(server)} leads to ${oneLine(host)}, an address of this machine or network`;
  const refusal = (exit: 'failed' | 'needsPerson') => new CliError(`${words}. Nothing was sent there.`, { exit, hint: `Use --allow-host ${oneLine(host)} if you know it.` });
  if (again) throw new CliError(`${words}, which could not be used.`);
  if (!allowed.includes(host)) {
    if (!terminal.hasPerson) throw refusal('needsPerson');
    if (!(await terminal.confirm(`${words}. Allow it?`, signal))) throw refusal('failed');
  }
  await client.request('auth.allow-host', { serverId, host }, signal);
}

async function askForClient({ cli: { terminal }, client, signal }: Session, { server, serverId }: SignInWish, { issuer, redirectUri }: Extract<SignInBegun, { readonly kind: 'needs-client' }>, again: boolean): Promise<void> {
  const words = `The provider of ${oneLine(server)}, ${oneLine(issuer)}, does not register programs by itself`;
  const details = [`Register Gatehouse there as a native or desktop app, with exactly this redirect address: ${redirectUri}`];
  if (again) throw new CliError(`${words}, and did not take the client id.`, { details });
  if (!terminal.hasPerson) throw new CliError(`${words}.`, { exit: 'needsPerson', details, hint: 'Then use --client-id ID, with --client-secret-stdin if it has a secret.' });
  terminal.remark(`${words}.\n${details.map(oneLine).join('\n')}`);
  const clientId = (await terminal.ask('Client id: ', signal)).trim();
  if (clientId === '') throw new CliError('There is no client id.');
  const clientSecret = (await terminal.askHidden('Client secret (not shown, empty for none): ', signal)).trim();
  await client.request('auth.set-client', { serverId, clientId, ...(clientSecret === '' ? {} : { clientSecret }) }, signal);
}

/** The address is always told: the browser may be on another machine. */
async function show({ cli: { terminal, env }, signal }: Session, { server, browser }: SignInWish, { url }: InBrowser): Promise<void> {
  // It comes from the server. What may not be opened is no address to hand to a person either.
  const address = externalUrl(url);
  if (address === undefined) throw new CliError(`The sign-in of ${oneLine(server)} leads to an address that is not safe to open.`);
  terminal.remark(`To sign in to ${oneLine(server)}, open this address in a browser:\n  ${oneLine(address)}`);
  if (!browser) return;
  try {
    await createSystemBrowser({ platform: process.platform, env: definedOnly(env) }).open(address, signal);
    terminal.remark('It was opened in your browser.');
  } catch (error) {
    signal.throwIfAborted();
    terminal.remark(`It could not be opened here: ${oneLine(AppError.from(error).message)}.`);
  }
}

/** Meanwhile the person may type what their browser cannot bring here. */
async function waitFor(session: Session, serverId: ServerId, signal: AbortSignal): Promise<SignInLogin> {
  const { terminal } = session.cli;
  let typing = new AbortController();
  let typed: Promise<void> = Promise.resolve();
  let over = false;
  const keyboard = {
    async give() {
      typing.abort(new DOMException('Something else is asked', 'AbortError'));
      await typed;
    },
    take() {
      if (over || !terminal.hasPerson) return;
      typing = new AbortController();
      const until = AbortSignal.any([signal, typing.signal]);
      typed = takeTyped(session, serverId, until).catch((error: unknown) => {
        if (!until.aborted) terminal.remark(error instanceof Error ? oneLine(error.message) : 'It could not be read.');
      });
    },
  };
  keyboard.take();
  try {
    return await answeringQuestions(session, () => session.client.request('auth.wait', { serverId }, signal), keyboard);
  } finally {
    over = true;
    await keyboard.give();
  }
}

/** Until something typed was taken. Not shown: until it is used it is as good as a password. */
async function takeTyped({ cli: { terminal }, client, signal }: Session, serverId: ServerId, until: AbortSignal): Promise<void> {
  for (;;) {
    const text = (await terminal.askHidden('If that browser cannot reach this computer, paste the address that it ends at, or the code (not shown): ', until)).trim();
    if (text === '') continue;
    try {
      await client.request('auth.complete', { serverId, ...(URL.canParse(text) ? { redirectUrl: text } : { code: text }) }, signal);
      return;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      // Why a sign-in ended is told by whoever waits for its end.
      if (error.code !== 'auth/waiting' && error.code !== 'request/invalid') return;
      terminal.remark(`${oneLine(error.message)}. The sign-in goes on.`);
    }
  }
}

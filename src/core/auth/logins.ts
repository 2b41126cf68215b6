import type { OAuthClientInformationMixed } from '@modelcontextprotocol/client';
import { AppError } from '../../shared/errors.ts';
import { SecretId, type ServerId } from '../../shared/ids.ts';
import { hashOf } from '../kernel/hash.ts';
import { Secret } from '../kernel/secret.ts';
import type { Documents, Vault } from '../ports.ts';
import type { Redactor } from '../secrets/redactor.ts';
import type { SignInTarget } from './sign-in-target.ts';
import { isForServer } from './discover.ts';
import { SignInsFile, StoredTokens, type ClientFacts, type LoginFacts, type ServerRecord } from './sign-in-record.ts';

export const signInsDocument = 'sign-ins.json';
const scope = 'sign-in';
const reader = 'Gatehouse';

export interface LoginsDeps {
  readonly documents: Documents;
  readonly vault: Vault;
  readonly redactor: Redactor;
  /** The server's facts are others now. */
  readonly onChange: (serverId: ServerId) => void;
}
/** A server as it is reached now: what is kept for another address of it does not count (F-160). */
export interface LoginPlace {
  readonly serverId: ServerId;
  /** A hash of its address, which may hold a secret. */
  readonly address: string;
}
/** The login there is for this server too: for its resource, or without one for its very address. */
export const mayShare = (target: Pick<SignInTarget, 'serverId' | 'url'>, { login, address }: ServerRecord): boolean =>
  login !== undefined && (login.resource === undefined ? address === placeOf(target).address : isForServer(target.url, login.resource));

export const placeOf = ({ serverId, url }: Pick<SignInTarget, 'serverId' | 'url'>): LoginPlace => ({ serverId, address: hashOf(url) });

/**
 * Logins and registrations. What may be shown is in sign-ins.json of the home, so that a server without a login never makes the keyring ask (F-154); tokens and client
 * secrets are in the vault, by (server, issuer, resource, client). Throws `vault/*`: nothing is ever kept in the open (F-157).
 */
export class Logins {
  readonly #deps: LoginsDeps;
  #file: SignInsFile = { version: 1, servers: {} };
  /** What is masked, by server: the present tokens and those before. Older ones are of no use to anybody, and would only make masking slow. */
  readonly #masked = new Map<ServerId, readonly (readonly Secret[])[]>();

  constructor(deps: LoginsDeps) {
    this.#deps = deps;
  }

  /** Throws `config/invalid` for a file that cannot be understood: there are no logins then, and it is not written. */
  async load(signal: AbortSignal): Promise<void> {
    const text = await this.#deps.documents.read(signInsDocument, signal);
    this.#file = text === undefined ? this.#file : parsed(text);
  }

  servers(): readonly ServerId[] {
    return Object.keys(this.#file.servers).map((id) => id as ServerId); // keys of the file are server ids
  }

  /** Whatever is kept, for whichever address. */
  record(serverId: ServerId): ServerRecord | undefined {
    return Object.hasOwn(this.#file.servers, serverId) ? this.#file.servers[serverId] : undefined;
  }

  at(place: LoginPlace): ServerRecord | undefined {
    const record = this.record(place.serverId);
    return record?.address === place.address ? record : undefined;
  }

  client(place: LoginPlace, issuer: string): ClientFacts | undefined {
    return this.at(place)?.clients.find((client) => client.issuer === issuer);
  }

  async clientSecret({ secretId }: ClientFacts, signal: AbortSignal): Promise<Secret | undefined> {
    const secret = secretId === undefined ? undefined : await this.#deps.vault.get(secretId, reader, signal);
    if (secret) this.#deps.redactor.register(secret);
    return secret;
  }

  /** What a client is known by at its issuer, with its secret for the moment of use. */
  async clientInformation(client: ClientFacts, signal: AbortSignal): Promise<OAuthClientInformationMixed> {
    const secret = await this.clientSecret(client, signal);
    return {
      client_id: client.clientId, ...(secret ? { client_secret: secret.reveal() } : {}),
      ...(client.authMethod === undefined ? {} : { token_endpoint_auth_method: client.authMethod }),
    };
  }

  /** In place of another client at that issuer. */
  async putClient(place: LoginPlace, client: Omit<ClientFacts, 'secretId'>, secret: Secret | undefined, signal: AbortSignal): Promise<ClientFacts> {
    const secretId = secret && vaultId('client', place.serverId, client.issuer, client.clientId);
    if (secret && secretId !== undefined) {
      this.#deps.redactor.register(secret);
      await this.#deps.vault.put(secretId, secret, scope, signal);
    }
    const facts: ClientFacts = { ...client, ...(secretId === undefined ? {} : { secretId }) };
    const before = this.client(place, client.issuer);
    await this.#change(place, (record) => ({ ...record, clients: [...record.clients.filter(({ issuer }) => issuer !== client.issuer), facts] }), signal);
    if (before?.secretId !== undefined && before.secretId !== secretId) await this.#deps.vault.remove(before.secretId, signal);
    return facts;
  }

  async forgetClient(place: LoginPlace, issuer: string, signal: AbortSignal): Promise<void> {
    const before = this.client(place, issuer);
    if (!before) return;
    await this.#change(place, (record) => ({ ...record, clients: record.clients.filter((client) => client.issuer !== issuer) }), signal);
    if (before.secretId !== undefined) await this.#deps.vault.remove(before.secretId, signal);
  }

  /** `undefined` where there are none, or where they are bound to somebody else. Asks the vault each time: another process may have renewed them. */
  async tokens(place: LoginPlace, { secretId, issuer, clientId }: LoginFacts, signal: AbortSignal): Promise<StoredTokens | undefined> {
    const secret = await this.#deps.vault.get(secretId, reader, signal);
    if (!secret) return undefined;
    this.#deps.redactor.register(secret);
    const tokens = StoredTokens.safeParse(jsonOf(secret.reveal())).data;
    if (!tokens || tokens.address !== place.address || tokens.issuer !== issuer || tokens.clientId !== clientId) return undefined;
    this.#register(place.serverId, tokens);
    return tokens;
  }

  /** On disk before it resolves; what was kept before for this server goes. */
  async putLogin(place: LoginPlace, login: Omit<LoginFacts, 'secretId'>, tokens: StoredTokens, signal: AbortSignal): Promise<LoginFacts> {
    this.#register(place.serverId, tokens);
    const secretId = vaultId('tokens', place.serverId, login.issuer, login.resource ?? '', login.clientId);
    await this.#deps.vault.put(secretId, new Secret(JSON.stringify(tokens)), scope, signal);
    const before = this.record(place.serverId)?.login?.secretId;
    const facts: LoginFacts = { ...login, secretId };
    await this.#change(place, ({ sharedFrom: _shared, ...record }) => ({ ...record, login: facts }), signal);
    if (before !== undefined && before !== secretId) await this.#deps.vault.remove(before, signal);
    return facts;
  }

  /** Facts alone. */
  async putFacts(place: LoginPlace, facts: LoginFacts, signal: AbortSignal): Promise<void> {
    await this.#change(place, (record) => ({ ...record, login: facts }), signal);
  }

  async allowHost(place: LoginPlace, host: string, signal: AbortSignal): Promise<void> {
    await this.#change(place, (record) => ({ ...record, allowedHosts: [...new Set([...record.allowedHosts, host])].slice(-50) }), signal);
  }

  async forbidHost(place: LoginPlace, host: string, signal: AbortSignal): Promise<void> {
    await this.#change(place, (record) => ({ ...record, allowedHosts: record.allowedHosts.filter((one) => one !== host) }), signal);
  }

  async share(place: LoginPlace, from: ServerId | undefined, signal: AbortSignal): Promise<void> {
    await this.#change(place, ({ sharedFrom: _before, ...record }) => ({ ...record, ...(from === undefined ? {} : { sharedFrom: from }) }), signal);
  }

  async pinIssuer(place: LoginPlace, issuer: string, signal: AbortSignal): Promise<void> {
    await this.#change(place, (record) => ({ ...record, machineIssuer: issuer }), signal);
  }

  /** Tokens, registrations, and a shared login's mark; a typed client unless `typed`. Allowed hosts stay. The file first: what is lost then is only unreachable. */
  async clear(serverId: ServerId, typed: boolean, signal: AbortSignal): Promise<void> {
    const before = this.record(serverId);
    if (!before) return;
    const kept = before.clients.filter(({ from }) => from === 'typed' && !typed);
    await this.#change({ serverId, address: before.address }, ({ allowedHosts, address }) => ({ address, allowedHosts, clients: kept }), signal);
    const gone = [before.login?.secretId, ...before.clients.filter((client) => !kept.includes(client)).map(({ secretId }) => secretId)];
    for (const id of gone) if (id !== undefined) await this.#deps.vault.remove(id, signal);
  }

  /** It has another id now. Under the new one first: whenever this ends, the login is somewhere. */
  async move(from: ServerId, to: ServerId, signal: AbortSignal): Promise<void> {
    const record = this.record(from);
    if (!record) return;
    const [was, will]: readonly [LoginPlace, LoginPlace] = [{ serverId: from, address: record.address }, { serverId: to, address: record.address }];
    const { login, clients, ...rest } = record;
    const tokens = login && (await this.tokens(was, login, signal));
    for (const client of clients) await this.putClient(will, client, await this.clientSecret(client, signal), signal);
    if (login && tokens) await this.putLogin(will, login, tokens, signal);
    await this.#change(will, (moved) => ({ ...moved, ...rest }), signal);
    await this.#write((servers) => Object.fromEntries(Object.entries(servers).map(([id, other]) => [id, other.sharedFrom === from ? { ...other, sharedFrom: to } : other])), signal);
    await this.forget(from, signal);
  }

  /** The server is no longer in any list. */
  async forget(serverId: ServerId, signal: AbortSignal): Promise<void> {
    if (!this.record(serverId)) return;
    await this.clear(serverId, true, signal);
    await this.#write((servers) => Object.fromEntries(Object.entries(servers).filter(([id]) => id !== serverId)), signal);
  }

  #register(serverId: ServerId, { accessToken, refreshToken, dpopKey }: StoredTokens): void {
    const present = [accessToken, refreshToken, dpopKey?.jwk['d']].flatMap((value) => (typeof value === 'string' ? [new Secret(value)] : []));
    const [last = [], before = []] = this.#masked.get(serverId) ?? [];
    if (last.map((secret) => secret.reveal()).join() === present.map((secret) => secret.reveal()).join()) return;
    for (const secret of present) this.#deps.redactor.register(secret);
    const still = new Set([...present, ...last].map((secret) => secret.reveal()));
    for (const secret of before) if (!still.has(secret.reveal())) this.#deps.redactor.forget(secret);
    this.#masked.set(serverId, [present, last]);
  }

  /** What is kept for another address of the server is given up with the first thing that is kept for this one. */
  async #change({ serverId, address }: LoginPlace, edit: (record: ServerRecord) => ServerRecord, signal: AbortSignal): Promise<void> {
    await this.#write((servers) => {
      const found = Object.hasOwn(servers, serverId) ? servers[serverId] : undefined;
      const current: ServerRecord = found?.address === address ? found : { address, clients: [], allowedHosts: [] };
      return { ...servers, [serverId]: edit(current) };
    }, signal);
    this.#deps.onChange(serverId);
  }

  async #write(edit: (servers: SignInsFile['servers']) => SignInsFile['servers'], signal: AbortSignal): Promise<void> {
    await this.#deps.documents.update(signInsDocument, (current) => {
      const file = current === undefined ? this.#file : parsed(current);
      this.#file = { version: 1, servers: edit(file.servers) };
      return `${JSON.stringify(this.#file, null, 2)}\n`;
    }, signal);
  }
}

const vaultId = (...parts: readonly string[]): SecretId => SecretId.parse(`oauth.${hashOf(parts).slice(0, 40)}`);

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function parsed(text: string): SignInsFile {
  const file = SignInsFile.safeParse(jsonOf(text));
  if (file.success) return file.data;
  throw new AppError('config/invalid', `${signInsDocument} cannot be understood`, { data: { file: signInsDocument } });
}

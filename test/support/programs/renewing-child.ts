import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Logins } from '../../../src/core/auth/logins.ts';
import type { SignInTarget } from '../../../src/core/auth/sign-in-target.ts';
import { TokenKeeper } from '../../../src/core/auth/token-keeper.ts';
import { Redactor } from '../../../src/core/secrets/redactor.ts';
import { systemClock } from '../../../src/node/clock.ts';
import { Network } from '../../../src/node/network/network.ts';
import { createSignInFetch } from '../../../src/node/network/sign-in-fetch.ts';
import { createDocuments } from '../../../src/node/records/documents.ts';
import { createLocks } from '../../../src/node/records/locks.ts';
import { systemKeyring } from '../../../src/node/vault/keyring.ts';
import { createVault } from '../../../src/node/vault/vault.ts';
import { ServerId } from '../../../src/shared/ids.ts';

/** Holds the logins of a home, through the system's keyring, as a process of its own. For each line `renew TOKEN` it renews the login whose token was refused, and tells the one there is now. */
const never = new AbortController().signal;
const [, , home = '', serverId = '', url = ''] = process.argv;

await using vault = createVault({ folder: join(home, 'vault'), keyring: systemKeyring(), clock: systemClock });
await using network = new Network();
await vault.open(never);
const redactor = new Redactor();
const logins = new Logins({ documents: createDocuments(home), vault, redactor, onChange: () => undefined });
await logins.load(never);
const keeper = new TokenKeeper({
  clock: systemClock, log: { info: () => undefined, warn: () => undefined, error: () => undefined }, logins, locks: createLocks(home), redactor,
  fetch: createSignInFetch({ network }), challenge: () => undefined, onExchange: () => undefined,
});
const target: SignInTarget = { serverId: ServerId.parse(serverId), server: 'secured', url, way: 'browser', settings: { hasSecret: false }, credentials: () => Promise.resolve({}) };
const tell = (words: string): void => void writeSync(1, `${words}\n`);

tell(`holds ${(await keeper.present(target, never))?.accessToken ?? 'nothing'}`);
for await (const line of createInterface({ input: process.stdin })) {
  const [, used = ''] = /^renew (.+)$/.exec(line) ?? [];
  const isRenewed = await keeper.renew(target, used, never).catch(() => 'failed');
  tell(`${String(isRenewed)} ${(await keeper.present(target, never))?.accessToken ?? 'nothing'}`);
}

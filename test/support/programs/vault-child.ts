import { writeSync } from 'node:fs';
import { Secret } from '../../../src/core/kernel/secret.ts';
import { systemClock } from '../../../src/node/clock.ts';
import { systemKeyring } from '../../../src/node/vault/keyring.ts';
import { createVault } from '../../../src/node/vault/vault.ts';
import { SecretId } from '../../../src/shared/ids.ts';

/** Puts `count` secrets named after `prefix` into the vault of `folder`, through the system's keyring. */
const never = new AbortController().signal;
const [, , folder = '', prefix = '', count = ''] = process.argv;

await using vault = createVault({ folder, keyring: systemKeyring(), clock: systemClock });
const status = await vault.open(never);
writeSync(1, `${status.phase === 'unavailable' ? status.why : status.phase}\n`);
for (let n = 0; n < Number(count); n++) {
  try {
    await vault.put(SecretId.parse(`${prefix}-${n}`), new Secret(`${prefix} value ${n}`), prefix, never);
    writeSync(1, `put ${n}\n`);
  } catch (error) {
    writeSync(1, `${error instanceof Error && 'code' in error ? String(error.code) : 'failed'}\n`);
  }
}

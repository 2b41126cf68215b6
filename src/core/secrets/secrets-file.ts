import * as z from 'zod';
import { AppError } from '../../shared/errors.ts';
import { Revision, SecretId, ServerId } from '../../shared/ids.ts';
import { SecretPolicy } from '../../shared/model/secret-entry.ts';

export const secretsDocument = 'secrets.json';

const Permission = z.strictObject({
  secret: SecretId,
  serverId: ServerId,
  server: z.string(),
  revision: Revision,
  digest: z.string().optional(),
  at: z.number(),
});
export type Permission = z.infer<typeof Permission>;

/** Policies and permissions by the vault's ids. No value is in it. */
const SecretsFile = z.strictObject({
  version: z.literal(1),
  policies: z.record(z.string(), SecretPolicy).default({}),
  permissions: z.array(Permission).default([]),
});
export type SecretsFile = z.infer<typeof SecretsFile>;
export const emptySecretsFile: SecretsFile = { version: 1, policies: {}, permissions: [] };

/** Throws `config/invalid`. */
export function readSecretsFile(text: string): SecretsFile {
  try {
    return SecretsFile.parse(JSON.parse(text));
  } catch (cause) {
    throw new AppError('config/invalid', `${secretsDocument} cannot be understood`, { data: { file: secretsDocument }, cause });
  }
}

import * as z from 'zod';
import { SecretId } from '../ids.ts';

export const ConfigScope = z.enum(['global', 'project']);
export type ConfigScope = z.infer<typeof ConfigScope>;

/** The name of a secret in its scope; what files say and people read. In the vault a project's secret has an id of its own (`secretIdOf`). */
export const SecretKey = SecretId;
export type SecretKey = SecretId;

export const SecretReference = z.strictObject({ secretRef: SecretKey, scope: ConfigScope });
export type SecretReference = z.infer<typeof SecretReference>;

/**
 * A value of an environment variable, header or credential, as it may be shown and sent:
 * `plain` is literal text that is no secret; `secretRef` names a secret; `template` is text with `${VAR}`, `$env:VAR`, `{env:VAR}`, `${VAR:-default}`
 * or a leading `!command`, worked out at launch; `literal` stands for text in a hand-edited file that looks secret and therefore never leaves core.
 */
export const ConfigValue = z.union([
  z.strictObject({ plain: z.string() }),
  SecretReference,
  z.strictObject({ template: z.string() }),
  z.strictObject({ literal: z.literal(true) }),
]);
export type ConfigValue = z.infer<typeof ConfigValue>;
export const ConfigValues = z.record(z.string().min(1), ConfigValue);
export type ConfigValues = z.infer<typeof ConfigValues>;

/**
 * A value as a person types it: a `secret` goes to the vault (as `key`, or a suggested name) and only its reference is saved; `kept` is whatever
 * the file holds for it now, shown or not; `secretRef` binds one that exists.
 */
export const DraftValue = z.union([
  z.strictObject({ plain: z.string().max(65_536) }),
  z.strictObject({ template: z.string().max(65_536) }),
  z.strictObject({ secret: z.string().min(1).max(65_536), key: SecretKey.optional() }),
  z.strictObject({ kept: z.literal(true) }),
  SecretReference,
]);
export type DraftValue = z.infer<typeof DraftValue>;
export const DraftValues = z.record(z.string().trim().min(1), DraftValue);

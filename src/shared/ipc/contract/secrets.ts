import * as z from 'zod';
import { ConfigScope, SecretKey } from '../../model/config-value.ts';
import { SecretPolicy, type FoundLiteral, type SecretEntry } from '../../model/secret-entry.ts';
import { request } from '../define.ts';

const one = z.strictObject({ scope: ConfigScope, key: SecretKey });
/** No route gives a value back. */
export const secrets = {
  /** `vault/*` while the vault cannot be opened. */
  'secrets.list': request<readonly SecretEntry[]>()(z.void()),
  /** Creates, or gives an existing one a new value; servers that use it are restarted at their next use. */
  'secrets.put': request<void>()(one.extend({ value: z.string().min(1).max(65_536), policy: SecretPolicy.optional() })),
  /** Rewrites the references in the files that the app owns. */
  'secrets.rename': request<void>()(one.extend({ to: SecretKey })),
  /** `secret/in-use` unless `force`. */
  'secrets.remove': request<void>()(one.extend({ force: z.boolean().default(false) })),
  /** `null`: the global default. */
  'secrets.set-policy': request<void>()(one.extend({ policy: SecretPolicy.nullable() })),
  'secrets.literals': request<readonly FoundLiteral[]>()(z.void()),
  /** Stores the text that stands in the file and writes its reference there. */
  'secrets.move-to-vault': request<void>()(z.strictObject({ source: z.string().max(400), server: z.string().max(400), field: z.string().max(400), as: SecretKey })),
  /** Answers a launch that waits. `always` is remembered for this launch identity and secret; given in the window or at a terminal only. */
  'secrets.answer': request<void>()(z.strictObject({ questionId: z.string().max(100), answer: z.enum(['once', 'always', 'deny']) })),
  /** A new master key: names, scopes and policies stay, values are gone. */
  'secrets.reset-vault': request<void>()(z.strictObject({ confirm: z.literal('forget all values') })),
};

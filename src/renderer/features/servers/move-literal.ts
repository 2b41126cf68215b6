import type { SecretReference } from '../../../shared/model/config-value.ts';
import { api, RequestError } from '../../bridge/api.ts';

/** Puts text that stands in the file in the open into the vault, at once, and its reference in its place. `field` as in `env.API_KEY`. */
export async function moveLiteral(server: string, field: string): Promise<SecretReference> {
  const found = (await api.secrets.literals()).find((literal) => literal.server === server && literal.field === field && literal.fixed === undefined);
  if (!found) throw new RequestError({ code: 'secret/missing', message: 'It does not stand in a file that Gatehouse writes' });
  await api.secrets.moveToVault({ source: found.source, server, field, as: found.suggestedKey });
  return { secretRef: found.suggestedKey, scope: found.scope };
}

import { AppError } from '../../shared/errors.ts';
import { sdkNow, type Sdk } from '../kernel/sdk.ts';

/** Answers by which a provider says "not now": whatever is kept stays, and is tried again. */
const passing = new Set(['server_error', 'temporarily_unavailable', 'slow_down', 'too_many_requests']);

/** What a token or registration endpoint refused, in the app's words; its own are in the message. Nothing that was sent is in it. */
export function asSignInError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  const sdk = sdkNow();
  const said = sdk && ofSdk(thrown, sdk);
  if (said) return said;
  if (thrown instanceof Error && (thrown.name === 'ZodError' || thrown.name === '$ZodError' || thrown instanceof SyntaxError)) {
    return new AppError('auth/failed', 'The provider’s answer has not the form of OAuth', { cause: thrown });
  }
  if (thrown instanceof Error && thrown.message.startsWith('Incompatible auth server')) return new AppError('auth/failed', thrown.message.slice(0, 300), { cause: thrown });
  return AppError.from(thrown);
}

function ofSdk(thrown: unknown, sdk: Sdk): AppError | undefined {
  if (thrown instanceof sdk.OAuthError) {
    if (passing.has(thrown.code)) return new AppError('connection/unreachable', `The provider cannot do it now (${thrown.code})`, { data: { error: thrown.code }, cause: thrown });
    return new AppError('auth/failed', `${thrown.code}: ${thrown.message}`.slice(0, 500), { data: { error: thrown.code }, cause: thrown });
  }
  if (thrown instanceof sdk.RegistrationRejectedError) return new AppError('auth/client-needed', `The provider registers nobody by itself (HTTP ${thrown.status})`, { data: { status: thrown.status }, cause: thrown });
  if (thrown instanceof sdk.IssuerMismatchError) return new AppError('auth/issuer-mismatch', 'The answer came from another issuer than the one that was asked', { data: { kind: thrown.kind }, cause: thrown });
  if (thrown instanceof sdk.InsecureTokenEndpointError) return new AppError('auth/address-refused', 'The address for tokens is not https', { data: { why: 'scheme' }, cause: thrown });
  return undefined;
}

/** The code of a provider's refusal (RFC 6749, section 5.2). */
function refusalOf(thrown: unknown): string | undefined {
  const sdk = sdkNow();
  return sdk && thrown instanceof sdk.OAuthError ? thrown.code : undefined;
}
/** The grant itself was refused: asking again with the same is of no use. */
export const isGrantRefused = (thrown: unknown): boolean => ['invalid_grant', 'invalid_dpop_proof'].includes(refusalOf(thrown) ?? '');
/** The provider does not know the client any more. */
export const isClientRefused = (thrown: unknown): boolean => ['invalid_client', 'unauthorized_client'].includes(refusalOf(thrown) ?? '');

import type { SecretReference } from '../../../shared/model/config-value.ts';

const none: readonly SecretReference[] = [];
/** Secrets that a value can be bound to. */
export const useSecretNames = (): readonly SecretReference[] => none;

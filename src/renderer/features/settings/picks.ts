import type { SecretReference } from '../../../shared/model/config-value.ts';
import type { Candidate, ImportPlan } from '../../../shared/model/exchange.ts';
import type { SecretId } from '../../../shared/ids.ts';
import type { api } from '../../bridge/api.ts';

export type PickInput = Parameters<typeof api.exchange.adopt>[0]['picks'][number];
/** A server that may be taken over, with the source that it is from; `text` for what was pasted. */
export interface Offered {
  readonly source: string;
  readonly label: string;
  readonly candidate: Candidate;
}
export type SecretChoice =
  /** Into the vault, under this name. */
  | { readonly kind: 'create'; readonly name: string }
  | { readonly kind: 'use'; readonly ref: SecretReference }
  /** In the open: it is no secret. */
  | { readonly kind: 'plain' };
export type WhenTaken = 'choose' | 'skip' | 'rename' | 'replace';
/** What a person decided about one of them. */
export interface PickDraft {
  readonly offered: Offered;
  readonly as: string;
  readonly whenTaken: WhenTaken;
  /** By `secretKeyOf`. */
  readonly secrets: Readonly<Record<string, SecretChoice>>;
}

export const offerKey = ({ source, candidate }: Offered): string => `${source}\n${candidate.name}`;
export const secretKeyOf = ({ field, key }: { readonly field: string; readonly key: string }): string => `${field}.${key}`;

export const beginPick = (offered: Offered): PickDraft => ({ offered, as: offered.candidate.name, whenTaken: 'choose', secrets: {} });

/** What is sent for it. A choice that was not made is not made up: a name that is taken is refused. */
export function pickOf({ offered: { source, candidate }, as, whenTaken, secrets }: PickDraft): PickInput {
  const name = as.trim();
  const chosen = Object.entries(secrets).map(([key, choice]) => [key, sentChoice(choice)] as const);
  return {
    source, name: candidate.name,
    ...(name === candidate.name || name === '' ? {} : { as: name }),
    onDuplicate: whenTaken === 'choose' ? 'refuse' : whenTaken,
    ...(chosen.length === 0 ? {} : { secrets: Object.fromEntries(chosen) }),
  };
}
function sentChoice(choice: SecretChoice): NonNullable<PickInput['secrets']>[string] {
  switch (choice.kind) {
    case 'create':
      return { create: choice.name.trim() as SecretId }; // core parses it again
    case 'use':
      return { use: choice.ref.secretRef, scope: choice.ref.scope };
    case 'plain':
      return { plain: true };
  }
}

/** How many of them wait for a decision, and how many would be written. */
export function planCounts(plan: ImportPlan): { readonly open: number; readonly written: number } {
  const open = plan.rows.filter(({ action }) => action === 'refuse').length;
  return { open, written: plan.rows.filter(({ action }) => action !== 'refuse' && action !== 'skip').length };
}

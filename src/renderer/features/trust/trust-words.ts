import type { TrustFact, TrustQuestion, TrustRuns, TrustServer } from '../../../shared/model/project-trust.ts';
import { countText } from '../../ui/time.ts';

/** What a fact is, in the words of its row. In this order: what runs comes first. */
const factNames: { readonly [K in TrustFact['kind']]: string } = {
  command: 'Runs',
  'secret-command': 'Asks to run',
  address: 'Contacts',
  socket: 'Contacts',
  folder: 'In the folder',
  'env-file': 'Reads the file',
  environment: 'Sets',
  headers: 'Sends headers',
  secret: 'Reads the secret',
  'sign-in': 'Signs in with',
  switch: 'Is',
  run: 'Sets runs to',
};
const order = Object.keys(factNames);

export interface FactRow {
  readonly kind: TrustFact['kind'];
  readonly name: string;
  /** `gone` was trusted before and stands there no longer. */
  readonly texts: readonly { readonly text: string; readonly state: 'same' | 'added' | 'gone' }[];
}

/** Facts of a server, or of runs, by kind; against what was trusted before, where that is another. What is gone comes before what took its place. */
export function factRows({ facts, before, change }: TrustRuns): readonly FactRow[] {
  const compared = change === 'changed' || change === 'removed';
  const has = (list: readonly TrustFact[], fact: TrustFact): boolean =>
    list.some(({ kind, text }) => kind === fact.kind && text === fact.text);
  const gone = (before ?? []).filter((fact) => !has(facts, fact)).map((fact) => ({ ...fact, state: 'gone' as const }));
  const now = facts.map((fact) => ({ ...fact, state: compared && !has(before ?? [], fact) ? ('added' as const) : ('same' as const) }));
  const all = [...gone, ...now];
  const kinds = [...new Set(all.map(({ kind }) => kind))].toSorted((one, other) => order.indexOf(one) - order.indexOf(other));
  return kinds.map((kind) => ({
    kind,
    name: factNames[kind],
    texts: all.filter((fact) => fact.kind === kind).map(({ text, state }) => ({ text, state })),
  }));
}

const weight = { changed: 0, new: 1, removed: 2, same: 3 } as const;

/** What is not known yet first: that is what the person is asked about. */
export const inOrder = (servers: readonly TrustServer[]): readonly TrustServer[] =>
  servers.toSorted((one, other) => weight[one.change] - weight[other.change]);

/** `2 servers, 1 changed, 1 removed`. */
export function summaryOf({ servers, runs, again }: TrustQuestion): string {
  const settings = runs.some(({ change }) => change !== 'removed') ? ', and what runs are set to' : '';
  return `${serversOf({ servers, again })}${settings}`;
}

function serversOf({ servers, again }: Pick<TrustQuestion, 'servers' | 'again'>): string {
  const count = (change: TrustServer['change']): number => servers.filter((server) => server.change === change).length;
  const present = countText(servers.length - count('removed'), 'server');
  if (!again) return present;
  const changes = (['changed', 'new', 'removed'] as const).flatMap((change) => (count(change) > 0 ? [`${count(change)} ${change}`] : []));
  return [present, ...(changes.length > 0 ? changes : ['none of them changed'])].join(', ');
}

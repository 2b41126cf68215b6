import { KeyRound } from 'lucide-react';
import type { ConfigScope, SecretReference } from '../../../shared/model/config-value.ts';
import type { ImportPlan, SecretDescriptor } from '../../../shared/model/exchange.ts';
import { looksSecret } from '../../../shared/text/looks-secret.ts';
import { useSecretNames } from '../../bridge/secret-names.ts';
import { Badge } from '../../ui/badge.tsx';
import { Input } from '../../ui/input.tsx';
import { Select } from '../../ui/select.tsx';
import { VisibleText } from '../../ui/visible-text.tsx';
import { secretKeyOf, type SecretChoice, type PickDraft, type WhenTaken } from './picks.ts';

type PlanRow = ImportPlan['rows'][number];
const actionWords: Readonly<Record<PlanRow['action'], string>> = { add: 'Added', replace: 'Replaced', rename: 'Renamed', skip: 'Left out', refuse: 'Name is taken' };

/** One server on its way in: its name, and each of its secrets. */
export function PickRow({ item, plan, scope, onChange }: {
  readonly item: PickDraft;
  readonly plan: ImportPlan | undefined;
  readonly scope: ConfigScope;
  readonly onChange: (item: PickDraft) => void;
}) {
  const { offered, as, whenTaken, secrets } = item;
  const { candidate } = offered;
  const row = plan?.rows.find((one) => one.source === offered.source && one.name === candidate.name);
  const taken = row !== undefined && row.action !== 'add';
  const choose = (descriptor: SecretDescriptor, choice: SecretChoice) => onChange({ ...item, secrets: { ...secrets, [secretKeyOf(descriptor)]: choice } });
  return (
    <div className="flex flex-col gap-2 border-b border-line px-3 py-2.5">
      <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-2">
        <Input aria-label={`Name for ${candidate.name}`} maxLength={100} value={as} onChange={(event) => onChange({ ...item, as: event.currentTarget.value })} />
        {taken ? (
          <Select<Exclude<WhenTaken, 'choose'>>
            name={`The name ${as} is taken`}
            className="w-44"
            placeholder="Name is taken…"
            value={whenTaken === 'choose' ? undefined : whenTaken}
            onChange={(chosen) => onChange({ ...item, whenTaken: chosen })}
            options={[
              { value: 'skip', label: 'Leave it out' },
              { value: 'rename', label: row.action === 'rename' ? `Call it ${row.as}` : 'Call it otherwise' },
              { value: 'replace', label: 'Replace what is there' },
            ]}
          />
        ) : (
          <span className="w-44 text-right text-detail text-ink-3">{row ? actionWords[row.action] : ''}</span>
        )}
      </div>
      <p className="flex min-w-0 items-center gap-2 text-detail text-ink-3">
        <span className="shrink-0">{offered.label}</span>
        <code className="min-w-0 truncate"><VisibleText text={candidate.target} /></code>
        {candidate.enabled ? null : <Badge>Off</Badge>}
      </p>
      {whenTaken === 'skip' && taken ? null : candidate.secretDescriptors.map((descriptor) => (
        <SecretRow key={secretKeyOf(descriptor)} descriptor={descriptor} scope={scope} choice={secrets[secretKeyOf(descriptor)]} onChange={(choice) => choose(descriptor, choice)} />
      ))}
    </div>
  );
}

/** What becomes of a text that looks secret. By default it goes to the vault, under the suggested name. */
function SecretRow({ descriptor, scope, choice, onChange }: {
  readonly descriptor: SecretDescriptor;
  readonly scope: ConfigScope;
  readonly choice: SecretChoice | undefined;
  readonly onChange: (choice: SecretChoice) => void;
}) {
  const known = useSecretNames().filter((ref) => scope === 'project' || ref.scope === 'global');
  const { field, key, suggestedKey } = descriptor;
  const called = field === key || field === 'args' || field === 'url' ? `${field} ${key}`.trim() : key;
  const now = choice ?? { kind: 'create', name: suggestedKey };
  const mayBePlain = (field === 'env' || field === 'headers') && !looksSecret(key);
  const kinds = [
    { value: 'create' as const, label: field === 'input' ? 'Asked for later' : 'Into the vault' },
    ...(known.length > 0 ? [{ value: 'use' as const, label: 'One that is there' }] : []),
    ...(mayBePlain ? [{ value: 'plain' as const, label: 'In the open' }] : []),
  ];
  const become = (kind: SecretChoice['kind']) => {
    const [first] = known;
    if (kind === 'create') onChange({ kind, name: suggestedKey });
    else if (kind === 'plain') onChange({ kind });
    else if (first) onChange({ kind, ref: first });
  };
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_9.5rem_minmax(0,1.6fr)] items-center gap-2 pl-1">
      <span className="flex min-w-0 items-center gap-1.5 text-detail text-ink-2">
        <KeyRound size={12} strokeWidth={1.75} className="shrink-0 text-ink-3" aria-hidden />
        <code className="min-w-0 truncate" title={`${field}.${key}`}><VisibleText text={called} /></code>
      </span>
      <Select<SecretChoice['kind']> size="s" name={`What becomes of ${called}`} value={now.kind} onChange={become} options={kinds} />
      {now.kind === 'create' ? (
        <Input code className="h-7!" aria-label={`Name in the vault for ${called}`} value={now.name} onChange={(event) => onChange({ kind: 'create', name: event.currentTarget.value })} />
      ) : now.kind === 'use' ? (
        <Select<string>
          size="s" name={`Secret for ${called}`} value={refKey(now.ref)} className="w-full"
          options={known.map((ref) => ({ value: refKey(ref), label: <span className="font-code text-code">{ref.secretRef}</span> }))}
          onChange={(chosen) => {
            const ref = known.find((one) => refKey(one) === chosen);
            if (ref) onChange({ kind: 'use', ref });
          }}
        />
      ) : <span className="text-detail text-ink-3">written into the file</span>}
    </div>
  );
}
const refKey = (ref: SecretReference): string => `${ref.scope} ${ref.secretRef}`;

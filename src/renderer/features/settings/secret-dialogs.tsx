import { Lock } from 'lucide-react';
import { useState } from 'react';
import type { ConfigScope } from '../../../shared/model/config-value.ts';
import type { SecretEntry, SecretPolicy } from '../../../shared/model/secret-entry.ts';
import { api } from '../../bridge/api.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { useApp } from '../../bridge/live.ts';
import { useRequest } from '../../bridge/request-state.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Input, TextArea } from '../../ui/input.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Select } from '../../ui/select.tsx';
import { VisibleText } from '../../ui/visible-text.tsx';
import { SecretName } from './secret-name.tsx';
import { FormDialog } from './form-dialog.tsx';
import { asUsual, keyProblem, policyWords } from './secret-words.ts';

interface OneProps {
  readonly entry: SecretEntry;
  readonly onClose: () => void;
}

/** A name and a value, or for `entry` a new value. What is typed is masked, and forgotten with the dialog. */
export function SecretDialog({
  entry,
  entries,
  onClose,
}: {
  readonly entry?: SecretEntry;
  readonly entries: readonly SecretEntry[];
  readonly onClose: () => void;
}) {
  const project = useApp((state) => state.settings.project);
  const fallback = useApp((state) => state.settings.secretPolicy) ?? 'prompt';
  const [name, setName] = useState('');
  const [scope, setScope] = useState<ConfigScope>(entry?.scope ?? 'global');
  const [value, setValue] = useState('');
  const [policy, setPolicy] = useState<SecretPolicy | 'default'>('default');
  const [checking, setChecking] = useState(false);
  const { state, run } = useRequest();
  const problem = entry
    ? undefined
    : keyProblem(
        name,
        entries.filter((one) => one.scope === scope && !one.missing).map(({ key }) => key),
      );
  const empty = value === '' ? 'It needs a value.' : undefined;
  const save = () => {
    setChecking(true);
    if (problem !== undefined || empty !== undefined) return;
    const key = entry?.key ?? name.trim();
    run(async () => {
      await api.secrets.put({ scope, key, value, ...(policy === 'default' ? {} : { policy }) });
      onClose();
    });
  };
  return (
    <FormDialog
      title={entry ? (entry.missing ? `Enter the value of ${entry.key}` : `New value of ${entry.key}`) : 'New secret'}
      action={entry ? 'Save' : 'Add'}
      state={state}
      onSave={save}
      onClose={onClose}
      vault
    >
      {entry ? null : (
        <>
          <Field label="Name" error={checking ? problem : undefined} hint="What files write in place of the value, such as github.token.">
            {(parts) => <Input {...parts} code maxLength={200} value={name} onChange={(event) => setName(event.currentTarget.value)} />}
          </Field>
          {project === undefined ? null : (
            <div className="flex flex-col gap-1">
              <p className="text-list font-[550] text-ink">For</p>
              <Segmented
                name="For"
                value={scope}
                onChange={setScope}
                options={[
                  { value: 'global', label: 'All projects' },
                  { value: 'project', label: 'The open project' },
                ]}
              />
            </div>
          )}
        </>
      )}
      <Field
        label="Value"
        error={checking ? empty : undefined}
        hint={
          <span className="inline-flex items-start gap-1">
            <Lock size={11} strokeWidth={1.75} className="mt-0.5 shrink-0" aria-hidden />
            It is never shown again.{entry && !entry.missing ? ' Servers that use it start anew at their next use.' : ''}
          </span>
        }
      >
        {(parts) => (
          <TextArea
            {...parts}
            code
            rows={1}
            autoComplete="off"
            spellCheck={false}
            className="[-webkit-text-security:disc]"
            value={value}
            onChange={(event) => setValue(event.currentTarget.value)}
          />
        )}
      </Field>
      {entry ? null : (
        <Field label="When a server wants to read it">
          {(parts) => (
            <Select
              {...parts}
              value={policy}
              onChange={setPolicy}
              className="w-full"
              options={[{ value: 'default', label: asUsual(fallback) }, ...policies]}
            />
          )}
        </Field>
      )}
    </FormDialog>
  );
}

export const policies = (['prompt', 'auto', 'deny'] as const).map((value) => ({ value, label: policyWords[value] }));

export function RenameSecretDialog({ entry, entries, onClose }: OneProps & { readonly entries: readonly SecretEntry[] }) {
  const [name, setName] = useState<string>(entry.key);
  const { state, run } = useRequest();
  const same = name.trim() === entry.key;
  const problem = same
    ? undefined
    : keyProblem(
        name,
        entries.filter((one) => one.scope === entry.scope && !one.missing).map(({ key }) => key),
      );
  const save = () => {
    if (problem !== undefined) return;
    run(async () => {
      if (!same) await api.secrets.rename({ scope: entry.scope, key: entry.key, to: name.trim() });
      onClose();
    });
  };
  return (
    <FormDialog title={`Rename ${entry.key}`} action="Rename" state={state} onSave={save} onClose={onClose}>
      <Field
        label="New name"
        error={problem}
        hint="Gatehouse’s own files are changed with it. Where another program’s file names it, the old name stays too."
      >
        {(parts) => <SecretName parts={parts} value={name} onValue={setName} />}
      </Field>
    </FormDialog>
  );
}

/** Says where it is used. Used ones are deleted all the same when the person says so. */
export function DeleteSecretDialog({ entry, onClose }: OneProps) {
  const { state, run } = useRequest();
  const used = entry.usedBy.length > 0;
  const remove = () =>
    run(async () => {
      await api.secrets.remove({ scope: entry.scope, key: entry.key, force: used });
      onClose();
    });
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Delete ${entry.key}?`}
      description={
        used ? 'Servers that name it will not start until it has a value again.' : 'Its value is gone for good. No server uses it.'
      }
      footer={
        <>
          <Button look="plain" onClick={onClose}>
            Keep
          </Button>
          <Button look="danger" busy={state.phase === 'sending'} onClick={remove}>
            {used ? 'Delete all the same' : 'Delete secret'}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <SecretUses entry={entry} />
        {state.phase === 'failed' ? <FailureNote error={state.error} compact /> : null}
      </div>
    </Dialog>
  );
}

/** Every place that names it. */
export const SecretUses = ({ entry: { usedBy } }: { readonly entry: SecretEntry }) =>
  usedBy.length === 0 ? null : (
    <ul aria-label="Used by" className="max-h-56 divide-y divide-line overflow-y-auto rounded-card border border-line text-list">
      {usedBy.map(({ server, source, field }) => (
        <li key={`${source} ${server} ${field}`} className="flex min-w-0 flex-wrap gap-x-2 px-3 py-1.5">
          <span className="min-w-0 font-[550] break-words text-ink">
            <VisibleText text={server} />
          </span>
          <span className="min-w-0 font-code text-code break-all text-ink-2">
            <VisibleText text={field} />
          </span>
          <span className="ml-auto min-w-0 break-all text-ink-3">
            <VisibleText text={source} />
          </span>
        </li>
      ))}
    </ul>
  );

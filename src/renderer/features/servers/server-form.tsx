import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import type { TransportType } from '../../../shared/model/server-definition.ts';
import { RequestError } from '../../bridge/api.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { useApp } from '../../bridge/live.ts';
import { useRequest } from '../../bridge/request-state.ts';
import type { ServerFormProps } from '../../bridge/server-form-view.ts';
import { VaultChoice } from '../../bridge/vault-choice.tsx';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { AdvancedOptions } from './advanced-options.tsx';
import { moveLiteral } from './move-literal.ts';
import { problemsOf } from './server-form-errors.ts';
import { draftOf, emptyForm, formOf, usesVault, type Problems, type ServerForm as Form } from './server-form-model.ts';
import { useSecretNames } from '../../bridge/secret-names.ts';
import { suggestName } from './suggest-name.ts';
import { EnvFileField, TransportFields } from './transport-fields.tsx';
import { ValueRows } from './value-rows.tsx';

const transports: readonly { readonly value: TransportType; readonly label: string }[] = [
  { value: 'stdio', label: 'Command' },
  { value: 'streamable-http', label: 'HTTP' },
  { value: 'sse', label: 'SSE' },
  { value: 'socket', label: 'Socket' },
];
const means: Readonly<Record<TransportType, string>> = {
  stdio: 'Gatehouse starts a program on this computer when it is needed, and ends it.',
  'streamable-http': 'It runs somewhere else and is reached over the web.',
  sse: 'It runs somewhere else and is reached over the web, the older way.',
  socket: 'It runs on this computer already and listens at a socket.',
};

/** A server's definition, new or changed. Enter saves from a one-line field, Ctrl or ⌘ with it from anywhere. */
export function ServerForm({ definition, typed, own, saveLabel, nameFixed = false, note, onSave, onCancel, onMoved }: ServerFormProps) {
  // `typed` is what `onSave` below gave.
  const [form, setForm] = useState<Form>(() => (typed as Form | undefined) ?? (definition ? formOf(definition) : emptyForm()));
  const [problems, setProblems] = useState<Problems>({});
  const [checking, setChecking] = useState(false);
  const [named, setNamed] = useState(definition !== undefined || typed !== undefined);
  const root = useRef<HTMLFormElement>(null);
  const vaultNote = useRef<HTMLDivElement>(null);
  const failureNote = useRef<HTMLDivElement>(null);
  const vault = useApp((state) => state.vault);
  const secrets = useSecretNames();
  const { state, run, clear } = useRequest();
  const unavailable = vault?.phase === 'unavailable' ? vault : undefined;

  const here = (field: string): boolean => own === undefined || own.has(field);
  const move = definition ? (field: string) => moveLiteral(definition.name, field).finally(() => onMoved?.()) : undefined;

  const change = (part: Partial<Form>) => {
    const entered = { ...form, ...part };
    const next = named || 'name' in part ? entered : { ...entered, name: suggestName(entered) };
    setForm(next);
    if (state.phase === 'failed') clear();
    if (!checking) return;
    const checked = draftOf(next, here);
    setProblems(checked.ok ? {} : checked.problems);
  };
  const focusProblem = () => requestAnimationFrame(() => root.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus());
  const save = () => {
    setChecking(true);
    const checked = draftOf(form, here);
    setProblems(checked.ok ? {} : checked.problems);
    if (!checked.ok) return focusProblem();
    run(async () => {
      try {
        await onSave(checked.draft, form);
      } catch (thrown) {
        const refused = problemsOf(RequestError.from(thrown), form);
        setProblems(refused);
        focusProblem();
        throw thrown;
      }
    });
  };
  const key = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    save();
  };
  // What is said on a field is not said again below.
  const general = state.phase === 'failed' && Object.keys(problems).length === 0 ? state.error : undefined;
  const aboutVault = unavailable !== undefined && general?.code.startsWith('vault/') === true;
  const count = Object.keys(problems).length;
  useEffect(() => {
    if (general) (vaultNote.current ?? failureNote.current)?.scrollIntoView({ block: 'nearest' });
  }, [general]);

  return (
    <form
      ref={root}
      noValidate
      aria-label={definition ? `Edit ${definition.name}` : 'Add a server'}
      className="flex flex-col gap-5"
      onKeyDown={key}
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      {note}
      <div className="flex flex-col gap-1.5">
        <span className="text-list font-[550] text-ink">How is it reached?</span>
        <Segmented name="How is it reached?" value={form.type} options={transports} onChange={(type) => change({ type })} />
        <p className="text-detail text-ink-3">{means[form.type]}</p>
      </div>
      <TransportFields form={form} problems={problems} onChange={change} autoFocus={definition === undefined} key={form.type} />
      <Field label="Name" error={problems['name']} hint={nameFixed ? 'It stands for the server of this name.' : 'How you and the models tell it from others.'}>
        {(parts) => (
          <Input
            {...parts}
            data-field="name"
            maxLength={100}
            readOnly={nameFixed}
            value={form.name}
            onChange={(event) => {
              setNamed(event.currentTarget.value !== '');
              change({ name: event.currentTarget.value });
            }}
          />
        )}
      </Field>
      {form.type === 'stdio' ? (
        <>
          <ValueRows kind="env" rows={form.env} problems={problems} secrets={secrets} onMove={here('env') ? move : undefined} onChange={(env) => change({ env })} />
          <EnvFileField form={form} problems={problems} onChange={change} />
        </>
      ) : null}
      {form.type === 'streamable-http' || form.type === 'sse' ? (
        <ValueRows kind="headers" rows={form.headers} problems={problems} secrets={secrets} onMove={here('headers') ? move : undefined} onChange={(headers) => change({ headers })} />
      ) : null}
      {unavailable && usesVault(form) ? (
        <div ref={vaultNote} className="scroll-mb-20">
          <VaultChoice status={unavailable} />
        </div>
      ) : null}
      {vault?.phase === 'memory-only' && usesVault(form) ? (
        <p className="text-detail text-ink-2">Secrets are kept in memory only: enter them again after you quit Gatehouse.</p>
      ) : null}
      <AdvancedOptions
        type={form.type} options={form.options} problems={problems} secrets={secrets} onMove={move}
        onChange={(part) => change({ options: { ...form.options, ...part } })}
      />
      {general && !aboutVault ? (
        <div ref={failureNote} className="scroll-mb-20">
          <FailureNote error={general} context={{ server: form.name }} onRetry={save} />
        </div>
      ) : null}
      <div className="sticky bottom-0 flex items-center gap-2 border-t border-line bg-pane py-3">
        <Button look="primary" type="submit" busy={state.phase === 'sending'}>
          {saveLabel}
        </Button>
        <Button look="plain" onClick={onCancel}>
          Cancel
        </Button>
        <span role="status" className="ml-auto text-detail text-bad">
          {count === 0 ? '' : count === 1 ? 'One field needs a look.' : `${count} fields need a look.`}
        </span>
      </div>
    </form>
  );
}

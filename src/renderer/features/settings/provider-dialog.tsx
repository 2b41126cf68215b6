import { Lock } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import type { ModelProvider, ProviderKind } from '../../../shared/model/settings.ts';
import { api } from '../../bridge/api.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { useApp } from '../../bridge/live.ts';
import { useRequest } from '../../bridge/request-state.ts';
import { VaultChoice } from '../../bridge/vault-choice.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Input, TextArea } from '../../ui/input.tsx';
import { checkProvider, formFor, keyExamples, kindNames, type ProviderForm, type ProviderProblems } from './provider-draft.ts';

/** A provider, new or changed. Its key is typed once, goes to the vault and is never shown again. */
export function ProviderDialog({
  kind,
  provider,
  onClose,
  onSaved,
}: {
  readonly kind: ProviderKind;
  readonly provider?: ModelProvider;
  readonly onClose: () => void;
  readonly onSaved: (providerId: string) => void;
}) {
  const [form, setForm] = useState<ProviderForm>(() => formFor(kind, provider));
  const [problems, setProblems] = useState<ProviderProblems>({});
  const [checking, setChecking] = useState(false);
  const vault = useApp((state) => state.vault);
  const { state, run, clear } = useRequest();
  const formId = useId();
  const root = useRef<HTMLFormElement>(null);
  const unavailable = vault?.phase === 'unavailable' ? vault : undefined;
  const change = (part: Partial<ProviderForm>) => {
    const next = { ...form, ...part };
    setForm(next);
    if (state.phase === 'failed') clear();
    if (!checking) return;
    const checked = checkProvider(next, kind, provider);
    setProblems(checked.ok ? {} : checked.problems);
  };
  const save = () => {
    setChecking(true);
    const checked = checkProvider(form, kind, provider);
    setProblems(checked.ok ? {} : checked.problems);
    if (!checked.ok) {
      requestAnimationFrame(() => root.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus());
      return;
    }
    run(async () => onSaved((await api.models.saveProvider(checked.draft)).providerId));
  };
  const compatible = kind === 'openai-compatible';
  const keyKept = provider?.keyRef !== undefined;
  return (
    <Dialog
      open
      onClose={onClose}
      title={provider ? `Edit ${provider.name}` : compatible ? 'Add an OpenAI-compatible provider' : `Add ${kindNames[kind]}`}
      footer={
        <>
          <Button look="plain" onClick={onClose}>
            Cancel
          </Button>
          <Button look="primary" type="submit" form={formId} busy={state.phase === 'sending'}>
            {provider ? 'Save' : 'Add'}
          </Button>
        </>
      }
    >
      <form
        ref={root}
        id={formId}
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        {compatible ? <AddressField compatible form={form} problems={problems} onChange={change} /> : null}
        <Field
          label="Key"
          optional={compatible}
          error={problems.key}
          hint={
            <span className="inline-flex items-start gap-1">
              <Lock size={11} strokeWidth={1.75} className="mt-0.5 shrink-0" aria-hidden />
              {vault?.phase === 'memory-only'
                ? 'Kept in memory until you quit, and never written.'
                : 'Kept in the vault, its key on your system’s keyring. It is never shown again and goes to this provider only.'}
            </span>
          }
        >
          {(parts) => (
            <Input
              {...parts}
              code
              type="password"
              autoComplete="new-password"
              autoFocus={!compatible && !provider}
              placeholder={keyKept ? '••••••  saved. Type a new one to replace it' : keyExamples[kind]}
              value={form.key}
              onChange={(event) => change({ key: event.currentTarget.value })}
            />
          )}
        </Field>
        {unavailable && form.key !== '' ? <VaultChoice status={unavailable} /> : null}
        <Field label="Name" error={problems.name}>
          {(parts) => (
            <Input
              {...parts}
              maxLength={100}
              placeholder={compatible ? 'What you call it' : kindNames[kind]}
              value={form.name}
              onChange={(event) => change({ name: event.currentTarget.value })}
            />
          )}
        </Field>
        {compatible ? null : <AddressField compatible={false} form={form} problems={problems} onChange={change} />}
        <Field label="Models by hand" optional error={problems.models} hint="Only those that it does not list itself, one to a line.">
          {(parts) => (
            <TextArea
              {...parts}
              code
              rows={2}
              spellCheck={false}
              value={form.models}
              onChange={(event) => change({ models: event.currentTarget.value })}
            />
          )}
        </Field>
        {state.phase === 'failed' && !(unavailable && state.error.code.startsWith('vault/')) ? (
          <FailureNote error={state.error} compact onRetry={save} />
        ) : null}
      </form>
    </Dialog>
  );
}

const AddressField = ({
  compatible,
  form,
  problems,
  onChange,
}: {
  readonly compatible: boolean;
  readonly form: ProviderForm;
  readonly problems: ProviderProblems;
  readonly onChange: (part: Partial<ProviderForm>) => void;
}) => (
  <Field
    label="Address"
    optional={!compatible}
    error={problems.baseUrl}
    hint={
      compatible
        ? 'Any server that speaks OpenAI’s Chat Completions: vLLM, LiteLLM, OpenRouter, your own.'
        : 'Only to go through a proxy of your own.'
    }
  >
    {(parts) => (
      <Input
        {...parts}
        code
        inputMode="url"
        autoFocus={compatible}
        placeholder={compatible ? 'https://example.com/v1' : 'the provider’s own'}
        value={form.baseUrl}
        onChange={(event) => onChange({ baseUrl: event.currentTarget.value })}
      />
    )}
  </Field>
);

import { ChevronDown, Plus, RefreshCw } from 'lucide-react';
import { useEffect, useId, useRef, useState, type ComponentType } from 'react';
import type { ModelChoice, ModelProvider, ProviderKind } from '../../../shared/model/settings.ts';
import { api } from '../../bridge/api.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { useApp } from '../../bridge/live.ts';
import { useRequest } from '../../bridge/request-state.ts';
import { Button } from '../../ui/button.tsx';
import { Input } from '../../ui/input.tsx';
import { Menu } from '../../ui/menu.tsx';
import { GivenTools } from './given-tools.tsx';
import { ProviderDialog } from './provider-dialog.tsx';
import { kindNames, kinds } from './provider-draft.ts';
import { ProviderRow } from './provider-row.tsx';
import { SettingGroup, SettingRow, SettingRows } from './setting-group.tsx';

/** The chat's own picker, handed in by the app: features do not know each other. */
export type ModelPickerView = ComponentType<{
  readonly model: ModelChoice | null;
  readonly providerName: string | undefined;
  readonly onChoose: (model: ModelChoice | null) => void;
  readonly disabled: boolean;
}>;
const noProviders: readonly ModelProvider[] = [];
type Editing = { readonly kind: ProviderKind; readonly provider?: ModelProvider };

export function ModelsSection({ modelPicker: Picker }: { readonly modelPicker: ModelPickerView }) {
  const saved = useApp((state) => state.settings.providers) ?? noProviders;
  const detected = useApp((state) => state.detected) ?? noProviders;
  const model = useApp((state) => state.settings.model);
  const [editing, setEditing] = useState<Editing>();
  const [fresh, setFresh] = useState<{ readonly id: string; readonly turn: number }>();
  const choosing = useRequest();
  const looking = useRequest();
  const found = detected.filter((one) => !saved.some((other) => other.id === one.id));
  const choose = (choice: ModelChoice | null) => choosing.run(() => api.settings.update({ model: choice }));
  return (
    <>
      <SettingGroup title="New chats">
        <SettingRows>
          <SettingRow
            name="Start with"
            means={model === undefined ? 'Direct mode: no model, you choose the tools.' : 'Each chat can have another one.'}
          >
            <Picker
              model={model ?? null}
              providerName={[...saved, ...detected].find((one) => one.id === model?.providerId)?.name}
              onChoose={choose}
              disabled={choosing.state.phase === 'sending'}
            />
          </SettingRow>
          <StepLimit />
        </SettingRows>
        {choosing.state.phase === 'failed' ? <FailureNote error={choosing.state.error} compact /> : null}
      </SettingGroup>
      <GivenTools />
      <SettingGroup
        title="Providers"
        means="Who your models come from. What you write goes to the one whose model you choose, and to nobody else."
        actions={
          <Menu
            trigger={
              <Button icon={<Plus size={14} strokeWidth={2} aria-hidden />}>
                Add a provider
                <ChevronDown size={12} aria-hidden />
              </Button>
            }
            entries={kinds.map((kind) => ({ label: kindNames[kind], onSelect: () => setEditing({ kind }) }))}
          />
        }
      >
        {saved.length === 0 ? (
          <p className="rounded-card border border-dashed border-line-strong px-4 py-5 text-center text-list text-ink-2">
            None yet. Gatehouse works without: in Direct mode you choose the tools yourself.
          </p>
        ) : (
          <ul className="divide-y divide-line rounded-card border border-line bg-card">
            {saved.map((provider) => (
              <ProviderRow
                key={provider.id === fresh?.id ? `${provider.id} ${fresh.turn}` : provider.id}
                provider={provider}
                testAtOnce={provider.id === fresh?.id}
                isDefault={model?.providerId === provider.id}
                onEdit={() => setEditing({ kind: provider.kind, provider })}
              />
            ))}
          </ul>
        )}
      </SettingGroup>
      <SettingGroup
        title="On this computer"
        means="Ollama, LM Studio and llama.cpp are found by themselves when they run. They need no key."
        actions={
          <Button
            icon={<RefreshCw size={14} strokeWidth={1.75} aria-hidden />}
            busy={looking.state.phase === 'sending'}
            onClick={() => looking.run(() => api.models.detect())}
          >
            Look again
          </Button>
        }
      >
        {found.length === 0 ? (
          <p role="status" className="rounded-card border border-dashed border-line-strong px-4 py-5 text-center text-list text-ink-2">
            None is running now. Start one and look again.
          </p>
        ) : (
          <ul className="divide-y divide-line rounded-card border border-line bg-card">
            {found.map((provider) => (
              <ProviderRow key={provider.id} provider={provider} testAtOnce={false} isDefault={model?.providerId === provider.id} />
            ))}
          </ul>
        )}
        {looking.state.phase === 'failed' ? <FailureNote error={looking.state.error} compact /> : null}
      </SettingGroup>
      {editing ? (
        <ProviderDialog
          {...editing}
          onClose={() => setEditing(undefined)}
          onSaved={(id) => {
            setFresh((before) => ({ id, turn: (before?.turn ?? 0) + 1 }));
            setEditing(undefined);
          }}
        />
      ) : null}
    </>
  );
}

/** How many answers a model may give in one go before it stops and asks. Saved when one leaves the field. */
function StepLimit() {
  const saved = useApp((state) => state.settings.stepLimit) ?? 25;
  const [text, setText] = useState(String(saved));
  const id = useId();
  const { state, run } = useRequest();
  const last = useRef(saved);
  useEffect(() => {
    if (last.current !== saved) setText(String(saved));
    last.current = saved;
  }, [saved]);
  const value = Number(text);
  const wrong = !Number.isInteger(value) || value < 1 || value > 500;
  const save = () => (wrong || value === saved ? undefined : run(() => api.settings.update({ stepLimit: value })));
  return (
    <SettingRow
      name="Step limit"
      htmlFor={id}
      meansId={`${id}-means`}
      means={
        wrong ? (
          <span className="text-bad">A whole number from 1 to 500.</span>
        ) : state.phase === 'failed' ? (
          <span className="text-bad">It could not be saved: {state.error.message}</span>
        ) : (
          'Answers in one run before it stops and asks you to go on.'
        )
      }
    >
      <Input
        id={id}
        inputMode="numeric"
        aria-describedby={`${id}-means`}
        aria-invalid={wrong || undefined}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onBlur={save}
        onKeyDown={(event) => {
          if (event.key === 'Enter') save();
          if (event.key === 'Escape') setText(String(saved));
        }}
        className="w-20! text-right"
      />
    </SettingRow>
  );
}

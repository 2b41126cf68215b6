import { Command } from 'cmdk';
import { Check, Plus } from 'lucide-react';
import { useEffect, useState, type ReactNode } from 'react';
import type { ModelChoice, ModelProvider } from '../../../shared/model/settings.ts';
import { api } from '../../bridge/api.ts';
import { describeError } from '../../bridge/errors.ts';
import { useApp } from '../../bridge/live.ts';
import { go } from '../../bridge/place.ts';
import { useAsked } from '../../bridge/request-state.ts';
import { Spinner } from '../../ui/spinner.tsx';

const noProviders: readonly ModelProvider[] = [];

/** Every provider's models under its name. A provider that does not answer says so in its place; the models entered by hand stay choosable. */
export function ModelList({ model, onChoose, onFollow, onLeave }: {
  readonly model: ModelChoice | null;
  readonly onChoose: (model: ModelChoice | null) => void;
  /** The way back from a model that was chosen here. */
  readonly onFollow: (() => void) | undefined;
  readonly onLeave: () => void;
}) {
  const hasUsual = useApp((state) => state.settings.model !== undefined) ?? false;
  const saved = useApp((state) => state.settings.providers) ?? noProviders;
  const detected = useApp((state) => state.detected) ?? noProviders;
  const [text, setText] = useState('');
  const providers = [...saved, ...detected.filter((one) => !saved.some((other) => other.id === one.id))];
  useEffect(() => {
    // What it finds enters the state; finding nothing is no failure.
    api.models.detect().catch(() => undefined);
  }, []);
  const addModel = () => {
    onLeave();
    go({ page: 'settings', section: 'models' });
  };
  return (
    <Command label="Models" loop defaultValue={valueOf(model, providers)} className="-m-3 w-80">
      {providers.length > 0 ? <Command.Input value={text} onValueChange={setText} placeholder="Find a model…" className="h-9 w-full border-b border-line bg-transparent px-3 text-list focus-visible:outline-none" /> : null}
      <Command.List className="max-h-[min(50vh,360px)] overflow-y-auto p-1">
        <Command.Empty className="px-3 py-4 text-center text-list text-ink-3">No model has this name.</Command.Empty>
        <Row value={noModel} chosen={model === null} onSelect={() => onChoose(null)} label="Direct mode" hint="no model, you choose the tools" />
        {onFollow && hasUsual ? <Row value="as the settings say" onSelect={onFollow} label="As the settings say" hint="or the profile" /> : null}
        {providers.map((provider) => <ProviderGroup key={provider.id} provider={provider} model={model} onChoose={onChoose} />)}
        <div className="mx-1 my-1 h-px bg-line" />
        <Row value="add a model" keep onSelect={addModel} label="Add a model…" icon={<Plus size={14} aria-hidden />} />
      </Command.List>
    </Command>
  );
}

const noModel = 'direct mode: no model';
/** What the list knows a choice by. */
const valueOf = (model: ModelChoice | null, providers: readonly ModelProvider[]): string =>
  model ? `${providers.find((one) => one.id === model.providerId)?.name ?? ''} ${model.model}` : noModel;

function ProviderGroup({ provider, model, onChoose }: { readonly provider: ModelProvider; readonly model: ModelChoice | null; readonly onChoose: (model: ModelChoice) => void }) {
  const asked = useAsked(provider.id, (signal) => api.models.list({ providerId: provider.id }, signal));
  const names = [...new Set([...provider.models, ...(asked.phase === 'ready' ? asked.value : []), ...(model?.providerId === provider.id ? [model.model] : [])])];
  return (
    <Command.Group
      heading={<span className="flex items-center gap-2">{provider.name}{provider.detected ? <span>· found on this computer</span> : null}{asked.phase === 'loading' ? <Spinner size={12} /> : null}</span>}
      className="[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-detail [&_[cmdk-group-heading]]:text-ink-3"
    >
      {names.map((name) => (
        <Row key={name} value={`${provider.name} ${name}`} label={name} chosen={model?.providerId === provider.id && model.model === name} onSelect={() => onChoose({ providerId: provider.id, model: name })} />
      ))}
      {asked.phase === 'failed' ? (
        <Row value={`${provider.name} try again`} keep onSelect={asked.again} label={describeError(asked.error.code, { model: provider.name }).what} hint="Try again" bad />
      ) : null}
      {asked.phase === 'ready' && names.length === 0 ? <Row value={`${provider.name} no models`} keep onSelect={() => go({ page: 'settings', section: 'models' })} label="It lists no models." hint="Enter one by hand" /> : null}
    </Command.Group>
  );
}

const Row = ({ value, label, hint, icon, chosen = false, keep = false, bad = false, onSelect }: {
  readonly value: string; readonly label: string; readonly hint?: string; readonly icon?: ReactNode; readonly chosen?: boolean; readonly keep?: boolean; readonly bad?: boolean; readonly onSelect: () => void;
}) => (
  <Command.Item value={value} forceMount={keep} onSelect={onSelect} className="flex min-h-7 items-center gap-2 rounded-control px-2 py-1 text-list text-ink data-[selected=true]:bg-hover">
    <span className="inline-flex w-4 shrink-0 text-accent">{icon ?? (chosen ? <Check size={14} aria-hidden /> : null)}</span>
    <span className={bad ? 'min-w-0 truncate text-detail text-bad' : 'min-w-0 truncate'}>{label}{chosen ? <span className="sr-only"> (chosen)</span> : null}</span>
    {hint ? <span className="ml-auto shrink-0 pl-3 text-detail text-ink-2">{hint}</span> : null}
  </Command.Item>
);

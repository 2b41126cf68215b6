import { RotateCcw } from 'lucide-react';
import { useId, useState } from 'react';
import type { OutputGuard } from '../../../shared/model/output-guard.ts';
import type { SettingsPatch } from '../../../shared/model/settings.ts';
import { api } from '../../bridge/api.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { useApp } from '../../bridge/live.ts';
import { useRequest } from '../../bridge/request-state.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Input } from '../../ui/input.tsx';
import { Select } from '../../ui/select.tsx';
import { Switch } from '../../ui/switch.tsx';
import { daysOf, daysWords, limitFields, limitProblem, limitsOf, withLimit, type LimitName } from './result-limits.ts';
import { SettingGroup, SettingRow, SettingRows } from './setting-group.tsx';

/** How much of a result a model is given, and how long the rest is kept. */
export function ResultsSection() {
  const guard = useApp((state) => state.settings.outputGuard) ?? true;
  const days = useApp((state) => state.settings.contentDays);
  const id = useId();
  const { state, run } = useRequest();
  const save = (patch: SettingsPatch) => run(() => api.settings.update(patch));
  return (
    <>
      <SettingGroup title="Long results" means="A model reads the beginning of a long result. The whole of it is kept beside the chat, where you can open it and a model can read on.">
        <SettingRows>
          <SettingRow setting="outputGuard" name="Cut long results" htmlFor={`${id}-cut`} meansId={`${id}-cut-means`} means={guard === false ? 'Off: everything goes to the model as it came, however long.' : 'Images are never cut.'}>
            <Switch id={`${id}-cut`} aria-describedby={`${id}-cut-means`} checked={guard !== false} onChange={(on) => save({ outputGuard: on })} />
          </SettingRow>
          {guard === false ? null : limitFields.map((field) => <LimitRow key={field.name} field={field} guard={guard} onSave={(next) => save({ outputGuard: next })} />)}
        </SettingRows>
      </SettingGroup>
      <SettingGroup title="What results leave behind" means="Images, sounds, files and whole results are files of yours alone, beside the chats.">
        <SettingRows>
          <SettingRow name="Keep them" htmlFor={`${id}-days`} meansId={`${id}-days-means`} means={days === undefined ? 'They are deleted with their chat.' : 'After that they are deleted, though the chat stays; with the chat they go in any case.'}>
            <Select id={`${id}-days`} aria-describedby={`${id}-days-means`} value={daysWords(days)} options={daysOf(days)} onChange={(chosen) => save({ contentDays: chosen === 'chat' ? null : Number(chosen) })} className="w-44" />
          </SettingRow>
        </SettingRows>
        {state.phase === 'failed' ? <FailureNote error={state.error} compact /> : null}
      </SettingGroup>
    </>
  );
}

function LimitRow({ field, guard, onSave }: { readonly field: (typeof limitFields)[number]; readonly guard: Exclude<OutputGuard, false>; readonly onSave: (guard: OutputGuard) => void }) {
  const id = useId();
  const current = limitsOf(guard)[field.name];
  const [typed, setTyped] = useState<string>();
  const problem = typed === undefined ? undefined : limitProblem(typed);
  const keep = () => {
    if (typed === undefined || problem !== undefined) return;
    if (Number(typed) !== current) onSave(withLimit(guard, field.name, Number(typed)));
    setTyped(undefined);
  };
  const reset = (name: LimitName) => {
    setTyped(undefined);
    onSave(withLimit(guard, name, undefined));
  };
  return (
    <SettingRow name={field.label} htmlFor={id} meansId={`${id}-means`} means={problem ? <span className="text-bad">{problem}</span> : field.means}>
      {current === field.usual ? null : <IconButton size="s" name={`Back to ${field.usual.toLocaleString('en-US')}`} icon={<RotateCcw size={14} strokeWidth={1.75} />} onClick={() => reset(field.name)} />}
      <Input
        id={id} inputMode="numeric" aria-describedby={`${id}-means`} aria-invalid={problem ? true : undefined} value={typed ?? String(current)} className="!w-28 text-right"
        onChange={(event) => setTyped(event.target.value)} onBlur={keep} onKeyDown={(event) => (event.key === 'Enter' ? keep() : event.key === 'Escape' ? setTyped(undefined) : undefined)}
      />
      <span className="w-10 text-detail text-ink-3">{field.unit}</span>
    </SettingRow>
  );
}

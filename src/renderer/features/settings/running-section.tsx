import { useId, useState, type ReactNode } from 'react';
import type { FileSetting, SettingsPatch } from '../../../shared/model/settings.ts';
import { api } from '../../bridge/api.ts';
import { useApp } from '../../bridge/live.ts';
import { useRequest } from '../../bridge/request-state.ts';
import { Input } from '../../ui/input.tsx';
import { QuestionGroup } from './question-rows.tsx';
import { TraceGroup } from './trace-rows.tsx';
import { idleText, minutesOf, requestText, secondsOf } from './running-times.ts';
import { SettingGroup, SettingRow, SettingRows } from './setting-group.tsx';
import { SignInGroup } from './sign-in-rows.tsx';

/** When servers that nobody uses are stopped, how long they may take, whether they may ask something, and how they are signed in to. */
export function RunningSection() {
  const idle = useApp((state) => state.settings.idleTimeout) ?? 10;
  const request = useApp((state) => state.settings.requestTimeoutMs) ?? 0;
  return (
    <>
      <SettingGroup title="How servers run" means="For every server that says nothing else in its own options.">
        <SettingRows>
          <TimeRow name="Sleep after" setting="idleTimeout" unit="min" saved={idleText(idle)} read={minutesOf} patch={(idleTimeout) => ({ idleTimeout })} means="Minutes without use before a server is stopped. It starts again by itself when it is needed. 0: never." />
          <TimeRow name="Silence in a request" setting="requestTimeoutMs" unit="s" placeholder="60" saved={requestText(request)} read={secondsOf} patch={(requestTimeoutMs) => ({ requestTimeoutMs })} means="Seconds that a server may say nothing before its request is given up. Progress begins them anew. Empty: 60." />
        </SettingRows>
      </SettingGroup>
      <QuestionGroup />
      <SignInGroup />
      <TraceGroup />
    </>
  );
}

interface TimeRowProps {
  readonly name: string;
  readonly setting: FileSetting;
  readonly unit: string;
  readonly means: ReactNode;
  readonly placeholder?: string;
  readonly saved: string;
  /** The value to save, or what is wrong with the text. */
  readonly read: (text: string) => number | { readonly problem: string };
  readonly patch: (value: number) => SettingsPatch;
}

/** Saved when one leaves the field. */
function TimeRow({ name, setting, unit, means, placeholder, saved, read, patch }: TimeRowProps) {
  const id = useId();
  const { state, run } = useRequest();
  const [typed, setTyped] = useState<string>();
  const value = typed === undefined ? undefined : read(typed);
  const problem = typeof value === 'object' ? value.problem : state.phase === 'failed' ? `It could not be saved: ${state.error.message}` : undefined;
  const keep = () => {
    if (typeof value !== 'number') return;
    if (typed?.trim() !== saved) run(() => api.settings.update(patch(value)));
    setTyped(undefined);
  };
  return (
    <SettingRow name={name} setting={setting} htmlFor={id} meansId={`${id}-means`} means={problem === undefined ? means : <span className="text-bad">{problem}</span>}>
      <Input
        id={id} inputMode="decimal" aria-describedby={`${id}-means`} aria-invalid={problem === undefined ? undefined : true} value={typed ?? saved} placeholder={placeholder} className="w-20! text-right"
        onChange={(event) => setTyped(event.target.value)} onBlur={keep} onKeyDown={(event) => (event.key === 'Enter' ? keep() : event.key === 'Escape' ? setTyped(undefined) : undefined)}
      />
      <span className="w-8 text-detail text-ink-3">{unit}</span>
    </SettingRow>
  );
}

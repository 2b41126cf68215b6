import { useEffect, useId, useRef, useState } from 'react';
import type { SettingsPatch } from '../../../shared/model/settings.ts';
import { useApp } from '../../bridge/live.ts';
import { Input } from '../../ui/input.tsx';
import { Switch } from '../../ui/switch.tsx';
import { SettingRow } from './setting-group.tsx';

/** Whether models may write scripts over tools, for how long one may run, and whether they may ask how it is done. */
export function ScriptRows({ save }: { readonly save: (patch: SettingsPatch) => void }) {
  const on = useApp((state) => state.settings.scriptMode) ?? true;
  const guide = useApp((state) => state.settings.scriptGuide) ?? true;
  const id = useId();
  return (
    <>
      <SettingRow setting="scriptMode" name="Let models write scripts" htmlFor={`${id}-on`} meansId={`${id}-on-means`} means="One script makes many calls and gives back only what matters. Each call in it is asked about like any other.">
        <Switch id={`${id}-on`} aria-describedby={`${id}-on-means`} checked={on} onChange={(scriptMode) => save({ scriptMode })} />
      </SettingRow>
      {on ? (
        <>
          <SettingRow name="Guide to scripts" htmlFor={`${id}-guide`} meansId={`${id}-guide-means`} means="A model may read how scripts are written. It costs nothing until it does.">
            <Switch id={`${id}-guide`} aria-describedby={`${id}-guide-means`} checked={guide} onChange={(scriptGuide) => save({ scriptGuide })} />
          </SettingRow>
          <ScriptTime save={save} />
        </>
      ) : null}
    </>
  );
}

/** Seconds that a script may run; an empty field is no limit. Saved when one leaves the field. */
function ScriptTime({ save }: { readonly save: (patch: SettingsPatch) => void }) {
  const saved = useApp((state) => state.settings.scriptTimeoutMs) ?? null;
  const written = saved === null ? '' : String(saved / 1000);
  const [text, setText] = useState(written);
  const last = useRef(written);
  const id = useId();
  useEffect(() => {
    if (last.current !== written) setText(written);
    last.current = written;
  }, [written]);
  const ms = text.trim() === '' ? null : Math.round(Number(text) * 1000);
  const wrong = ms !== null && !(ms >= 1 && ms <= 2_147_483_647);
  const keep = () => (wrong || ms === saved ? undefined : save({ scriptTimeoutMs: ms }));
  return (
    <SettingRow
      name="Seconds for a script" htmlFor={id} meansId={`${id}-means`}
      means={wrong ? <span className="text-bad">Seconds, or nothing for no limit.</span> : 'Where it does not say itself. Waiting for you does not count. Empty: no limit.'}
    >
      <Input
        id={id} inputMode="decimal" placeholder="no limit" aria-describedby={`${id}-means`} aria-invalid={wrong || undefined} value={text}
        onChange={(event) => setText(event.currentTarget.value)} onBlur={keep}
        onKeyDown={(event) => {
          if (event.key === 'Enter') keep();
          if (event.key === 'Escape') setText(written);
        }}
        className="w-24! text-right"
      />
    </SettingRow>
  );
}

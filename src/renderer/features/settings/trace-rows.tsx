import { useId } from 'react';
import { api } from '../../bridge/api.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { useApp } from '../../bridge/live.ts';
import { useRequest } from '../../bridge/request-state.ts';
import { Switch } from '../../ui/switch.tsx';
import { SettingGroup, SettingRow, SettingRows } from './setting-group.tsx';

/** Lines about messages in a file, for somebody who looks for what goes wrong over days (F-181). */
export function TraceGroup() {
  const id = useId();
  const trace = useApp((state) => state.settings.trace);
  const { state, run } = useRequest();
  if (!trace) return null;
  return (
    <SettingGroup title="Trace" means="The messages themselves are on each server’s page, as long as the app runs.">
      <SettingRows>
        <SettingRow
          setting="trace" name="Keep a trace of all servers" htmlFor={id} meansId={`${id}-means`}
          means={<>A line for each message in {trace.file === undefined ? <>a file of <code className="font-code text-code">traces</code> in Gatehouse’s home</> : <code className="font-code text-code">{trace.file}</code>}: when, which kind, how large, how long. Never what it says. A server’s own choice wins.</>}
        >
          <Switch id={id} aria-describedby={`${id}-means`} checked={trace.enabled} onChange={(enabled) => run(() => api.settings.update({ trace: { ...trace, enabled } }))} />
        </SettingRow>
      </SettingRows>
      {state.phase === 'failed' ? <FailureNote error={state.error} compact /> : null}
    </SettingGroup>
  );
}

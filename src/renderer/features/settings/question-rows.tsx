import { useId } from 'react';
import { api } from '../../bridge/api.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { useApp } from '../../bridge/live.ts';
import { useRequest } from '../../bridge/request-state.ts';
import { Switch } from '../../ui/switch.tsx';
import { SettingGroup, SettingRow, SettingRows } from './setting-group.tsx';

/** Whether servers may ask the person something while they work (F-150). */
export function QuestionGroup() {
  const id = useId();
  const on = useApp((state) => state.settings.elicitation) ?? true;
  const { state, run } = useRequest();
  return (
    <SettingGroup title="Questions of servers" means="While a tool runs, its server may need something of you.">
      <SettingRows>
        <SettingRow setting="elicitation" name="Let servers ask" htmlFor={id} meansId={`${id}-means`} means="They may show you a form, or a page to open in your browser. Nothing is sent or opened without you. A server hears of it when it connects; off, what it asks is refused at once.">
          <Switch id={id} aria-describedby={`${id}-means`} checked={on} onChange={(elicitation) => run(() => api.settings.update({ elicitation }))} />
        </SettingRow>
      </SettingRows>
      {state.phase === 'failed' ? <FailureNote error={state.error} compact /> : null}
    </SettingGroup>
  );
}

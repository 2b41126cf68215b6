import { useId } from 'react';
import type { SettingsPatch } from '../../../shared/model/settings.ts';
import { api } from '../../bridge/api.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { useApp } from '../../bridge/live.ts';
import { useRequest } from '../../bridge/request-state.ts';
import { Segmented } from '../../ui/segmented.tsx';
import { Switch } from '../../ui/switch.tsx';
import { SettingGroup, SettingRow, SettingRows } from './setting-group.tsx';

export function AppearanceSection() {
  const theme = useApp((state) => state.settings.theme) ?? 'system';
  const notifications = useApp((state) => state.settings.notifications) ?? true;
  const foot = useApp((state) => state.settings.statusFoot) ?? 'compact';
  const mark = useApp((state) => state.settings.statusIcon) ?? true;
  const id = useId();
  const { state, run } = useRequest();
  const save = (patch: SettingsPatch) => run(() => api.settings.update(patch));
  return (
    <SettingGroup title="Appearance">
      <SettingRows>
        <SettingRow name="Theme" means="“System” follows your desktop, day and night.">
          <Segmented
            name="Theme"
            value={theme}
            options={[
              { value: 'system', label: 'System' },
              { value: 'light', label: 'Light' },
              { value: 'dark', label: 'Dark' },
            ]}
            onChange={(chosen) => save({ theme: chosen })}
          />
        </SettingRow>
        <SettingRow
          name="Notifications"
          htmlFor={`${id}-notify`}
          meansId={`${id}-means`}
          means="When a question waits for you and the window is not in front."
        >
          <Switch
            id={`${id}-notify`}
            aria-describedby={`${id}-means`}
            checked={notifications}
            onChange={(on) => save({ notifications: on })}
          />
        </SettingRow>
        <SettingRow setting="statusFoot" name="Status line" means="At the foot of the side bar: how many servers are connected.">
          <Segmented
            name="Status line"
            value={foot}
            options={[
              { value: 'compact', label: 'Short' },
              { value: 'full', label: 'Full' },
              { value: 'off', label: 'Off' },
            ]}
            onChange={(statusFoot) => save({ statusFoot })}
          />
        </SettingRow>
        {foot === 'off' ? null : (
          <SettingRow setting="statusIcon" name="Its mark" htmlFor={`${id}-mark`} means="The shape before it, which says how things are.">
            <Switch id={`${id}-mark`} checked={mark} onChange={(statusIcon) => save({ statusIcon })} />
          </SettingRow>
        )}
        <SettingRow name="Motion" means="Follows your system: with reduced motion, nothing moves.">
          <span className="text-list text-ink-2">{matchMedia('(prefers-reduced-motion: reduce)').matches ? 'Reduced' : 'Usual'}</span>
        </SettingRow>
      </SettingRows>
      {state.phase === 'failed' ? <FailureNote error={state.error} compact /> : null}
    </SettingGroup>
  );
}

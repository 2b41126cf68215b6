import { useId } from 'react';
import type { SettingsPatch } from '../../../shared/model/settings.ts';
import { api } from '../../bridge/api.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { useApp } from '../../bridge/live.ts';
import { prefixExamples } from '../../bridge/prefix-words.ts';
import { useRequest } from '../../bridge/request-state.ts';
import { Select } from '../../ui/select.tsx';
import { Switch } from '../../ui/switch.tsx';
import { ScriptRows } from './script-rows.tsx';
import { SettingGroup, SettingRow, SettingRows } from './setting-group.tsx';

/** What models are given of tools from the start, and by which names, where a server says nothing of its own. */
export function GivenTools() {
  const prefix = useApp((state) => state.settings.toolPrefix) ?? 'gatehouse';
  const pinned = useApp((state) => state.settings.directTools) ?? false;
  const frozen = useApp((state) => state.settings.freezeDirectTools) ?? false;
  const proxyOff = useApp((state) => state.settings.disableProxyTool) ?? false;
  const id = useId();
  const { state, run } = useRequest();
  const save = (patch: SettingsPatch) => run(() => api.settings.update(patch));
  return (
    <SettingGroup title="Tools" means="A model finds tools by searching. What is pinned it is given with every question.">
      <SettingRows>
        <SettingRow setting="directTools" name="Pin every tool" htmlFor={`${id}-pin`} meansId={`${id}-pin-means`} means="Of every server that says nothing of its own. With many tools this costs a lot.">
          <Switch id={`${id}-pin`} aria-describedby={`${id}-pin-means`} checked={pinned} onChange={(directTools) => save({ directTools })} />
        </SettingRow>
        <SettingRow setting="freezeDirectTools" name="Keep pinned tools as they are" htmlFor={`${id}-keep`} meansId={`${id}-keep-means`} means="A server that changes its list changes nothing for a model until you connect it again.">
          <Switch id={`${id}-keep`} aria-describedby={`${id}-keep-means`} checked={frozen} onChange={(freezeDirectTools) => save({ freezeDirectTools })} />
        </SettingRow>
        <SettingRow setting="disableProxyTool" name="Leave out the gateway" htmlFor={`${id}-proxy`} meansId={`${id}-proxy-means`} means="Only while there are pinned tools. A model then finds the others by searching, and scripts reach them.">
          <Switch id={`${id}-proxy`} aria-describedby={`${id}-proxy-means`} checked={proxyOff} onChange={(disableProxyTool) => save({ disableProxyTool })} />
        </SettingRow>
        <SettingRow setting="toolPrefix" name="Names that models see" means="A server can have its own form.">
          <Select
            name="Names that models see" className="w-52" value={prefix} onChange={(toolPrefix) => save({ toolPrefix })}
            options={prefixExamples.map(({ value, example }) => ({ value, label: <code className="text-code">{example(value === 'short' ? 'files_mcp' : 'files')}</code>, ...(value === 'gatehouse' ? { hint: 'usual' } : value === 'short' ? { hint: 'of files-mcp' } : {}) }))}
          />
        </SettingRow>
        <ScriptRows save={save} />
      </SettingRows>
      {state.phase === 'failed' ? <FailureNote error={state.error} compact /> : null}
    </SettingGroup>
  );
}

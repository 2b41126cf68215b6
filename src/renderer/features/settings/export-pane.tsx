import { Copy, Save } from 'lucide-react';
import { useState } from 'react';
import type { ExportShape } from '../../../shared/model/exchange.ts';
import { api } from '../../bridge/api.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { useApp } from '../../bridge/live.ts';
import { useAsked, useRequest } from '../../bridge/request-state.ts';
import { copyText } from '../../bridge/tool-detail.tsx';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Select } from '../../ui/select.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { countText } from '../../ui/time.ts';
import { VisibleText } from '../../ui/visible-text.tsx';
import { SettingGroup } from './setting-group.tsx';

type Which = 'global' | 'project' | 'effective';
const shapes: readonly { readonly value: ExportShape; readonly label: string }[] = [
  { value: 'gatehouse', label: 'Gatehouse' },
  { value: 'claude', label: 'Claude' },
  { value: 'vscode', label: 'VS Code' },
  { value: 'cursor', label: 'Cursor' },
];

/** Servers as text for another computer or program. No secret's value is ever in it (U-58). */
export function ExportPane() {
  const project = useApp((state) => state.settings.project);
  const revision = useApp((state) => state.configRevision) ?? 0;
  const [wanted, setWhich] = useState<Which>('global');
  const [shape, setShape] = useState<ExportShape>('gatehouse');
  const which = wanted === 'project' && project === undefined ? 'global' : wanted;
  const asked = useAsked(`${which} ${shape} ${revision} ${project}`, (signal) => api.exchange.export({ scope: which, shape }, signal));
  const { state, run } = useRequest();
  const [said, setSaid] = useState('');
  const say = (work: () => Promise<string>) =>
    run(async () => {
      setSaid('');
      setSaid(await work());
    });
  return (
    <SettingGroup title="Export" means="Secrets are named, never written. In other programs’ shapes a name stands for each value, or it is left out.">
      <div className="flex flex-wrap items-center gap-3">
        <Select<Which>
          name="Which servers" className="w-44" value={which} onChange={setWhich}
          options={[{ value: 'global', label: 'Global servers' }, ...(project === undefined ? [] : [{ value: 'project' as const, label: 'Project servers' }]), { value: 'effective', label: 'All in effect' }]}
        />
        <Segmented<ExportShape> name="Shape" value={shape} onChange={setShape} options={shapes} />
      </div>
      {asked.phase === 'loading' ? <Skeleton rows={4} /> : null}
      {asked.phase === 'failed' ? <FailureNote error={asked.error} compact onRetry={asked.again} /> : null}
      {asked.phase === 'ready' ? (
        <>
          <CodeBlock code={asked.value.text} language="json" maxHeight="max-h-64" />
          {asked.value.omitted.length > 0 ? (
            <details className="text-list text-ink-2">
              <summary className="w-fit underline decoration-line-strong underline-offset-2">{countText(asked.value.omitted.length, 'value')} left out</summary>
              <ul className="mt-1.5 flex max-h-40 flex-col gap-0.5 overflow-y-auto">
                {asked.value.omitted.map((one, at) => <li key={at}><code className="text-code break-all select-text"><VisibleText text={one} /></code></li>)}
              </ul>
            </details>
          ) : null}
          <div className="flex items-center gap-2">
            <Button icon={<Copy size={14} strokeWidth={1.75} aria-hidden />} onClick={() => say(async () => { await copyText(asked.value.text); return 'Copied.'; })}>Copy</Button>
            <Button
              icon={<Save size={14} strokeWidth={1.75} aria-hidden />} busy={state.phase === 'sending'}
              onClick={() => say(async () => { const path = await api.shell.saveText({ name: asked.value.fileName, text: asked.value.text }); return path === undefined ? '' : `Saved as ${path}.`; })}
            >
              Save as {asked.value.fileName}…
            </Button>
            <span role="status" className="min-w-0 truncate text-detail text-ink-3"><VisibleText text={said} /></span>
          </div>
          {state.phase === 'failed' ? <FailureNote error={state.error} compact /> : null}
        </>
      ) : null}
    </SettingGroup>
  );
}

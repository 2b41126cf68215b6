import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import type { AppInfo } from '../../../shared/ipc/contract/settings.ts';
import { api } from '../../bridge/api.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { useAsked, useRequest } from '../../bridge/request-state.ts';
import { Button } from '../../ui/button.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { SettingGroup } from './setting-group.tsx';

const rowsOf = (info: AppInfo): readonly (readonly [string, string])[] => [
  ['Gatehouse', info.version],
  ['System', info.platform],
  ['Electron', info.electron],
  ['Chrome', info.chrome],
  ['Node', info.node],
  ['Home folder', info.home],
];
/** The home folder's path holds the person's name and helps nobody with a bug. */
export const reportText = (info: AppInfo): string =>
  rowsOf(info)
    .filter(([name]) => name !== 'Home folder')
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');

export function AboutSection() {
  const asked = useAsked('info', () => api.app.info());
  const copying = useRequest();
  const [copied, setCopied] = useState(false);
  const copy = (info: AppInfo) =>
    copying.run(async () => {
      await api.shell.copy({ text: reportText(info) });
      setCopied(true);
    });
  return (
    <SettingGroup title="About Gatehouse" means="The one place where your MCP servers live. Free software under the MIT licence.">
      {asked.phase === 'loading' ? <Skeleton rows={5} /> : null}
      {asked.phase === 'failed' ? <FailureNote error={asked.error} onRetry={asked.again} /> : null}
      {asked.phase === 'ready' ? (
        <>
          <dl className="rounded-card border border-line bg-card">
            {rowsOf(asked.value).map(([name, value]) => (
              <div
                key={name}
                className="grid grid-cols-[132px_minmax(0,1fr)] gap-x-4 border-t border-line px-4 py-2 text-list first:border-t-0"
              >
                <dt className="text-ink-3">{name}</dt>
                <dd className="min-w-0 break-all text-ink select-text">{value}</dd>
              </div>
            ))}
            <div className="grid grid-cols-[132px_minmax(0,1fr)] gap-x-4 border-t border-line px-4 py-2 text-list">
              <dt className="text-ink-3">Licence</dt>
              <dd className="text-ink">MIT</dd>
            </div>
          </dl>
          <div className="flex items-center gap-3">
            <Button
              icon={copied ? <Check size={14} className="text-ok" aria-hidden /> : <Copy size={14} strokeWidth={1.75} aria-hidden />}
              busy={copying.state.phase === 'sending'}
              onClick={() => copy(asked.value)}
            >
              Copy for a bug report
            </Button>
            <span role="status" className="text-detail text-ink-3">
              {copied ? 'Copied, without the home folder.' : ''}
            </span>
          </div>
          {copying.state.phase === 'failed' ? <FailureNote error={copying.state.error} compact /> : null}
        </>
      ) : null}
    </SettingGroup>
  );
}

import { Copy, Ellipsis, Pencil, Plus, Trash2 } from 'lucide-react';
import { memo } from 'react';
import type { ProfileReport } from '../../../shared/model/profile.ts';
import { factsText, isError, placeWords } from '../../bridge/profile-facts.ts';
import { copyText } from '../../bridge/tool-detail.tsx';
import { Badge } from '../../ui/badge.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu, type MenuEntry } from '../../ui/menu.tsx';
import { countText } from '../../ui/time.ts';
import { VisibleText } from '../../ui/visible-text.tsx';

const icon = { size: 14, strokeWidth: 1.75, 'aria-hidden': true } as const;
export interface ProfileItem {
  readonly name: string;
  readonly scope: ProfileReport['scope'];
  /** Absent for one that was never saved. */
  readonly report?: ProfileReport;
  readonly drafted: boolean;
}
export type ProfileAsk = 'open' | 'delete' | 'override';

/** One profile: what it is called, whose it is, what a run of it has, and whether it can be used. */
export const ProfileRow = memo(function ProfileRow({ item, onAsk }: { readonly item: ProfileItem; readonly onAsk: (what: ProfileAsk, item: ProfileItem) => void }) {
  const { name, scope, report, drafted } = item;
  const builtIn = scope === 'built-in';
  const errors = report?.issues.filter(isError) ?? [];
  const [first] = errors;
  const facts = report ? factsText(report) : '';
  return (
    <div className="grid min-h-14 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 px-4 py-2">
      <div className="min-w-0">
        <p className="flex min-w-0 flex-wrap items-center gap-x-1.5 gap-y-1 text-list">
          {builtIn ? (
            <span className="min-w-0 truncate font-semibold text-ink"><VisibleText text={name} /></span>
          ) : (
            <button type="button" onClick={() => onAsk('open', item)} title={report?.path} className="min-w-0 truncate rounded-control font-semibold text-ink underline-offset-2 hover:underline"><VisibleText text={name} /></button>
          )}
          {scope === 'project' ? <Badge>Project</Badge> : builtIn ? <Badge>Built-in</Badge> : null}
          {report?.shadowed ? <span title="A profile of this name stands in front of it."><Badge>Overridden</Badge></span> : null}
          {errors.length > 0 ? <Badge tone="bad">{countText(errors.length, 'problem')}</Badge> : null}
          {drafted ? <Badge tone="accent">{report ? 'Changed' : 'Not saved'}</Badge> : null}
        </p>
        {report?.description === undefined || report.description === '' ? null : <p className="truncate text-list text-ink-2" title={report.description}><VisibleText text={report.description} /></p>}
        {first ? (
          <p className="line-clamp-2 text-detail break-words text-bad"><VisibleText text={`${placeWords(first)}: ${first.message}`} /></p>
        ) : facts === '' ? null : (
          <p className="truncate text-detail text-ink-3" title={facts}><VisibleText text={facts} /></p>
        )}
      </div>
      <Menu trigger={<IconButton size="s" name={`More for ${name}`} icon={<Ellipsis size={16} strokeWidth={1.75} />} />} entries={entriesFor(item, onAsk)} />
    </div>
  );
});

function entriesFor(item: ProfileItem, onAsk: (what: ProfileAsk, item: ProfileItem) => void): readonly MenuEntry[] {
  const { scope, report } = item;
  if (scope === 'built-in') return [{ label: 'Make one of this name…', icon: <Plus {...icon} />, onSelect: () => onAsk('override', item) }];
  const path = report?.path;
  return [
    { label: 'Edit', icon: <Pencil {...icon} />, onSelect: () => onAsk('open', item) },
    ...(path === undefined ? [] : [{ label: 'Copy the file’s path', icon: <Copy {...icon} />, onSelect: () => void copyText(path) }]),
    'line',
    { label: report ? 'Delete…' : 'Let it go', icon: <Trash2 {...icon} />, danger: true, onSelect: () => onAsk('delete', item) },
  ];
}

import { GraduationCap, RefreshCw } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { ServerId } from '../../../shared/ids.ts';
import type { Skill, SkillFile, SkillListing } from '../../../shared/model/skill.ts';
import { api } from '../../bridge/api.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { useAsked } from '../../bridge/request-state.ts';
import { copyText } from '../../bridge/tool-detail.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/code-block.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { LongText } from '../../ui/long-text.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { bytesText, countText } from '../../ui/time.ts';
import { VirtualList } from '../../ui/virtual-list.tsx';
import { VisibleText } from '../../ui/visible-text.tsx';
import { fitsWords, searchFrom } from './fits-words.ts';
import { ResourceReader } from './resource-reader.tsx';

interface Of {
  readonly serverId: ServerId;
  readonly serverName: string;
}

/** What a server teaches models to do: asked for when this is opened. A file is read when its button is pressed, and no earlier. */
export function SkillsTab({ scroller, ...of }: Of & { readonly scroller: HTMLElement | null }) {
  const asked = useAsked(`skills ${of.serverId}`, (signal) => api.skills.list({ serverId: of.serverId }, signal));
  const again = <Button size="s" look="plain" icon={<RefreshCw size={14} strokeWidth={1.75} aria-hidden />} onClick={asked.again}>Look again</Button>;
  if (asked.phase === 'loading') return <Skeleton rows={4} />;
  if (asked.phase === 'failed') return <FailureNote error={asked.error} compact context={{ server: of.serverName }} onRetry={asked.again} />;
  const { skills, warnings } = asked.value;
  return (
    <div className="flex flex-col gap-3">
      <LeftOut warnings={warnings} />
      {skills.length > 0 ? <SkillList {...of} skills={skills} scroller={scroller} again={again} /> : (
        <EmptyState icon={<GraduationCap strokeWidth={1.5} />} title="No skills" actions={again}>This server lists none that can be used. It may still have some that are read by their address.</EmptyState>
      )}
    </div>
  );
}

const LeftOut = ({ warnings }: Pick<SkillListing, 'warnings'>) =>
  warnings.length === 0 ? null : (
    <ErrorNote
      tone="ask" compact what={warnings.length === 1 ? 'Something was left out.' : `${countText(warnings.length, 'thing')} were left out.`}
      means={warnings.map((warning) => <span key={warning} className="block break-words"><VisibleText text={warning} />.</span>)}
    />
  );

function SkillList({ skills, scroller, again, ...of }: Of & { readonly skills: readonly Skill[]; readonly scroller: HTMLElement | null; readonly again: React.ReactNode }) {
  const [text, setText] = useState('');
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const shown = useMemo(() => skills.filter((one) => fitsWords(text, one.name, one.uri, one.description)), [skills, text]);
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        {skills.length < searchFrom ? null : <SearchField name="Find a skill" value={text} onChange={setText} className="w-72 max-w-full" />}
        <p className="min-w-0 flex-1 text-detail text-ink-3">Written by the server for models, who read one when they need it. It gives them no more rights than they have.</p>
        {again}
      </div>
      {shown.length === 0 ? <p className="py-4 text-list text-ink-3">No skill has these words.</p> : null}
      <VirtualList
        within={scroller} name="Skills" items={shown} keyOf={(one) => one.uri} estimate={76}
        renderItem={(one) => <SkillRow {...of} skill={one} open={open.has(one.uri)} onToggle={() => setOpen(toggled(open, one.uri))} />}
      />
    </>
  );
}

const toggled = (open: ReadonlySet<string>, key: string): ReadonlySet<string> => (open.has(key) ? new Set([...open].filter((one) => one !== key)) : new Set(open).add(key));

function SkillRow({ skill, open, onToggle, ...of }: Of & { readonly skill: Skill; readonly open: boolean; readonly onToggle: () => void }) {
  const { uri, name, description, files } = skill;
  return (
    <div className="border-b border-line py-2">
      <div className="flex min-w-0 items-start gap-3">
        <div className="min-w-0 flex-1">
          <p className="flex min-w-0 items-baseline gap-2 text-list">
            <span className="min-w-0 truncate font-[550] text-ink"><VisibleText text={name} /></span>
            {files === 'dynamic' ? <Badge>Made as it is read</Badge> : null}
          </p>
          <p className="truncate font-code text-detail text-ink-3 select-text"><VisibleText text={uri} /></p>
          <LongText text={description} code={false} lines={2} characters={200} className="text-list text-ink-2" />
        </div>
        <span className="shrink-0 pt-0.5 text-detail text-ink-3">{files === 'dynamic' ? null : `${countText(files.length, 'file')} · ${bytesText(files.reduce((sum, { size }) => sum + size, 0))}`}</span>
        <CopyButton text={uri} onCopy={copyText} name="Copy address" />
        <Button size="s" aria-expanded={open} aria-label={open ? `Close ${name}` : `Read ${name}`} onClick={onToggle}>{open ? 'Close' : 'Read'}</Button>
      </div>
      {open ? (
        <div className="mt-2.5 mb-1 flex flex-col gap-3 rounded-card border border-line bg-sunken p-3">
          <ResourceReader {...of} uri={uri} ofSkill />
          {files === 'dynamic' ? null : <OtherFiles {...of} files={files.filter((file) => file.uri !== uri)} folder={uri.slice(0, uri.lastIndexOf('/') + 1)} />}
        </div>
      ) : null}
    </div>
  );
}

/** What SKILL.md leads to, each read by itself. */
function OtherFiles({ files, folder, ...of }: Of & { readonly files: readonly SkillFile[]; readonly folder: string }) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  if (files.length === 0) return null;
  return (
    <ul aria-label="Other files" className="max-h-112 overflow-y-auto border-t border-line pt-1">
      {files.map(({ uri, size }) => {
        const path = uri.startsWith(folder) ? uri.slice(folder.length) : uri;
        return (
          <li key={uri} className="py-1">
            <div className="flex min-w-0 items-center gap-3">
              <span className="min-w-0 flex-1 truncate font-code text-code text-ink select-text"><VisibleText text={path} /></span>
              <span className="shrink-0 text-detail text-ink-3">{bytesText(size)}</span>
              <Button size="s" look="plain" aria-expanded={open.has(uri)} aria-label={open.has(uri) ? `Close ${path}` : `Read ${path}`} onClick={() => setOpen(toggled(open, uri))}>{open.has(uri) ? 'Close' : 'Read'}</Button>
            </div>
            {open.has(uri) ? <div className="my-1.5"><ResourceReader {...of} uri={uri} ofSkill /></div> : null}
          </li>
        );
      })}
    </ul>
  );
}

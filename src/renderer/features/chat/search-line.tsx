import { memo, useId, useMemo, useState } from 'react';
import { ownToolsId } from '../../../shared/model/own-tools.ts';
import type { ToolCallView } from '../../../shared/model/tool-call.ts';
import { useApp } from '../../bridge/live.ts';
import { useToolTitle } from '../../bridge/tool-titles.ts';
import { VisibleText } from '../../ui/visible-text.tsx';
import { callWords } from './call-words.ts';
import { LineHead } from './line-head.tsx';
import { ownWords } from './own-words.ts';
import { searchAnswer, searchRemark, type FoundTool, type SearchAnswer } from './search-answer.ts';
import { OpenCall } from './tool-call-line.tsx';

const shownAtFirst = 8;

/** A search for tools: what it loaded stands below it, for those are at the model's hand from now on. It opens to its own words. */
export const SearchLine = memo(function SearchLine({ view, startOpen }: { readonly view: ToolCallView; readonly startOpen: boolean }) {
  const [open, setOpen] = useState(startOpen);
  const id = useId();
  const outcome = view.phase === 'settled' ? view.outcome : undefined;
  const answer = useMemo(() => searchAnswer(outcome), [outcome]);
  const { title, about } = ownWords(view) ?? { title: view.call.ref.tool, about: '' };
  return (
    <div>
      <LineHead view={view} words={callWords(view)} title={title} beside={null} about={<SearchAbout about={about} answer={answer} />} open={open} onToggle={() => setOpen(!open)} controls={id} />
      {answer && answer.tools.length > 0 ? <FoundTools answer={answer} /> : null}
      <div id={id}>{open ? <OpenCall view={view} /> : null}</div>
    </div>
  );
});

const SearchAbout = ({ about, answer }: { readonly about: string; readonly answer: SearchAnswer | undefined }) => (
  <>
    <span className="text-ink-2"><VisibleText text={about} /></span>
    {answer ? ` · ${searchRemark(answer)}` : null}
  </>
);

/** What was loaded as a row of chips, what was not with the reason. */
function FoundTools({ answer: { tools, unseen } }: { readonly answer: SearchAnswer }) {
  const [all, setAll] = useState(false);
  const loaded = tools.filter(({ why }) => why === undefined);
  const reasons = [...new Set(tools.flatMap(({ why }) => why ?? []))];
  const shown = all ? loaded : loaded.slice(0, shownAtFirst);
  return (
    <div className="flex flex-col gap-1.5 px-3 pb-2.5 pl-7.5">
      {shown.length === 0 ? null : (
        <ul aria-label="Loaded tools" className="flex flex-wrap gap-1.5">
          {shown.map((tool) => <FoundChip key={`${tool.server} ${tool.name}`} tool={tool} />)}
          {loaded.length > shown.length ? <li><button type="button" onClick={() => setAll(true)} className="h-6 rounded-control px-1.5 text-detail text-ink-2 hover:text-ink">{loaded.length - shown.length} more</button></li> : null}
        </ul>
      )}
      {reasons.map((why) => <NotLoaded key={why} names={tools.filter((tool) => tool.why === why).map(({ name }) => name)} why={why} />)}
      {unseen.length > 0 ? <p className="text-detail text-ink-3">Not searched, because never connected: <VisibleText text={unseen.slice(0, 4).join(', ')} />{unseen.length > 4 ? ` and ${unseen.length - 4} more` : ''}</p> : null}
    </div>
  );
}

const NotLoaded = ({ names, why }: { readonly names: readonly string[]; readonly why: string }) => (
  <p className="text-detail text-ink-3">
    Not loaded: <span className="text-ink-2"><VisibleText text={names.slice(0, shownAtFirst).join(', ')} /></span>{names.length > shownAtFirst ? ` and ${names.length - shownAtFirst} more` : ''} (<VisibleText text={why} />)
  </p>
);

function FoundChip({ tool: { name, server } }: { readonly tool: FoundTool }) {
  const serverId = useApp((state) => Object.values(state.servers).find(({ definition }) => definition.name === server)?.definition.id) ?? ownToolsId;
  const title = useToolTitle(serverId, name);
  return (
    <li title={name} className="inline-flex h-6 max-w-full min-w-0 items-center gap-1.5 rounded-control border border-line bg-pane px-2 text-detail">
      <span className="truncate text-ink"><VisibleText text={title} /></span>
      <span className="shrink-0 text-ink-3"><VisibleText text={server} /></span>
    </li>
  );
}

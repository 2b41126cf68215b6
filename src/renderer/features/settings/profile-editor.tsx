import { ArrowLeft, Trash2 } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react';
import type { ConfigIssue } from '../../../shared/model/source.ts';
import { api, RequestError } from '../../bridge/api.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { useApp } from '../../bridge/live.ts';
import { isError } from '../../bridge/profile-facts.ts';
import { useAsked, useRequest, type RequestState } from '../../bridge/request-state.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { TextArea } from '../../ui/input.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { countText } from '../../ui/time.ts';
import { useThrottled } from '../../ui/use-throttled.ts';
import { VisibleText } from '../../ui/visible-text.tsx';
import { DeleteProfileDialog } from './profile-dialogs.tsx';
import { dropProfileDraft, keepProfileDraft, profilePath, useProfileDraft, type ProfileDraft, type ProfilePlace } from './profile-draft.ts';
import { ProfileFacts, ProfileProblems } from './profile-problems.tsx';
import { rangeOf } from './profile-words.ts';
import { TrustFirst } from './scope-section.tsx';

/** What the file holds now. */
interface OnDisk {
  readonly text: string;
  /** `absent`: there is no such file. */
  readonly seen: string;
  readonly path: string | undefined;
}
/** How long after a key the text is looked at. Milliseconds. */
const checkMs = 300;

/** A profile's text, looked at while it is typed; written when the person says so, and never over what changed on disk meanwhile. */
export function ProfileEditor({ place, onDone }: { readonly place: ProfilePlace; readonly onDone: () => void }) {
  const { name, scope } = place;
  const trust = useApp((state) => state.trust.phase);
  const draft = useProfileDraft(place);
  const asked = useAsked(`${profilePath(place)} ${trust}`, async (signal): Promise<OnDisk> => {
    try {
      const { text, seen, report } = await api.profiles.read({ name, scope }, signal);
      return { text, seen, path: report.path };
    } catch (thrown) {
      if (draft && RequestError.from(thrown).code === 'request/invalid') return { text: '', seen: 'absent', path: undefined };
      throw thrown;
    }
  });
  const { again } = asked;
  useEffect(() => {
    window.addEventListener('focus', again);
    return () => window.removeEventListener('focus', again);
  }, [again]);
  if (asked.phase === 'loading') return <Skeleton rows={8} />;
  if (asked.phase === 'failed' && asked.error.code === 'trust/needed') return <TrustFirst />;
  if (asked.phase === 'failed' && asked.error.code === 'request/invalid') {
    return <EmptyState title="This profile is not here" actions={<Button onClick={onDone}>Back</Button>}>It was removed, or has another name now.</EmptyState>;
  }
  if (asked.phase === 'failed') return <FailureNote error={asked.error} onRetry={again} />;
  return <Loaded place={place} draft={draft} disk={asked.value} onReload={again} onDone={onDone} />;
}

interface LoadedProps {
  readonly place: ProfilePlace;
  readonly draft: ProfileDraft | undefined;
  readonly disk: OnDisk;
  readonly onReload: () => void;
  readonly onDone: () => void;
}
function Loaded(props: LoadedProps) {
  const { place, draft, disk, onDone } = props;
  const { name, scope } = place;
  const area = useRef<HTMLTextAreaElement>(null);
  const [deleting, setDeleting] = useState(false);
  const editing = useEditing(props);
  const { text, state } = editing;
  const late = useThrottled(text, checkMs);
  const checked = useAsked(late, (signal) => api.profiles.check({ name, scope, text: late }, signal));
  const report = checked.phase === 'ready' ? checked.value : undefined;
  const jump = (issue: Pick<ConfigIssue, 'line' | 'column'>) => showPlace(area.current, text, issue);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    editing.save();
  };
  const isNew = disk.seen === 'absent';
  return (
    <section aria-labelledby="profile-title" className="flex min-h-full flex-1 flex-col gap-4">
      <div className="flex min-w-0 items-center gap-2">
        <Button look="plain" size="s" icon={<ArrowLeft size={14} strokeWidth={1.75} aria-hidden />} onClick={onDone} className="-ml-2.5">Back</Button>
        <h2 id="profile-title" className="min-w-0 truncate text-title font-semibold text-ink"><VisibleText text={name} /></h2>
        {scope === 'project' ? <Badge>Project</Badge> : null}
        {isNew ? <Badge tone="accent">Not saved</Badge> : draft ? <Badge tone="accent">Changed</Badge> : null}
        <Button look="plain" size="s" icon={<Trash2 size={14} strokeWidth={1.75} aria-hidden />} onClick={() => setDeleting(true)} className="ml-auto">{isNew ? 'Let it go' : 'Delete…'}</Button>
      </div>
      {draft && draft.seen !== disk.seen ? <MovedOn draft={draft} disk={disk} onDone={onDone} /> : null}
      <div className="flex flex-col gap-1.5">
        <p className="text-detail text-ink-3">{disk.path === undefined ? 'A TOML file, which is made when you save.' : <code className="font-code text-detail break-all"><VisibleText text={disk.path} /></code>}</p>
        <TextArea
          ref={area} aria-label={`Text of ${name}`} code spellCheck={false} autoCapitalize="off" wrap="off" value={text}
          className="max-h-[52vh]! min-h-48! leading-5" onChange={(event) => editing.type(event.currentTarget.value)} onKeyDown={onKeyDown}
        />
        {text.includes('•••') ? <p className="text-detail text-ink-3">Dots with a number stand for a value that looks secret. It stays what it was, as long as they stay where they are.</p> : null}
      </div>
      {state.phase === 'failed' && state.error.code !== 'config/changed' ? <SaveFailure error={state.error} onJump={jump} onRetry={editing.save} /> : null}
      {report ? <ProfileProblems report={report} onJump={jump} /> : null}
      {report ? <ProfileFacts report={report} /> : null}
      {checked.phase === 'failed' ? <FailureNote error={checked.error} compact onRetry={checked.again} /> : null}
      <EditorBar editing={editing} draft={draft} isNew={isNew} errors={report?.issues.filter(isError).length ?? 0} />
      {deleting ? <DeleteProfileDialog place={place} path={disk.path} onClose={() => setDeleting(false)} onGone={onDone} /> : null}
    </section>
  );
}

interface Editing {
  readonly text: string;
  readonly state: RequestState;
  readonly saved: boolean;
  /** What was discarded just now. */
  readonly letGo: ProfileDraft | undefined;
  readonly type: (text: string) => void;
  readonly save: () => void;
  readonly discard: () => void;
}
function useEditing({ place, draft, disk, onReload }: LoadedProps): Editing {
  const { name, scope } = place;
  const { state, run, clear } = useRequest();
  const { saved, onSaved, onTyped } = useWritten(draft, disk);
  const [letGo, setLetGo] = useState<ProfileDraft>();
  return {
    text: draft?.text ?? disk.text, state, saved, letGo,
    type(next) {
      onTyped();
      setLetGo(undefined);
      if (state.phase === 'failed') clear();
      const seen = draft?.seen ?? disk.seen;
      if (next === disk.text && seen === disk.seen && seen !== 'absent') dropProfileDraft(place);
      else keepProfileDraft({ ...place, text: next, seen });
    },
    save() {
      if (!draft) return;
      run(async () => {
        try {
          await api.profiles.save({ name, scope, text: draft.text, seen: draft.seen });
          onSaved();
        } finally {
          onReload();
        }
      });
    },
    discard() {
      clear();
      setLetGo(draft);
      dropProfileDraft(place);
    },
  };
}

/** How it stands with what was typed, and the way to save it. Stays at the foot of the page while one scrolls. */
function EditorBar({ editing: { state, saved, letGo, save, discard }, draft, isNew, errors }: { readonly editing: Editing; readonly draft: ProfileDraft | undefined; readonly isNew: boolean; readonly errors: number }) {
  const words = draft ? 'Nothing takes effect before you save.' : letGo ? 'Changes let go.' : saved ? 'Saved.' : '';
  return (
    <div role="group" aria-label="Changes" className="sticky bottom-0 z-10 mt-auto -mb-6 flex min-h-14 items-center gap-2 border-t border-line bg-pane py-3 compact:-mb-5">
      <p role="status" className="min-w-0 flex-1 text-list text-ink-2">
        {errors === 0 ? null : <strong className="font-[550] text-bad">{countText(errors, 'problem')}. </strong>}
        {words}
      </p>
      {draft && !isNew ? <Button look="plain" onClick={discard}>Discard changes</Button> : null}
      {!draft && letGo ? <Button look="plain" onClick={() => keepProfileDraft(letGo)}>Take back</Button> : null}
      <Button look="primary" disabled={!draft} busy={state.phase === 'sending'} onClick={save}>Save</Button>
    </div>
  );
}

function SaveFailure({ error, onJump, onRetry }: { readonly error: RequestError; readonly onJump: (issue: Pick<ConfigIssue, 'line'>) => void; readonly onRetry: () => void }) {
  const line = error.code === 'config/invalid' ? lineIn(error.data) : undefined;
  if (line === undefined) return <FailureNote error={error} compact onRetry={onRetry} />;
  return <ErrorNote compact what="Nothing was saved." means={<VisibleText text={error.message} />} action={{ label: `Show line ${line}`, onPress: () => onJump({ line }) }} />;
}

/** After it was written what was typed is kept until the file's own text is there; what was typed meanwhile stays a change. */
function useWritten(draft: ProfileDraft | undefined, disk: OnDisk): { readonly saved: boolean; readonly onSaved: () => void; readonly onTyped: () => void } {
  const [saved, setSaved] = useState(false);
  const written = useRef<{ readonly draft: ProfileDraft | undefined; readonly disk: OnDisk }>(undefined);
  useLayoutEffect(() => {
    const before = written.current;
    if (!before || before.disk === disk) return;
    written.current = undefined;
    if (!draft) return;
    if (draft === before.draft) dropProfileDraft(draft);
    else keepProfileDraft({ ...draft, seen: disk.seen });
    setSaved(draft === before.draft);
  }, [draft, disk]);
  return {
    saved,
    onSaved: () => {
      written.current = { draft, disk };
    },
    onTyped: () => setSaved(false),
  };
}

/** The file says something else than when this was begun. */
function MovedOn({ draft, disk, onDone }: { readonly draft: ProfileDraft; readonly disk: OnDisk; readonly onDone: () => void }) {
  const gone = disk.seen === 'absent';
  const letGo = () => {
    dropProfileDraft(draft);
    if (gone) onDone();
  };
  return (
    <div role="alert" className="flex flex-col gap-2 rounded-card border border-ask-line bg-ask-soft px-4 py-3 text-list">
      <p className="font-[550] text-ask">{gone ? 'The file was removed meanwhile.' : draft.seen === 'absent' ? 'Meanwhile there is a file of this name.' : 'The file was changed meanwhile.'}</p>
      <p className="text-ink-2">{gone ? 'Yours can be saved as a new one.' : 'Nothing was written over. Choose which of the two goes on.'}</p>
      {gone ? null : (
        <details>
          <summary className="w-fit rounded-control text-ink-2 underline decoration-line-strong underline-offset-2">What stands there now</summary>
          <div className="mt-2"><CodeBlock code={disk.text} language="toml" maxHeight="max-h-64" /></div>
        </details>
      )}
      <div className="flex flex-wrap gap-2">
        <Button size="s" onClick={letGo}>{gone ? 'Let mine go' : 'Take what is there'}</Button>
        <Button size="s" onClick={() => keepProfileDraft({ ...draft, seen: disk.seen })}>Go on with mine</Button>
      </div>
    </div>
  );
}

/** Puts the caret there, and the line in sight. */
function showPlace(area: HTMLTextAreaElement | null, text: string, issue: Pick<ConfigIssue, 'line' | 'column'>): void {
  if (!area) return;
  const [start, end] = rangeOf(text, issue);
  area.focus();
  area.setSelectionRange(start, end);
  area.scrollTop = Math.max(0, ((issue.line ?? 1) - 4) * Number.parseFloat(getComputedStyle(area).lineHeight));
}

const lineIn = (data: unknown): number | undefined => (typeof data === 'object' && data !== null && 'line' in data && typeof data.line === 'number' ? data.line : undefined);

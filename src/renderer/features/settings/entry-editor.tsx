import { ArrowLeft } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { ServerDraft } from '../../../shared/model/server-definition.ts';
import type { ConfigScope } from '../../../shared/model/config-value.ts';
import { api, RequestError } from '../../bridge/api.ts';
import { fieldsOf, ownedSource, type ServerFormView } from '../../bridge/server-form-view.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { VisibleText } from '../../ui/visible-text.tsx';
import { changeDraft, withChange, type EntryChange, type ScopeRow } from './scope-draft.ts';

const ownFields = (scope: ConfigScope, row: ScopeRow | undefined): ReadonlySet<string> =>
  row?.entry?.provenance && row.entry.here ? fieldsOf(row.entry.provenance, ownedSource(scope)) : new Set();

/** The form of a server, into the draft. It is checked by the core before it gets there, and saved with the draft. */
export function EntryEditor({ scope, draftId, row, rows, name, serverForm: ServerForm, onDone }: {
  readonly scope: ConfigScope;
  readonly draftId: string;
  readonly row: ScopeRow | undefined;
  readonly rows: readonly ScopeRow[];
  /** Of the entry that is edited; absent: a new one. */
  readonly name: string | undefined;
  readonly serverForm: ServerFormView;
  readonly onDone: () => void;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  const moved = useRef(false);
  // As it was when the form was opened: a reload of the list is no reason to begin again.
  const [start] = useState(row);
  useEffect(() => {
    if (name !== undefined) heading.current?.focus({ preventScroll: true });
  }, [name]);
  const change = start?.change?.kind === 'put' ? start.change : undefined;
  const definition = start?.entry?.definition;
  if (name !== undefined && !change && !definition) {
    return <EmptyState title="This server is not here" actions={<Button onClick={onDone}>Back</Button>}>It was removed, or has another name now.</EmptyState>;
  }
  const what = change?.what ?? (name === undefined ? 'new' : start?.entry?.editable ? 'edit' : 'override');
  const keep = async (draft: ServerDraft, typed: unknown) => {
    const key = what === 'new' && !start ? draft.name : (start?.key ?? draft.name);
    if (rows.some((other) => other.key !== start?.key && other.change?.kind !== 'remove' && other.name.toLowerCase() === draft.name.toLowerCase() && (other.change?.kind === 'put' || other.entry?.here))) {
      throw new RequestError({ code: 'server/exists', message: '' });
    }
    const seen = moved.current ? (row?.entry?.seen ?? 'absent') : (change?.seen ?? start?.entry?.seen ?? 'absent');
    const switched = start?.change?.kind === 'switch' ? start.change.enabled : change?.draft.enabled;
    const next: EntryChange = {
      kind: 'put', what, typed, seen,
      draft: switched === undefined ? draft : { ...draft, enabled: switched },
      ...(what !== 'new' && start?.entry?.here ? { previousName: start.key } : {}),
    };
    // The core's own rules, before it stands in the draft: nothing is written.
    await api.config.preview({ scope, edits: [{ op: 'put', draft: next.draft, seen, ...(next.previousName === undefined ? {} : { previousName: next.previousName }) }] });
    changeDraft(draftId, (before) => withChange(what === 'new' && start ? withChange(before, start.key, undefined) : before, what === 'new' ? draft.name : key, next));
    onDone();
  };
  return (
    <section aria-labelledby="editor-title" className="flex min-h-full flex-col gap-5">
      <div className="flex items-center gap-2">
        <Button look="plain" size="s" icon={<ArrowLeft size={14} strokeWidth={1.75} aria-hidden />} onClick={onDone} className="-ml-2.5">Back</Button>
        <h2 id="editor-title" ref={heading} tabIndex={-1} className="min-w-0 truncate rounded-control text-title font-semibold text-ink focus-visible:outline-none">
          {what === 'new' ? 'Add a server' : what === 'edit' ? <>Edit <VisibleText text={start?.name ?? ''} /></> : <>Override <VisibleText text={start?.name ?? ''} /></>}
        </h2>
      </div>
      <ServerForm
        {...(change ? { typed: change.typed } : {})}
        definition={definition}
        own={what === 'new' ? undefined : ownFields(scope, start)}
        nameFixed={what === 'override'}
        saveLabel={what === 'new' ? 'Add to the draft' : 'Keep in the draft'}
        note={what === 'override' ? <p className="text-list text-ink-2">A copy of it for {scope === 'project' ? 'this project' : 'your own file'}. Where it comes from stays as it is.</p> : undefined}
        onSave={keep}
        onCancel={onDone}
        onMoved={() => { moved.current = true; }}
      />
    </section>
  );
}

import { useState } from 'react';
import type { ConfigScope } from '../../../shared/model/config-value.ts';
import { api } from '../../bridge/api.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { useApp } from '../../bridge/live.ts';
import { useRequest } from '../../bridge/request-state.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { VisibleText } from '../../ui/visible-text.tsx';
import { FormDialog } from './form-dialog.tsx';
import { dropProfileDraft, keepProfileDraft, type ProfilePlace } from './profile-draft.ts';
import type { ProfileItem } from './profile-row.tsx';
import { profileNameProblem, startOn, startText } from './profile-words.ts';

/** Asks for a name and whose it is; what is in it is written in its editor, and nothing before it is saved there. */
export function NewProfileDialog({ items, override, onClose, onMade }: {
  readonly items: readonly ProfileItem[];
  /** Of the built-in profile that it stands in front of. */
  readonly override?: string | undefined;
  readonly onClose: () => void;
  readonly onMade: (place: ProfilePlace) => void;
}) {
  const project = useApp((state) => state.settings.project);
  const trusted = useApp((state) => state.trust.phase === 'trusted' || state.trust.phase === 'not-needed') ?? false;
  const [name, setName] = useState(override ?? '');
  const [scope, setScope] = useState<ConfigScope>('global');
  const [checking, setChecking] = useState(false);
  const problem = profileNameProblem(name, items.filter((one) => one.scope === scope).map((one) => one.name));
  const make = () => {
    setChecking(true);
    if (problem !== undefined) return;
    const place = { name, scope, project: scope === 'project' ? project : undefined };
    const builtIn = items.some((one) => one.scope === 'built-in' && one.name === name);
    keepProfileDraft({ ...place, text: builtIn ? startOn(name) : startText, seen: 'absent' });
    onMade(place);
  };
  return (
    <FormDialog title="New profile" action="Go on" state={{ phase: 'idle' }} onSave={make} onClose={onClose}>
      <Field label="Name" error={checking ? problem : undefined} hint="A run asks for it by this name. It is the name of its file too.">
        {(parts) => <Input {...parts} maxLength={100} value={name} onChange={(event) => setName(event.currentTarget.value)} />}
      </Field>
      {project === undefined || !trusted ? null : (
        <div className="flex flex-col gap-1">
          <p className="text-list font-[550] text-ink">For</p>
          <Segmented<ConfigScope> name="For" value={scope} onChange={setScope} options={[{ value: 'global', label: 'All projects' }, { value: 'project', label: 'The open project' }]} />
        </div>
      )}
    </FormDialog>
  );
}

/** Asks once. */
export function DeleteProfileDialog({ place, path, onClose, onGone }: { readonly place: ProfilePlace; readonly path: string | undefined; readonly onClose: () => void; readonly onGone: () => void }) {
  const { state, run } = useRequest();
  const remove = () =>
    run(async () => {
      if (path !== undefined) await api.profiles.remove({ name: place.name, scope: place.scope });
      dropProfileDraft(place);
      onGone();
    });
  return (
    <Dialog
      open
      onClose={onClose}
      title={<>{path === undefined ? 'Let go of' : 'Delete'} <VisibleText text={place.name} />?</>}
      description={path === undefined ? 'It was never saved. What you typed is gone then.' : 'Runs that ask for it go on without it. What it held stays among the backups of the home for a while.'}
      footer={
        <>
          <Button look="plain" onClick={onClose}>Keep</Button>
          <Button look="danger" busy={state.phase === 'sending'} onClick={remove}>{path === undefined ? 'Let it go' : 'Delete profile'}</Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        {path === undefined ? null : <code className="font-code text-code break-all text-ink-2"><VisibleText text={path} /></code>}
        {state.phase === 'failed' ? <FailureNote error={state.error} compact /> : null}
      </div>
    </Dialog>
  );
}

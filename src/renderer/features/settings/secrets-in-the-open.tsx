import { useState } from 'react';
import type { FoundLiteral } from '../../../shared/model/secret-entry.ts';
import { api } from '../../bridge/api.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { useApp } from '../../bridge/live.ts';
import { useAsked, useRequest } from '../../bridge/request-state.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { VisibleText } from '../../ui/visible-text.tsx';
import { SecretName } from './secret-name.tsx';
import { FormDialog } from './form-dialog.tsx';
import { fixedWords, keyProblem, movable } from './secret-words.ts';
import { SettingGroup } from './setting-group.tsx';

const keyOf = ({ source, server, field }: FoundLiteral): string => `${source} ${server} ${field}`;
const move = ({ source, server, field, suggestedKey }: FoundLiteral, as: string = suggestedKey): Promise<void> =>
  api.secrets.moveToVault({ source, server, field, as });

/** Texts in files that look secret. Nothing while there are none. */
export function SecretsInTheOpen() {
  const revision = useApp((state) => state.configRevision) ?? 0;
  const asked = useAsked(`${revision}`, () => api.secrets.literals());
  const moving = useRequest();
  const [naming, setNaming] = useState<FoundLiteral>();
  if (asked.phase === 'failed') return <FailureNote error={asked.error} onRetry={asked.again} />;
  if (asked.phase === 'loading' || asked.value.length === 0) return null;
  const all = movable(asked.value);
  const found = [...all, ...asked.value.filter(({ fixed }) => fixed !== undefined)];
  // One after the other: each changes the file that the next one stands in.
  const moveAll = () =>
    moving.run(async () => {
      for (const one of all) await move(one);
    });
  return (
    <SettingGroup
      title="In the open"
      means="These look secret and stand in files as plain text, where every program can read them."
      actions={
        all.length > 1 ? (
          <Button busy={moving.state.phase === 'sending'} onClick={moveAll}>
            Move all {all.length} to the vault
          </Button>
        ) : null
      }
    >
      <ul aria-label="In the open" className="divide-y divide-line rounded-card border border-line bg-card">
        {found.map((one) => (
          <OpenRow key={keyOf(one)} found={one} onName={() => setNaming(one)} />
        ))}
      </ul>
      {moving.state.phase === 'failed' ? <FailureNote error={moving.state.error} compact /> : null}
      {naming ? <MoveDialog found={naming} onClose={() => setNaming(undefined)} /> : null}
    </SettingGroup>
  );
}

function OpenRow({ found, onName }: { readonly found: FoundLiteral; readonly onName: () => void }) {
  const { server, field, file, line, scope } = found;
  const { state, run } = useRequest();
  const fixed = fixedWords(found);
  const taken = state.phase === 'failed' && state.error.code === 'secret/exists';
  return (
    <li className="flex flex-col gap-2 px-4 py-2.5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <div className="min-w-0 flex-1 basis-64 text-list">
          <p className="flex min-w-0 flex-wrap items-center gap-x-2">
            <span className="font-[550] break-words text-ink">
              <VisibleText text={server} />
            </span>
            <span className="font-code text-code break-all text-ink-2">
              <VisibleText text={field} />
            </span>
            {scope === 'project' ? <Badge>Project</Badge> : null}
          </p>
          <p className="font-code text-detail break-all text-ink-3 select-text">
            <VisibleText text={line === undefined ? file : `${file}:${line}`} />
          </p>
          {fixed ? <p className="mt-1 break-words text-ink-2">{fixed}</p> : null}
        </div>
        {fixed ? null : (
          <div className="flex shrink-0 gap-1.5">
            <Button size="s" look="plain" aria-label={`As… another name: ${server} ${field}`} onClick={onName}>
              As…
            </Button>
            <Button
              size="s"
              busy={state.phase === 'sending'}
              aria-label={`Move to vault: ${server} ${field}`}
              onClick={() => run(() => move(found))}
            >
              Move to vault
            </Button>
          </div>
        )}
      </div>
      {state.phase === 'failed' ? <FailureNote error={state.error} compact /> : null}
      {taken ? (
        <div>
          <Button size="s" onClick={onName}>
            Choose another name…
          </Button>
        </div>
      ) : null}
    </li>
  );
}

function MoveDialog({ found, onClose }: { readonly found: FoundLiteral; readonly onClose: () => void }) {
  const [name, setName] = useState<string>(found.suggestedKey);
  const { state, run } = useRequest();
  const problem = keyProblem(name, []);
  const save = () => {
    if (problem !== undefined) return;
    run(async () => {
      await move(found, name.trim());
      onClose();
    });
  };
  return (
    <FormDialog title="Move to the vault" action="Move to vault" state={state} onSave={save} onClose={onClose} vault>
      <Field label="Name" error={problem} hint="The file then holds this name in place of the text.">
        {(parts) => <SecretName parts={parts} value={name} onValue={setName} />}
      </Field>
    </FormDialog>
  );
}

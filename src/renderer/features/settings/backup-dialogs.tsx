import { useState } from 'react';
import type { BackupReport } from '../../../shared/ipc/contract/home.ts';
import { api, type RequestError } from '../../bridge/api.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { useRequest } from '../../bridge/request-state.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Field, type FieldParts } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { VisibleText } from '../../ui/visible-text.tsx';
import { FormDialog } from './form-dialog.tsx';
import { archiveFailure, backupName, passphraseProblem, reportText } from './backup-words.ts';

/** A passphrase twice or none, a place, and then what was saved. */
export function BackupDialog({ onClose }: { readonly onClose: () => void }) {
  const [first, setFirst] = useState('');
  const [second, setSecond] = useState('');
  const [checking, setChecking] = useState(false);
  const [report, setReport] = useState<BackupReport>();
  const { state, run } = useRequest();
  const problem = passphraseProblem(first, second);
  const shown = checking ? problem : {};
  const save = () => {
    setChecking(true);
    if (problem.first !== undefined || problem.second !== undefined) return;
    run(async () => {
      const path = await api.shell.chooseSave({ name: backupName(new Date()) });
      if (path === undefined) return;
      setReport(await api.home.backup({ path, ...(first === '' ? {} : { passphrase: first }) }));
    });
  };
  if (report) {
    return (
      <Dialog
        open
        onClose={onClose}
        title="Saved"
        footer={
          <Button look="primary" onClick={onClose}>
            Done
          </Button>
        }
      >
        <Report report={report} />
        {report.secrets === 0 ? (
          <p className="mt-2 text-list text-ink-2">Values of secrets are not in it: after a restore you enter them again.</p>
        ) : null}
      </Dialog>
    );
  }
  return (
    <FormDialog title="Back up" description="Servers, chats, results, permissions and settings, in one file." action="Choose where…" state={state} failure={archiveNote} onSave={save} onClose={onClose}>
      <Field
        label="Passphrase for the secrets"
        optional
        error={shown.first}
        hint="Without one, their names are saved and their values left out. Nobody can recover it."
      >
        {(parts) => <Passphrase parts={parts} autoComplete="new-password" value={first} onValue={setFirst} />}
      </Field>
      <Field label="The same again" error={shown.second}>
        {(parts) => <Passphrase parts={parts} autoComplete="new-password" disabled={first === '' && second === ''} value={second} onValue={setSecond} />}
      </Field>
    </FormDialog>
  );
}

/** Checks a backup and lays it ready. Nothing of the present home changes before the next start. */
export function RestoreDialog({ path, onClose }: { readonly path: string; readonly onClose: () => void }) {
  const [passphrase, setPassphrase] = useState('');
  const [report, setReport] = useState<BackupReport>();
  const checking = useRequest();
  const restarting = useRequest();
  const check = () =>
    passphrase !== '' && passphrase.length < 8
      ? undefined
      : checking.run(async () => setReport(await api.home.restore({ path, ...(passphrase === '' ? {} : { passphrase }) })));
  const { state } = checking;
  if (report) {
    return (
      <Dialog
        open
        onClose={onClose}
        title="Ready to restore"
        footer={
          <>
            <Button look="plain" onClick={onClose}>
              At the next start
            </Button>
            <Button look="primary" busy={restarting.state.phase === 'sending'} onClick={() => restarting.run(() => api.shell.restart())}>
              Restart now
            </Button>
          </>
        }
      >
        <Report report={report} />
        <p className="mt-2 text-list text-ink-2">
          It takes this home’s place when Gatehouse starts again. The present home is kept beside it, and nothing of it is lost.
          {passphrase === '' ? ' Values of secrets do not come with it: servers that need one will ask.' : ''}
        </p>
        {restarting.state.phase === 'failed' ? (
          <div className="mt-3">
            <FailureNote error={restarting.state.error} compact />
          </div>
        ) : null}
      </Dialog>
    );
  }
  return (
    <FormDialog title="Restore this backup?" description="It is checked first. Nothing changes before the next start." action="Check it" state={state} failure={archiveNote} onSave={check} onClose={onClose}>
      <p className="font-code text-code break-all text-ink select-text">
        <VisibleText text={path} />
      </p>
      <Field
        label="Its passphrase"
        optional
        error={passphrase !== '' && passphrase.length < 8 ? 'A passphrase has at least 8 characters.' : undefined}
        hint="Without it, the names of its secrets come back, and their values do not."
      >
        {(parts) => <Passphrase parts={parts} autoComplete="off" value={passphrase} onValue={setPassphrase} />}
      </Field>
    </FormDialog>
  );
}

function Passphrase({ parts, autoComplete, disabled = false, value, onValue }: {
  readonly parts: FieldParts;
  readonly autoComplete: 'new-password' | 'off';
  readonly disabled?: boolean;
  readonly value: string;
  readonly onValue: (value: string) => void;
}) {
  return <Input {...parts} type="password" autoComplete={autoComplete} maxLength={1000} disabled={disabled} value={value} onChange={(event) => onValue(event.currentTarget.value)} />;
}

function archiveNote(error: RequestError) {
  const words = archiveFailure(error.code, error.data);
  return words ? <ErrorNote compact what={words.what} means={words.means} /> : null;
}

const Report = ({ report }: { readonly report: BackupReport }) => (
  <div className="text-list">
    <p className="text-ink">{reportText(report)}</p>
    <p className="mt-0.5 font-code text-code break-all text-ink-2 select-text">
      <VisibleText text={report.path} />
    </p>
  </div>
);

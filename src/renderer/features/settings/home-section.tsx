import { Archive, ArchiveRestore } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../bridge/api.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { go } from '../../bridge/place.ts';
import { useAsked, useRequest } from '../../bridge/request-state.ts';
import { Button } from '../../ui/button.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { VisibleText } from '../../ui/visible-text.tsx';
import { BackupDialog, RestoreDialog } from './backup-dialogs.tsx';
import { SettingGroup, SettingRow, SettingRows } from './setting-group.tsx';

const icon = { size: 14, strokeWidth: 1.75, 'aria-hidden': true } as const;

/** Where everything is kept, and how to take it elsewhere. */
export function HomeSection() {
  const asked = useAsked('info', () => api.app.info());
  const choosing = useRequest();
  const [backingUp, setBackingUp] = useState(false);
  const [restoring, setRestoring] = useState<string>();
  const chooseBackup = () => choosing.run(async () => setRestoring(await api.shell.chooseFile()));
  return (
    <>
      <SettingGroup title="Home" means="Servers, chats, results, permissions and the vault live in one folder on this computer.">
        {asked.phase === 'loading' ? <Skeleton rows={2} /> : null}
        {asked.phase === 'failed' ? <FailureNote error={asked.error} onRetry={asked.again} /> : null}
        {asked.phase === 'ready' ? (
          <SettingRows>
            <SettingRow
              name={
                <span className="font-code text-code break-all select-text">
                  <VisibleText text={asked.value.home} />
                </span>
              }
            >
              <Button onClick={() => go({ page: 'set-up' })}>Set-up…</Button>
            </SettingRow>
          </SettingRows>
        ) : null}
      </SettingGroup>
      <SettingGroup
        title="Backup"
        means="Everything of the home in one file. Values of secrets are in it only with a passphrase, which encrypts them."
      >
        <SettingRows>
          <SettingRow name="Back up" means="Never over a file that exists.">
            <Button icon={<Archive {...icon} />} onClick={() => setBackingUp(true)}>
              Backup…
            </Button>
          </SettingRow>
          <SettingRow name="Restore" means="Takes this home’s place at the next start. The present one is kept beside it.">
            <Button icon={<ArchiveRestore {...icon} />} busy={choosing.state.phase === 'sending'} onClick={chooseBackup}>
              Restore…
            </Button>
          </SettingRow>
        </SettingRows>
        {choosing.state.phase === 'failed' ? <FailureNote error={choosing.state.error} compact /> : null}
      </SettingGroup>
      {backingUp ? <BackupDialog onClose={() => setBackingUp(false)} /> : null}
      {restoring === undefined ? null : <RestoreDialog path={restoring} onClose={() => setRestoring(undefined)} />}
    </>
  );
}

import { Save } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { api } from '../../bridge/api.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { useRequest } from '../../bridge/request-state.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { VisibleText } from '../../ui/visible-text.tsx';

export interface FileToSave {
  readonly fileName: string;
  readonly text: string;
  /** What the file does not hold. */
  readonly note?: string;
}

/** A button that saves what is shown where the person says, and the words for how that went, which stand below it. */
export function useSavedFile(name: string, make: () => Promise<FileToSave>, disabled: boolean): { readonly button: ReactNode; readonly words: ReactNode } {
  const { state, run } = useRequest();
  const [said, setSaid] = useState('');
  const save = () =>
    run(async () => {
      setSaid('');
      const { fileName, text, note } = await make();
      const path = await api.shell.saveText({ name: fileName, text });
      if (path !== undefined) setSaid(`Saved as ${path}.${note === undefined ? '' : ` ${note}`}`);
    });
  return {
    button: <IconButton size="s" name={name} aria-busy={state.phase === 'sending' || undefined} disabled={disabled} onClick={save} icon={<Save size={14} strokeWidth={1.75} />} />,
    words: (
      <>
        <p role="status" className={said === '' ? 'sr-only' : 'text-detail break-all text-ink-2 select-text'}>
          <VisibleText text={said} />
        </p>
        {state.phase === 'failed' ? <FailureNote error={state.error} compact /> : null}
      </>
    ),
  };
}

/** A file's name that every system takes: what it is of, what it is, and when. */
export const fileNameOf = (server: string, what: string, ending: string): string =>
  `${server.replaceAll(/[^\p{L}\p{N}_-]+/gu, '-').replaceAll(/^-+|-+$/g, '').slice(0, 60) || 'server'}-${what}-${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}.${ending}`;

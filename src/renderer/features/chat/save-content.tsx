import { Download } from 'lucide-react';
import type { ContentRef } from '../../../shared/model/content.ts';
import { fileNameOf } from '../../../shared/text/file-name.ts';
import { api } from '../../bridge/api.ts';
import { useRequest } from '../../bridge/request-state.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';

/** Puts what a result left behind where the person says. `source` is the server's name or address for it. */
export function SaveContent({ reference, source, label }: { readonly reference: ContentRef; readonly source: string; readonly label?: string }) {
  const { state, run } = useRequest();
  const save = () => run(() => api.shell.saveContent({ id: reference.id, name: fileNameOf(source, reference.mimeType) }));
  const failed = state.phase === 'failed';
  const icon = <Download size={14} strokeWidth={1.75} aria-hidden />;
  if (label === undefined) return <IconButton size="s" name={failed ? 'It could not be saved. Save again…' : 'Save…'} icon={icon} onClick={save} />;
  return (
    <>
      <Button size="s" icon={icon} busy={state.phase === 'sending'} onClick={save}>{label}</Button>
      {failed ? <span role="alert" className="text-detail text-bad">It could not be saved there.</span> : null}
    </>
  );
}

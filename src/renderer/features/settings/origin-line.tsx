import type { FileSetting } from '../../../shared/model/settings.ts';
import { api } from '../../bridge/api.ts';
import { useApp } from '../../bridge/live.ts';
import { useRequest } from '../../bridge/request-state.ts';

/** Which of the person's files a setting comes from, if one speaks of it. What was chosen here over it can be taken back. */
export function OriginLine({ setting, name }: { readonly setting: FileSetting; readonly name: string }) {
  const origin = useApp((state) => state.settingOrigins[setting]);
  const { state, run } = useRequest();
  if (!origin) return null;
  const file = <code className="text-code">{origin.file}</code>;
  if (!origin.chosenHere) return <p className="mt-0.5 text-detail text-ink-3">From {file}</p>;
  return (
    <p className="mt-0.5 text-detail text-ink-3">
      Chosen here in place of what {file} says.{' '}
      <button
        type="button" aria-label={`Follow the file: ${name}`} disabled={state.phase === 'sending'} onClick={() => run(() => api.settings.update({ [setting]: null }))}
        className="rounded-control text-accent underline-offset-2 hover:underline"
      >
        Follow the file
      </button>
      {state.phase === 'failed' ? <span className="text-bad"> It could not be saved: {state.error.message}</span> : null}
    </p>
  );
}

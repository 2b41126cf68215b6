import { useState } from 'react';
import { api } from '../../bridge/api.ts';
import { useApp } from '../../bridge/live.ts';
import { useAsked } from '../../bridge/request-state.ts';
import { Button } from '../../ui/button.tsx';
import { ReviewDialog } from './review-dialog.tsx';

/** For an open project without one: a minimal `.mcp.json`, which its other people share. Nothing without a project. */
export function ProjectFile({ onMade }: { readonly onMade: () => void }) {
  const project = useApp((state) => state.settings.project);
  const revision = useApp((state) => state.configRevision) ?? 0;
  const asked = useAsked(`${project ?? ''} ${revision}`, () => api.config.sources());
  const [reviewing, setReviewing] = useState(false);
  const missing = asked.phase === 'ready' && asked.value.some(({ kind, status }) => kind === 'project-mcp' && status === 'absent');
  if (project === undefined || !missing) return null;
  const make = async () => {
    await api.projects.makeFile();
    onMade();
    setReviewing(false);
  };
  return (
    <section
      aria-label="A file for this project"
      className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-card border border-line bg-card px-4 py-3 text-list"
    >
      <p className="min-w-0 flex-1 basis-72 text-ink-2">
        <span className="font-[550] text-ink">The open project has no .mcp.json.</span> In it stand servers for everybody who works on the
        project.
      </p>
      <Button onClick={() => setReviewing(true)}>Make one…</Button>
      {reviewing ? (
        <ReviewDialog
          title="Make a .mcp.json for this project?"
          label="Make it"
          look={() => api.projects.previewFile()}
          onAdd={make}
          onClose={() => setReviewing(false)}
        />
      ) : null}
    </section>
  );
}

import { api } from '../../bridge/api.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { useApp } from '../../bridge/live.ts';
import { openProject } from '../../bridge/project.ts';
import { useRequest } from '../../bridge/request-state.ts';
import { Button } from '../../ui/button.tsx';
import { VisibleText } from '../../ui/visible-text.tsx';
import { ProjectTrust } from './project-trust.tsx';
import { SettingGroup, SettingRow, SettingRows } from './setting-group.tsx';

export function ProjectSection() {
  const project = useApp((state) => state.settings.project);
  const opening = useRequest();
  const closing = useRequest();
  return (
    <SettingGroup
      title="Project"
      means="The folder that you work on. The Files server may read and change what is in it, and nothing outside."
    >
      <SettingRows>
        <SettingRow
          name={
            project === undefined ? (
              'No folder is open'
            ) : (
              <span className="font-code text-code break-all">
                <VisibleText text={project} />
              </span>
            )
          }
          means={project === undefined ? 'Files sleeps until you open one.' : undefined}
        >
          <Button
            look={project === undefined ? 'primary' : 'quiet'}
            busy={opening.state.phase === 'sending'}
            onClick={() => opening.run(openProject)}
          >
            {project === undefined ? 'Open a folder…' : 'Open another…'}
          </Button>
          {project === undefined ? null : (
            <Button look="plain" busy={closing.state.phase === 'sending'} onClick={() => closing.run(() => api.settings.closeProject())}>
              Close
            </Button>
          )}
        </SettingRow>
        {project === undefined ? null : <ProjectTrust project={project} />}
      </SettingRows>
      {opening.state.phase === 'failed' ? <FailureNote error={opening.state.error} compact /> : null}
      {closing.state.phase === 'failed' ? <FailureNote error={closing.state.error} compact /> : null}
    </SettingGroup>
  );
}

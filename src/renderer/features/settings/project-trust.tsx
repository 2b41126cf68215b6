import { api } from '../../bridge/api.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { useApp } from '../../bridge/live.ts';
import { useRequest } from '../../bridge/request-state.ts';
import { askTrust } from '../../bridge/trust-ask.ts';
import { Button } from '../../ui/button.tsx';
import { StateDot, type DotState } from '../../ui/state-dot.tsx';
import type { TrustStatus } from '../../../shared/model/project-trust.ts';
import { SettingRow } from './setting-group.tsx';

export function trustWords(phase: TrustStatus['phase']): { readonly dot: DotState; readonly word: string; readonly means: string } {
  switch (phase) {
    case 'not-needed':
      return { dot: 'asleep', word: 'Nothing to trust', means: 'The folder has no MCP files of its own.' };
    case 'trusted':
      return { dot: 'working', word: 'Trusted', means: 'Its MCP files count, as they are now. When one changes, you are asked again.' };
    case 'ask':
      return { dot: 'needs-you', word: 'Waits for your trust', means: 'Nothing of its MCP files runs until you have looked at them.' };
    case 'refused':
      return { dot: 'asleep', word: 'Not trusted', means: 'You said not now. Nothing of its MCP files runs.' };
  }
}

/** Whether the open project's own files count, and how to change it. */
export function ProjectTrust({ project }: { readonly project: string }) {
  const phase = useApp((state) => state.trust.phase) ?? 'not-needed';
  const { state, run } = useRequest();
  const { dot, word, means } = trustWords(phase);
  return (
    <>
      <SettingRow
        name={
          <span role="status">
            <StateDot state={dot} word={word} />
          </span>
        }
        means={means}
      >
        {phase === 'ask' || phase === 'refused' ? <Button onClick={askTrust}>Trust…</Button> : null}
        {phase === 'trusted' ? (
          <Button busy={state.phase === 'sending'} onClick={() => run(() => api.projects.distrust({ project }))}>
            Withdraw trust
          </Button>
        ) : null}
      </SettingRow>
      {state.phase === 'failed' ? (
        <div className="px-4 py-2">
          <FailureNote error={state.error} compact />
        </div>
      ) : null}
    </>
  );
}

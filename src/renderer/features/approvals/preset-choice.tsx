import { TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import type { ApprovalPreset } from '../../../shared/model/settings.ts';
import { api } from '../../bridge/api.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { useApp } from '../../bridge/live.ts';
import { useRequest } from '../../bridge/request-state.ts';
import { Button } from '../../ui/button.tsx';
import { RadioCards, type RadioCard } from '../../ui/radio-cards.tsx';

const presets: readonly RadioCard<ApprovalPreset>[] = [
  { value: 'approval-required', label: 'Ask', means: 'You are asked before every tool that you have not allowed. Recommended.' },
  { value: 'locked-down', label: 'Locked down', means: 'No tool runs, allowed before or not. Models can still talk.' },
  {
    value: 'unrestricted',
    label: 'Unrestricted',
    means: 'Every tool of every server runs at once, without a question, except those that always ask.',
  },
];

/** The rule under all others. Loosening it takes a second press: arrow keys pass over every choice. */
export function PresetChoice() {
  const preset = useApp((state) => state.settings.approvals) ?? 'approval-required';
  const [wanted, setWanted] = useState<ApprovalPreset>();
  const { state, run } = useRequest();
  const set = (approvals: ApprovalPreset) =>
    run(async () => {
      await api.settings.update({ approvals });
      setWanted(undefined);
    });
  const choose = (chosen: ApprovalPreset) => {
    if (chosen === 'unrestricted' && preset !== 'unrestricted') return setWanted(chosen);
    setWanted(undefined);
    if (chosen !== preset) set(chosen);
  };
  return (
    <div className="flex flex-col gap-3">
      <RadioCards name="When to ask" value={wanted ?? preset} options={presets} onChange={choose} />
      {wanted === 'unrestricted' ? (
        <div
          role="group"
          aria-label="Let every tool run without asking?"
          className="flex flex-col gap-3 rounded-card border border-ask-line bg-ask-soft px-4 py-3 text-list"
        >
          <Danger>
            A model may then delete, send and buy with your tools before you have read what it is about to do. Text that a tool brings back
            can talk a model into it.
          </Danger>
          <div className="flex flex-wrap gap-2 pl-6.5">
            <Button size="s" look="primary" onClick={() => setWanted(undefined)}>
              Keep asking
            </Button>
            <Button size="s" look="danger" busy={state.phase === 'sending'} onClick={() => set('unrestricted')}>
              Let every tool run
            </Button>
          </div>
        </div>
      ) : null}
      {wanted === undefined && preset === 'unrestricted' ? (
        <div role="status" className="rounded-card border border-ask-line bg-ask-soft px-4 py-3 text-list">
          <Danger>Tools run without asking you, on the word of a model alone.</Danger>
        </div>
      ) : null}
      {wanted === undefined && preset === 'locked-down' ? (
        <p role="status" className="text-list text-ink-2">
          No tool runs now. Every call is denied and says so in its chat.
        </p>
      ) : null}
      {state.phase === 'failed' ? <FailureNote error={state.error} compact /> : null}
    </div>
  );
}

const Danger = ({ children }: { readonly children: string }) => (
  <p className="flex items-start gap-2.5 text-ink">
    <TriangleAlert size={16} strokeWidth={1.75} className="mt-px shrink-0 text-ask" aria-hidden />
    <span>{children}</span>
  </p>
);

import { useState } from 'react';
import type { ModelProvider } from '../../../shared/model/settings.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { useApp } from '../../bridge/live.ts';
import { go } from '../../bridge/place.ts';
import { useRequest } from '../../bridge/request-state.ts';
import { Button } from '../../ui/button.tsx';
import { RadioCards } from '../../ui/radio-cards.tsx';
import { finishSetUp } from './first-start.ts';
import { StepFoot } from './step-foot.tsx';

const noProviders: readonly ModelProvider[] = [];

/** A model, or none: both are good. The last step; it ends in the composer, or where models are connected. */
export function ModelStep() {
  const saved = useApp((state) => state.settings.providers) ?? noProviders;
  const detected = useApp((state) => state.detected) ?? noProviders;
  const [choice, setChoice] = useState<'direct' | 'model'>('direct');
  const { state, run } = useRequest();
  const finish = (where: 'direct' | 'model') => () =>
    run(async () => {
      await finishSetUp();
      go(where === 'model' ? { page: 'settings', section: 'models' } : { page: 'chat' }, 'replace');
    });
  const here = [...saved, ...detected.filter(({ id }) => !saved.some((other) => other.id === id))].map(({ name }) => name);
  return (
    <>
      <div className="flex flex-col gap-3">
        <RadioCards
          name="A model"
          value={choice}
          onChange={setChoice}
          options={[
            {
              value: 'direct',
              label: 'Direct mode',
              means: 'No model: you type what is wanted, choose the tool and fill in its form. Needs no account.',
            },
            {
              value: 'model',
              label: 'Connect a model',
              means:
                here.length > 0
                  ? `Here already: ${here.join(', ')}. Settings say which of their models new chats start with.`
                  : 'Anthropic, OpenAI, Google, or anything that speaks OpenAI’s protocol, also on this computer. Its key goes into the vault.',
            },
          ]}
        />
        {state.phase === 'failed' ? <FailureNote error={state.error} compact /> : null}
      </div>
      <StepFoot onSkip={choice === 'model' ? finish('direct') : undefined}>
        <Button look="primary" busy={state.phase === 'sending'} onClick={finish(choice)}>
          {choice === 'model' ? 'Connect a model' : 'Start'}
        </Button>
      </StepFoot>
    </>
  );
}

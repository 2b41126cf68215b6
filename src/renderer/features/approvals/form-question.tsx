import { useEffect, useRef, useState } from 'react';
import type { JsonObject } from '../../../shared/model/catalog.ts';
import { withDefaults } from '../../../shared/model/elicitation-content.ts';
import type { Elicitation, ElicitationContent } from '../../../shared/model/elicitation.ts';
import { ArgumentRows } from '../../ui/argument-rows.tsx';
import { Button } from '../../ui/button.tsx';
import { SchemaForm, warmSchemaForm, type SchemaFormHandle } from '../../ui/schema-form/schema-form.tsx';
import { useArmed } from '../../ui/use-armed.ts';
import { VisibleText } from '../../ui/visible-text.tsx';
import { formFields, sentContent, shownContent } from './form-answer.ts';
import { QuestionFrame, useAnswer } from './question-frame.tsx';

type Stage = { readonly at: 'form' } | { readonly at: 'review'; readonly content: ElicitationContent };

/** A form that a server asks for: filled in, looked over as it will be sent, then sent. Nothing is sent by a first press (F-148). */
export function FormQuestion({ elicitation, schema }: { readonly elicitation: Elicitation; readonly schema: JsonObject }) {
  const { id, serverName } = elicitation;
  const isEmpty = formFields(schema).length === 0;
  const [stage, setStage] = useState<Stage>(isEmpty ? { at: 'review', content: {} } : { at: 'form' });
  const [initial, setInitial] = useState<Readonly<Record<string, unknown>>>(() => withDefaults(schema, {}));
  const [edited, setEdited] = useState(false);
  const [wrong, setWrong] = useState(0);
  const form = useRef<SchemaFormHandle>(null);
  const review = useRef<HTMLDivElement>(null);
  const { state, answer } = useAnswer(elicitation);
  const armed = useArmed(`${id} ${stage.at}`);
  useEffect(warmSchemaForm, []);
  useEffect(() => {
    if (stage.at === 'review' && !isEmpty) review.current?.focus({ preventScroll: true });
  }, [stage.at, isEmpty]);
  const look = () => {
    const checked = form.current?.check();
    if (!checked) return;
    setWrong(checked.ok ? 0 : checked.problems);
    if (!checked.ok) return;
    const content = sentContent(schema, checked.args);
    setInitial(content);
    setStage({ at: 'review', content });
  };
  const edit = () => {
    setEdited(true);
    setStage({ at: 'form' });
  };
  const busy = state.phase === 'sending';
  const refusals = (
    <span className="ml-auto flex gap-2">
      <Button look="plain" onClick={() => answer('cancel')}>Dismiss</Button>
      <Button look="danger" busy={busy} onClick={() => answer('decline')}>Decline</Button>
    </span>
  );
  if (stage.at === 'form') {
    return (
      <QuestionFrame
        elicitation={elicitation} title="asks you something" state={state}
        actions={<><Button look="primary" onClick={look}>Continue</Button><span role="status" className="text-detail text-bad">{wrongText(wrong)}</span>{refusals}</>}
      >
        <p className="text-detail text-ink-3">Type no password, key or card number here: the answer goes to this server as it stands. Declining tells it no; dismissing, that you did not answer.</p>
        <SchemaForm ref={form} schema={schema} initial={initial} autoFocus={edited} />
      </QuestionFrame>
    );
  }
  return (
    <QuestionFrame
      elicitation={elicitation} title="asks you something" state={state}
      actions={
        <>
          <Button look="primary" busy={busy} disabled={!armed} className="disabled:opacity-100" onClick={() => answer('accept', stage.content)}>{isEmpty ? 'Accept' : 'Submit'}</Button>
          {isEmpty ? null : <Button onClick={edit}>Edit</Button>}
          {refusals}
        </>
      }
    >
      {isEmpty ? null : (
        <div ref={review} tabIndex={-1} role="group" aria-label="Your answer" className="flex flex-col gap-2 focus-visible:outline-none">
          <h4 className="text-detail font-[550] text-ink-3">This is sent to <VisibleText text={serverName} /></h4>
          {Object.keys(stage.content).length === 0 ? <p className="text-list text-ink-2">Nothing is filled in.</p> : <ArgumentRows args={shownContent(schema, stage.content)} />}
        </div>
      )}
    </QuestionFrame>
  );
}

const wrongText = (wrong: number): string => (wrong === 0 ? '' : wrong === 1 ? 'One field needs a look.' : `${wrong} fields need a look.`);
import clsx from 'clsx';
import { ChevronDown, Pencil } from 'lucide-react';
import { useEffect, useId, useRef, useState, type ReactNode, type RefObject } from 'react';
import { ownToolsId } from '../../../shared/model/own-tools.ts';
import type { Approval, ApprovalAnswer } from '../../../shared/model/tool-call.ts';
import { annotationWords } from '../../bridge/annotation-words.ts';
import { api } from '../../bridge/api.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { useRequest } from '../../bridge/request-state.ts';
import { ArgumentRows } from '../../ui/argument-rows.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { LongText } from '../../ui/long-text.tsx';
import { Menu } from '../../ui/menu.tsx';
import { SchemaForm, warmSchemaForm, type SchemaFormHandle } from '../../ui/schema-form/schema-form.tsx';
import { StateDot } from '../../ui/state-dot.tsx';
import { useArmed, useNoEnter } from '../../ui/use-armed.ts';
import { VisibleText } from '../../ui/visible-text.tsx';
import { DenyForm } from './deny-form.tsx';

export interface ApprovalCardProps {
  readonly approval: Approval;
}
type Mode = 'asking' | 'editing' | 'denying';

/** One question: server, tool, every argument, which rule asks. Enter never allows anything; a click or the space bar does. */
export function ApprovalCard({ approval }: ApprovalCardProps) {
  const { call } = approval;
  const [mode, setMode] = useState<Mode>('asking');
  const { hint, onKeyDown } = useNoEnter();
  const armed = useArmed(approval.id);
  const { state, run } = useRequest();
  const form = useRef<SchemaFormHandle>(null);
  const heading = useId();
  const card = useTopFirst(approval.id);
  const answer = (given: ApprovalAnswer) => run(async () => {
    const around = card.current?.closest<HTMLElement>('[role="log"]') ?? document.getElementById('main');
    const hadFocus = card.current?.contains(document.activeElement) ?? false;
    await api.approvals.answer({ approvalId: approval.id, answer: given });
    // Not to the next question: a key that is still held down would answer it.
    if (hadFocus) around?.focus({ preventScroll: true });
  });
  const allow = (scope: 'once' | 'chat' | 'tool' | 'server') => answer({ decision: 'allow', scope });
  const allowEdited = () => {
    const checked = form.current?.check();
    if (checked?.ok) answer({ decision: 'allow', scope: 'once', args: { ...checked.args } });
  };
  useEffect(warmSchemaForm, []);
  const busy = state.phase === 'sending';
  const allowing = { disabled: !armed, onKeyDown, className: 'disabled:opacity-100' } as const;
  return (
    <section ref={card} aria-labelledby={heading} className="overflow-hidden rounded-card border border-ask-line bg-card shadow-lifted">
      <div className="flex items-center gap-2 bg-ask-soft px-4 py-2 text-list font-semibold text-ask"><StateDot state="needs-you" word="Waiting for you" /></div>
      <div className="flex flex-col gap-3 px-4 pt-3.5 pb-4">
        <div className="flex flex-wrap items-start gap-x-3 gap-y-1.5">
          <h3 id={heading} className="min-w-0 flex-1 text-title font-semibold break-words text-ink">
            <VisibleText text={approval.toolTitle ?? call.ref.tool} />{isOwn(approval) ? null : <span className="font-normal text-ink-2"> on <VisibleText text={call.serverName} /></span>}
          </h3>
          {annotationWords(approval.annotations).map((words) => <Badge key={words.text} tone={words.tone}>{words.text}</Badge>)}
        </div>
        {approval.changed ? <Changed changed={approval.changed} /> : null}
        <dl className="grid grid-cols-[minmax(64px,max-content)_minmax(0,1fr)] gap-x-4 gap-y-1 text-list">{isOwn(approval) ? <NewServerFacts approval={approval} /> : <ToolFacts approval={approval} />}</dl>
        <div className="border-t border-line pt-3">
          <div className="mb-2 flex items-center justify-between gap-3">
            <h4 className="text-detail font-[550] text-ink-3">{mode === 'editing' ? 'Edit the arguments' : call.resource === undefined ? argumentsHeading(Object.keys(call.args).length) : 'What is read'}</h4>
            {mode === 'editing' || call.resource !== undefined ? null : <Button size="s" look="plain" className="-my-1 -mr-2" icon={<Pencil size={12} aria-hidden />} onClick={() => setMode('editing')}>Edit arguments…</Button>}
          </div>
          {mode === 'editing' ? <SchemaForm ref={form} schema={approval.inputSchema} initial={call.args} autoFocus /> : <ArgumentRows args={call.resource === undefined ? call.args : { address: call.resource }} />}
        </div>
        <p className="text-detail text-ink-2">Why it asks: {approval.because}</p>
        {state.phase === 'failed' ? <FailureNote error={state.error} compact context={{ server: call.serverName, tool: call.ref.tool }} /> : null}
        {mode === 'denying' ? <DenyForm busy={busy} onCancel={() => setMode('asking')} onDeny={(reason) => answer({ decision: 'deny', ...(reason ? { reason } : {}) })} /> : null}
        {mode === 'editing' ? (
          <div className="flex flex-wrap items-center gap-2">
            <Button look="primary" busy={busy} {...allowing} onClick={allowEdited}>Allow with these arguments</Button>
            <Button look="plain" onClick={() => setMode('asking')}>Back</Button>
          </div>
        ) : null}
        {mode === 'asking' ? (
          <div className="flex flex-wrap items-center gap-2">
            <Button look="primary" busy={busy} {...allowing} onClick={() => allow('once')}>Allow once</Button>
            {call.caller.kind === 'chat' && !approval.onceOnly ? <Button {...allowing} onClick={() => allow('chat')}>Allow for this chat</Button> : null}
            {approval.onceOnly ? null : (
              <Menu
                align="start" side="top" trigger={<Button {...allowing} onKeyDown={undefined}>Always…<ChevronDown size={12} aria-hidden /></Button>}
                entries={[
                  { heading: 'Kept until you take it back, or it changes' },
                  { label: 'Always allow this tool', onSelect: () => allow('tool') },
                  { label: `Allow every tool of ${call.serverName}`, onSelect: () => allow('server') },
                ]}
              />
            )}
            <span className="ml-auto flex gap-2">
              <Button look="plain" onClick={() => setMode('denying')}>Deny with a reason…</Button>
              <Button look="danger" busy={busy} onClick={() => answer({ decision: 'deny' })}>Deny</Button>
            </span>
          </div>
        ) : null}
        <p role="status" className={clsx('text-detail text-ink-3', !hint && 'sr-only')}>{hint ? 'Enter allows nothing. Press the space bar, or click.' : ''}</p>
      </div>
    </section>
  );
}

const argumentsHeading = (count: number): string => (count === 0 ? 'Arguments' : count === 1 ? 'One argument' : `${count} arguments`);

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div className="col-span-2 grid grid-cols-subgrid"><dt className="text-ink-3">{name}</dt><dd className="min-w-0 break-words text-ink select-text">{children}</dd></div>
);

const isOwn = ({ call }: Approval): boolean => call.ref.serverId === ownToolsId;

const ToolFacts = ({ approval: { call, target, toolDescription } }: ApprovalCardProps) => (
  <>
    <Fact name="Server"><VisibleText text={call.serverName} /><span className="font-code text-code text-ink-2"> · <VisibleText text={target} /></span></Fact>
    <Fact name="Tool"><span className="font-code text-code"><VisibleText text={call.ref.tool} /></span></Fact>
    {toolDescription ? <Fact name="It says"><LongText text={toolDescription} code={false} lines={3} characters={240} className="text-ink-2" /></Fact> : null}
  </>
);

/** For `connect_mcp`, the one own tool that asks: where it leads, and what a yes means. */
const NewServerFacts = ({ approval: { target } }: ApprovalCardProps) => (
  <>
    <Fact name="Address"><span className="font-code text-code break-all"><VisibleText text={target} /></span></Fact>
    <Fact name="A yes means"><span className="text-ink-2">Gatehouse connects there, even if it is on this computer or in your network. Nothing has been sent yet. Its tools can be used until this run ends, and are asked about like those of your other servers.</span></Fact>
  </>
);

/** An earlier permission that no longer holds, with what it was given for and what stands there now. */
const Changed = ({ changed }: { readonly changed: NonNullable<Approval['changed']> }) => (
  <div className="flex flex-col gap-2 rounded-card border border-ask-line bg-ask-soft/60 px-3 py-2 text-list">
    <p className="font-[550] text-ask">{changed.what === 'tool' ? 'This tool has changed since you allowed it.' : 'This server has changed since you allowed it.'}</p>
    <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-3 gap-y-1">
      <dt className="text-ink-3">Before</dt><dd><LongText text={changed.before} lines={6} characters={400} /></dd>
      <dt className="text-ink-3">Now</dt><dd><LongText text={changed.after} lines={6} characters={400} /></dd>
    </dl>
  </div>
);

const shownOnce = new Set<string>();

/** A card that is higher than its list begins at its top, so that what is asked is read before the buttons are reached. */
function useTopFirst(id: string): RefObject<HTMLElement | null> {
  const card = useRef<HTMLElement>(null);
  useEffect(() => {
    if (shownOnce.has(id)) return;
    shownOnce.add(id);
    const look = () => {
      const list = card.current?.closest('[role="log"]');
      if (!card.current || !list) return;
      if (card.current.offsetHeight > list.clientHeight) card.current.scrollIntoView({ block: 'start' });
    };
    requestAnimationFrame(() => requestAnimationFrame(look)); // the list has followed its end by then
  }, [id]);
  return card;
}

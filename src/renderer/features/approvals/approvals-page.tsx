import { ShieldCheck } from 'lucide-react';
import { useEffect, useMemo, useRef } from 'react';
import type { ApprovalId } from '../../../shared/ids.ts';
import { isWaiting } from '../../../shared/model/elicitation-content.ts';
import type { Elicitation } from '../../../shared/model/elicitation.ts';
import type { SecretQuestion } from '../../../shared/model/secret-entry.ts';
import type { Approval } from '../../../shared/model/tool-call.ts';
import type { ChatSummary } from '../../../shared/state/app-state.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { followAgain, useApp, useAppMirror } from '../../bridge/live.ts';
import { hrefOf, type Place } from '../../bridge/place.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { ScrollPage } from '../../ui/scroll-page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { agoText, clockText } from '../../ui/time.ts';
import { useNow } from '../../ui/use-now.ts';
import { ApprovalCard } from './approval-card.tsx';
import { AlwaysAsk } from './always-ask.tsx';
import { ElicitationCard } from './elicitation-card.tsx';
import { GrantList } from './grant-list.tsx';
import { PresetChoice } from './preset-choice.tsx';
import { SecretQuestionCard } from './secret-question-card.tsx';

type ApprovalsPlace = Extract<Place, { readonly page: 'approvals' }>;
const noApprovals: readonly Approval[] = [];
const noSecrets: readonly SecretQuestion[] = [];
const noElicitations: readonly Elicitation[] = [];
const noChats: readonly ChatSummary[] = [];

/** What waits for the person, what they allowed for longer, and when they are asked. */
export function ApprovalsPage({ place }: { readonly place: ApprovalsPlace }) {
  const mirror = useAppMirror();
  return (
    <>
      <PageHeader title="Approvals" />
      <ScrollPage width="column">
        {mirror.phase === 'loading' ? (
          <Skeleton rows={6} />
        ) : mirror.phase === 'failed' ? (
          <FailureNote error={mirror.error} onRetry={() => followAgain('app')} />
        ) : (
          <div className="flex flex-col gap-9">
            <Waiting wanted={place.approvalId} />
            <GrantList />
            <section aria-labelledby="when-to-ask" className="flex flex-col gap-3">
              <h2 id="when-to-ask" className="text-title font-semibold text-ink">
                When to ask
              </h2>
              <PresetChoice />
              <AlwaysAsk />
            </section>
          </div>
        )}
      </ScrollPage>
    </>
  );
}

/** The questions, oldest first. Answering one moves focus to the next. */
function Waiting({ wanted }: { readonly wanted: ApprovalId | undefined }) {
  const approvals = useApp((state) => state.approvals) ?? noApprovals;
  const waiting = useMemo(() => approvals.toSorted((a, b) => a.askedAt - b.askedAt), [approvals]);
  const secrets = useApp((state) => state.secretQuestions) ?? noSecrets;
  const elicitations = useApp((state) => state.elicitations) ?? noElicitations;
  const count = waiting.length + secrets.length + elicitations.filter(isWaiting).length;
  const section = useRef<HTMLElement>(null);
  const before = useRef(count);
  useEffect(() => {
    const focusIsLost = document.activeElement === null || document.activeElement === document.body;
    if (count < before.current && focusIsLost) section.current?.querySelector<HTMLElement>('[data-question], h2')?.focus();
    before.current = count;
  }, [count]);
  useEffect(() => {
    if (wanted === undefined) return;
    const card = section.current?.querySelector<HTMLElement>(`[data-question="${CSS.escape(wanted)}"]`);
    card?.scrollIntoView({ block: 'start' });
    card?.focus({ preventScroll: true });
  }, [wanted]);
  const gone = wanted !== undefined && ![...waiting, ...secrets, ...elicitations].some(({ id }) => id === wanted);
  return (
    <section ref={section} aria-labelledby="waiting" className="flex flex-col gap-4">
      <h2 id="waiting" tabIndex={-1} className="text-title font-semibold text-ink focus-visible:outline-none">
        Questions{count > 1 ? <span className="font-normal text-ink-3"> {count}</span> : null}
      </h2>
      {gone ? (
        <p role="status" className="rounded-card border border-line bg-card px-4 py-2.5 text-list text-ink-2">
          The question that you opened is settled: it was answered elsewhere, or its call has ended.
        </p>
      ) : null}
      {count === 0 && elicitations.length === 0 ? (
        <div className="rounded-card border border-dashed border-line-strong">
          <EmptyState icon={<ShieldCheck strokeWidth={1.5} />} title="Nothing waits for you">
            When a model wants to use a tool that you have not allowed, the question appears here and in its chat. When a server wants a secret
            that it may not read yet, or asks you something, it appears here.
          </EmptyState>
        </div>
      ) : null}
      {secrets.map((question) => (
        <div key={question.id} data-question={question.id} tabIndex={-1} className="scroll-mt-4 rounded-card focus-visible:outline-offset-4">
          <SecretQuestionCard question={question} />
        </div>
      ))}
      {elicitations.length === 0 ? null : <h3 className="text-list font-semibold text-ink-2">Questions of servers</h3>}
      {elicitations.map((elicitation) => (
        <div key={elicitation.id} data-question={elicitation.id} tabIndex={-1} className="scroll-mt-4 rounded-card focus-visible:outline-offset-4">
          <ElicitationCard elicitation={elicitation} />
        </div>
      ))}
      {waiting.map((approval) => (
        <div
          key={approval.id}
          data-question={approval.id}
          tabIndex={-1}
          className="scroll-mt-4 rounded-card focus-visible:outline-offset-4"
        >
          <AskedBy approval={approval} />
          <ApprovalCard approval={approval} />
        </div>
      ))}
    </section>
  );
}

function AskedBy({ approval }: { readonly approval: Approval }) {
  const now = useNow();
  const chats = useApp((state) => state.chats) ?? noChats;
  const { caller } = approval.call;
  const chat = 'chatId' in caller ? chats.find((one) => one.id === caller.chatId) : undefined;
  const by = {
    chat: 'a chat',
    direct: 'Direct mode',
    person: 'a person',
    cli: 'the command line',
    'http-api': 'the HTTP interface',
    'app-window': 'an app window',
  }[caller.kind];
  return (
    <p className="mb-1.5 flex min-w-0 items-baseline gap-1.5 px-1 text-detail text-ink-2">
      <span className="shrink-0">Asked by</span>
      {chat ? (
        <a href={hrefOf({ page: 'chat', chatId: chat.id })} className="min-w-0 truncate text-accent underline-offset-2 hover:underline">
          {chat.title || 'New chat'}
        </a>
      ) : (
        <span>{by}</span>
      )}
      <time dateTime={new Date(approval.askedAt).toISOString()} title={clockText(approval.askedAt)} className="ml-auto shrink-0 text-ink-3">
        {agoText(approval.askedAt, now)}
      </time>
    </p>
  );
}

import { useEffect, useRef, useState } from 'react';
import type { SecretQuestion } from '../../shared/model/secret-entry.ts';
import type { Approval } from '../../shared/model/tool-call.ts';
import type { ChatSummary } from '../../shared/state/app-state.ts';
import { useApp } from '../bridge/live.ts';

interface Told {
  readonly approvals: readonly Approval[];
  readonly secretQuestions: readonly SecretQuestion[];
  readonly chats: readonly ChatSummary[];
}

/** What a screen reader is told: new questions, and answers that are finished. */
export function newsOf(before: Told, now: Told): readonly string[] {
  const known = new Set(before.approvals.map((approval) => approval.id));
  const asked = now.approvals.filter((approval) => !known.has(approval.id)).map((approval) => `Waiting for you: ${approval.toolTitle ?? approval.call.ref.tool} on ${approval.call.serverName}`);
  const knownSecrets = new Set(before.secretQuestions.map((question) => question.id));
  const wanted = now.secretQuestions.filter((question) => !knownSecrets.has(question.id)).map((question) => `Waiting for you: ${question.server} wants to read the secret ${question.key}`);
  const wasBusy = new Map(before.chats.map((chat) => [chat.id, chat.activity !== 'idle' && chat.activity !== 'interrupted']));
  const finished = now.chats.filter((chat) => chat.activity === 'idle' && wasBusy.get(chat.id) === true).map((chat) => `Answer finished in ${chat.title}`);
  return [...asked, ...wanted, ...finished];
}

const noApprovals: readonly Approval[] = [];
const noSecrets: readonly SecretQuestion[] = [];
const noChats: readonly ChatSummary[] = [];

export function Announcer() {
  const approvals = useApp((state) => state.approvals) ?? noApprovals;
  const chats = useApp((state) => state.chats) ?? noChats;
  const secretQuestions = useApp((state) => state.secretQuestions) ?? noSecrets;
  const before = useRef({ approvals, secretQuestions, chats });
  const [said, setSaid] = useState('');
  useEffect(() => {
    const news = newsOf(before.current, { approvals, secretQuestions, chats });
    before.current = { approvals, secretQuestions, chats };
    if (news.length > 0) setSaid(news.join('. '));
  }, [approvals, secretQuestions, chats]);
  return <div aria-live="polite" role="status" className="sr-only">{said}</div>;
}

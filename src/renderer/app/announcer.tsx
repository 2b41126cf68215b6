import { useEffect, useRef, useState } from 'react';
import type { Approval } from '../../shared/model/tool-call.ts';
import type { ChatSummary } from '../../shared/state/app-state.ts';
import { useApp } from '../bridge/live.ts';

/** What a screen reader is told: new questions, and answers that are finished. */
export function newsOf(before: { approvals: readonly Approval[]; chats: readonly ChatSummary[] }, now: { approvals: readonly Approval[]; chats: readonly ChatSummary[] }): readonly string[] {
  const known = new Set(before.approvals.map((approval) => approval.id));
  const asked = now.approvals.filter((approval) => !known.has(approval.id)).map((approval) => `Waiting for you: ${approval.toolTitle ?? approval.call.ref.tool} on ${approval.call.serverName}`);
  const wasBusy = new Map(before.chats.map((chat) => [chat.id, chat.activity !== 'idle' && chat.activity !== 'interrupted']));
  const finished = now.chats.filter((chat) => chat.activity === 'idle' && wasBusy.get(chat.id) === true).map((chat) => `Answer finished in ${chat.title}`);
  return [...asked, ...finished];
}

const noApprovals: readonly Approval[] = [];
const noChats: readonly ChatSummary[] = [];

export function Announcer() {
  const approvals = useApp((state) => state.approvals) ?? noApprovals;
  const chats = useApp((state) => state.chats) ?? noChats;
  const before = useRef({ approvals, chats });
  const [said, setSaid] = useState('');
  useEffect(() => {
    const news = newsOf(before.current, { approvals, chats });
    before.current = { approvals, chats };
    if (news.length > 0) setSaid(news.join('. '));
  }, [approvals, chats]);
  return <div aria-live="polite" role="status" className="sr-only">{said}</div>;
}

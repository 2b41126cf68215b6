import { useEffect, useRef, useState } from 'react';
import type { Elicitation } from '../../shared/model/elicitation.ts';
import { ownToolsId } from '../../shared/model/own-tools.ts';
import type { SecretQuestion } from '../../shared/model/secret-entry.ts';
import type { Approval } from '../../shared/model/tool-call.ts';
import type { AppState, ChatSummary } from '../../shared/state/app-state.ts';
import { waitsForSignIn } from '../../shared/state/sign-in-need.ts';
import { useApp } from '../bridge/live.ts';

interface Told {
  readonly approvals: readonly Approval[];
  readonly secretQuestions: readonly SecretQuestion[];
  readonly elicitations: readonly Elicitation[];
  readonly chats: readonly ChatSummary[];
  readonly servers: AppState['servers'];
}

/** What a screen reader is told: new questions, sign-ins that begin to wait, and answers that are finished. */
export function newsOf(before: Told, now: Told): readonly string[] {
  const known = new Set(before.approvals.map((approval) => approval.id));
  const asked = now.approvals.filter((approval) => !known.has(approval.id)).map(({ call, toolTitle }) => `Waiting for you: ${toolTitle ?? call.ref.tool}${call.ref.serverId === ownToolsId ? '' : ` on ${call.serverName}`}`);
  const knownSecrets = new Set(before.secretQuestions.map((question) => question.id));
  const wanted = now.secretQuestions.filter((question) => !knownSecrets.has(question.id)).map((question) => `Waiting for you: ${question.server} wants to read the secret ${question.key}`);
  const knownElicitations = new Set(before.elicitations.map(({ id }) => id));
  const questions = now.elicitations.filter(({ id }) => !knownElicitations.has(id)).map(({ serverName, ask }) => `Waiting for you: ${serverName} ${ask.kind === 'form' ? 'asks you something' : 'wants you to open a page'}`);
  const signIns = Object.values(now.servers).filter((row) => {
    const known = before.servers[row.definition.id];
    return waitsForSignIn(row) && !(known && waitsForSignIn(known));
  });
  const toSignIn = signIns.map(({ definition }) => `Waiting for you: sign in to ${definition.name}`);
  const wasBusy = new Map(before.chats.map((chat) => [chat.id, chat.activity !== 'idle' && chat.activity !== 'interrupted']));
  const finished = now.chats.filter((chat) => chat.activity === 'idle' && wasBusy.get(chat.id) === true).map((chat) => `Answer finished in ${chat.title}`);
  return [...asked, ...wanted, ...questions, ...toSignIn, ...finished];
}

const noApprovals: readonly Approval[] = [];
const noSecrets: readonly SecretQuestion[] = [];
const noElicitations: readonly Elicitation[] = [];
const noChats: readonly ChatSummary[] = [];
const noServers: AppState['servers'] = {};

export function Announcer() {
  const approvals = useApp((state) => state.approvals) ?? noApprovals;
  const chats = useApp((state) => state.chats) ?? noChats;
  const secretQuestions = useApp((state) => state.secretQuestions) ?? noSecrets;
  const elicitations = useApp((state) => state.elicitations) ?? noElicitations;
  const servers = useApp((state) => state.servers) ?? noServers;
  const before = useRef({ approvals, secretQuestions, elicitations, chats, servers });
  const [said, setSaid] = useState('');
  useEffect(() => {
    const news = newsOf(before.current, { approvals, secretQuestions, elicitations, chats, servers });
    before.current = { approvals, secretQuestions, elicitations, chats, servers };
    if (news.length > 0) setSaid(news.join('. '));
  }, [approvals, secretQuestions, elicitations, chats, servers]);
  return <div aria-live="polite" role="status" className="sr-only">{said}</div>;
}

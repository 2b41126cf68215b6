import { useEffect, useState } from 'react';
import type { ChatId } from '../../../shared/ids.ts';
import type { ProfileReport } from '../../../shared/model/profile.ts';
import type { ChatState } from '../../../shared/state/chat-state.ts';
import { api, type RequestError } from '../../bridge/api.ts';
import { useApp } from '../../bridge/live.ts';
import { useAsked, useRequest } from '../../bridge/request-state.ts';
import { setNewChatProfile, useNewChatProfile } from './new-chat.ts';
import { standingOf, type ProfileStanding } from './profile-standing.ts';

export interface ProfileChoice {
  /** Of the runs to come; `undefined`: none. */
  readonly name: string | undefined;
  readonly standing: ProfileStanding;
  /** What there is; `undefined` until somebody has looked. */
  readonly reports: readonly ProfileReport[] | undefined;
  /** It could not be looked at. */
  readonly error: RequestError | undefined;
  /** Looks at the files once more: nobody says when they change. */
  readonly again: () => void;
  readonly choose: (name: string | undefined) => void;
  /** The last choice was not taken. */
  readonly refused: RequestError | undefined;
  /** What was chosen here last, for those who do not see it. */
  readonly said: string;
}

/** The profile of a chat, or of the one that does not exist yet. */
export function useProfileChoice(chatId: ChatId | undefined, chat: ChatState | undefined): ProfileChoice {
  const place = useApp(({ settings, trust, configRevision }) => `${settings.project} ${trust.phase} ${configRevision}`);
  const asked = useAsked(place ?? '', () => (place === undefined ? Promise.resolve(undefined) : api.profiles.list()));
  const { again } = asked;
  useEffect(() => {
    window.addEventListener('focus', again);
    return () => window.removeEventListener('focus', again);
  }, [again]);
  const { state, run } = useRequest();
  const newProfile = useNewChatProfile();
  const name = chatId === undefined ? newProfile : chat?.profile;
  const [said, setSaid] = useState('');
  const choose = (next: string | undefined) => {
    setSaid(`${next === undefined ? 'No profile' : `Profile ${next}`} from the next run on`);
    if (chatId === undefined) setNewChatProfile(next);
    else run(() => api.chats.chooseProfile({ chatId, profile: next ?? null }));
  };
  const reports = asked.phase === 'ready' ? asked.value : undefined;
  return {
    name, reports, again, choose, said, standing: standingOf(name, reports),
    error: asked.phase === 'failed' ? asked.error : undefined,
    refused: state.phase === 'failed' ? state.error : undefined,
  };
}

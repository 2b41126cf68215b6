import { useId, type KeyboardEvent, type ReactNode } from 'react';
import type { ChatId } from '../../../shared/ids.ts';
import type { Attachment } from '../../../shared/model/attachment.ts';
import { setAttachments, setDraft, useAttachments, useDraft, type DraftKey } from '../../bridge/drafts.ts';
import { AttachmentChips } from './attachment-chips.tsx';
import { useAttaching } from './use-attaching.tsx';
import { useMentions } from './use-mentions.tsx';
import type { ProfileChoice } from './use-profile-choice.ts';
import { usePromptCommands } from './use-prompt-commands.tsx';
import { useSlashCommands } from './use-slash-commands.tsx';

export interface Writing {
  readonly text: string;
  readonly attachments: readonly Attachment[];
  /** The text is a command: nothing is searched, and nothing is sent as it stands. */
  readonly command: boolean;
  /** What is attached is not here yet. */
  readonly reading: boolean;
  /** Lists, answers and troubles, above the composer. */
  readonly above: ReactNode;
  /** What is attached, in the composer. */
  readonly attached: ReactNode;
  readonly onKey: (event: KeyboardEvent) => boolean;
  /** The list that has a marked entry, and that entry. */
  readonly list: { readonly listId: string; readonly activeId: string } | undefined;
  /** Opens the list of what can be attached; absent where nothing is sent. */
  readonly onAttach: (() => void) | undefined;
}

/** The message that is being written, with everything that `/` and `@` bring into it. */
export function useWriting({ draftKey, chatId, direct, profiles, onMessage, onFocus }: {
  readonly draftKey: DraftKey;
  readonly chatId: ChatId | undefined;
  readonly direct: boolean;
  readonly profiles: ProfileChoice;
  readonly onMessage: (text: string, attachments: readonly Attachment[]) => Promise<void>;
  /** The composer is gone on with. */
  readonly onFocus: () => void;
}): Writing {
  const text = useDraft(draftKey);
  const setText = (next: string) => setDraft(draftKey, next);
  const attachments = useAttachments(draftKey);
  const attaching = useAttaching(draftKey, chatId);
  const [mentionId, promptId, slashId] = [useId(), useId(), useId()];
  const mentions = useMentions({ text, setText, listId: mentionId, enabled: !direct, onAttach: attaching.attach, onDone: onFocus });
  const prompts = usePromptCommands({ text, setText, listId: promptId, chatId, hasModel: !direct, onMessage: (message) => onMessage(message.text, [...attachments, ...message.attachments]) });
  const slash = useSlashCommands({ text, setText, listId: slashId, prompts, profiles });
  const lists = [{ listId: promptId, activeId: prompts.activeId }, { listId: slashId, activeId: slash.activeId }, { listId: mentionId, activeId: mentions.activeId }];
  const list = lists.find((one): one is { readonly listId: string; readonly activeId: string } => one.activeId !== undefined);
  const refresh = ({ serverId, serverName, uri, name }: Attachment & { readonly kind: 'resource' }) => attaching.attach({ serverId, serverName, uri, name });
  return {
    text, attachments, list,
    command: slash.active || prompts.active,
    reading: attaching.reading.length > 0,
    above: <>{attaching.note}{prompts.view}{prompts.active ? null : slash.view}{mentions.view}</>,
    attached: attachments.length + attaching.reading.length === 0 ? null : (
      <div className="px-3 pt-3">
        <AttachmentChips attachments={attachments} reading={attaching.reading} onRemove={(index) => setAttachments(draftKey, attachments.filter((_, at) => at !== index))} onRefresh={refresh} />
      </div>
    ),
    onKey: (event) => prompts.onKey(event) || slash.onKey(event) || mentions.onKey(event),
    onAttach: direct ? undefined : () => setText(text === '' || /\s$/.test(text) ? `${text}@` : `${text} @`),
  };
}

import { useId, useState } from 'react';
import type { ChatId } from '../../shared/ids.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { Input } from '../ui/input.tsx';
import { api } from './api.ts';
import { FailureNote } from './failure-note.tsx';
import { appNow } from './live.ts';
import { go, placeNow } from './place.ts';
import { useRequest } from './request-state.ts';

interface Props {
  readonly chatId: ChatId;
  readonly title: string;
  readonly onClose: () => void;
}

export function RenameChatDialog({ chatId, title, onClose }: Props) {
  const [text, setText] = useState(title);
  const form = useId();
  const { state, run } = useRequest();
  const save = () => run(async () => {
    await api.chats.rename({ chatId, title: text.trim() });
    onClose();
  });
  return (
    <Dialog
      open onClose={onClose} title="Rename chat"
      footer={
        <>
          <Button look="plain" onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" form={form} busy={state.phase === 'sending'} disabled={text.trim() === ''}>Rename</Button>
        </>
      }
    >
      <form id={form} onSubmit={(event) => { event.preventDefault(); save(); }}>
        <Field label="Title">{(parts) => <Input {...parts} value={text} maxLength={200} onFocus={(event) => event.currentTarget.select()} onChange={(event) => setText(event.currentTarget.value)} />}</Field>
      </form>
      {state.phase === 'failed' ? <div className="mt-3"><FailureNote error={state.error} compact /></div> : null}
    </Dialog>
  );
}

export function DeleteChatDialog({ chatId, title, onClose }: Props) {
  const { state, run } = useRequest();
  const remove = () => run(async () => {
    const here = placeNow();
    await api.chats.delete({ chatId });
    if (here.page === 'chat' && here.chatId === chatId) {
      const next = appNow()?.chats.find((chat) => chat.id !== chatId);
      go({ page: 'chat', ...(next ? { chatId: next.id } : {}) }, 'replace');
    }
    onClose();
  });
  return (
    <Dialog
      open onClose={onClose} title="Delete this chat?" description={`“${title || 'New chat'}” and its results are deleted for good. What its tools did stays done.`}
      footer={
        <>
          <Button look="plain" onClick={onClose}>Keep</Button>
          <Button look="danger" onClick={remove} busy={state.phase === 'sending'}>Delete chat</Button>
        </>
      }
    >
      {state.phase === 'failed' ? <FailureNote error={state.error} compact /> : null}
    </Dialog>
  );
}

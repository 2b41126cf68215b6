import { create } from 'zustand';
import type { ChatId } from '../../shared/ids.ts';
import { attachmentsLimit } from '../../shared/model/attachment-size.ts';
import type { Attachment } from '../../shared/model/attachment.ts';

/** What was typed and not sent, per chat; `new` is the chat that does not exist yet. */
export type DraftKey = ChatId | 'new';
const storeName = 'gatehouse.drafts';
const longest = 100_000;
const most = 100;

function read(): Readonly<Record<string, string>> {
  try {
    const saved: unknown = JSON.parse(localStorage.getItem(storeName) ?? '{}');
    if (typeof saved !== 'object' || saved === null) return {};
    return Object.fromEntries(Object.entries(saved).filter((pair): pair is [string, string] => typeof pair[1] === 'string'));
  } catch {
    return {}; // not ours or not allowed: no drafts
  }
}
const useDrafts = create<Readonly<Record<string, string>>>(read);

let saving: ReturnType<typeof setTimeout> | undefined;
function saveSoon(): void {
  clearTimeout(saving);
  saving = setTimeout(() => {
    try {
      localStorage.setItem(storeName, JSON.stringify(Object.fromEntries(Object.entries(useDrafts.getState()).filter(([, text]) => text !== '' && text.length <= longest).slice(-most))));
    } catch {
      // Storage is full or off: drafts then last as long as the window.
    }
  }, 300);
}

export const useDraft = (key: DraftKey): string => useDrafts((drafts) => drafts[key] ?? '');

export function setDraft(key: DraftKey, text: string): void {
  const { [key]: _old, ...others } = useDrafts.getState();
  useDrafts.setState(text === '' ? others : { ...others, [key]: text }, true);
  saveSoon();
}

/** What is attached and not sent, per chat; it lasts as long as the window. */
const useAttached = create<Readonly<Record<string, readonly Attachment[]>>>(() => ({}));
const none: readonly Attachment[] = [];

export const useAttachments = (key: DraftKey): readonly Attachment[] => useAttached((attached) => attached[key] ?? none);

export function setAttachments(key: DraftKey, attachments: readonly Attachment[]): void {
  const { [key]: _old, ...others } = useAttached.getState();
  useAttached.setState(attachments.length === 0 ? others : { ...others, [key]: attachments }, true);
}

const isSame = (a: Attachment, b: Attachment): boolean => a.kind === 'resource' && b.kind === 'resource' && a.serverId === b.serverId && a.uri === b.uri;

/** What was attached already takes its newer form. */
export function addAttachments(key: DraftKey, added: readonly Attachment[]): void {
  const before = useAttached.getState()[key] ?? none;
  const replaced = before.map((old) => added.find((one) => isSame(one, old)) ?? old);
  setAttachments(key, [...replaced, ...added.filter((one) => !before.some((old) => isSame(one, old)))].slice(0, attachmentsLimit));
}

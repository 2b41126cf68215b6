import { ArrowUp, AtSign, Square } from 'lucide-react';
import { useEffect, useRef, type KeyboardEvent, type ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { KeyHint } from '../../ui/key-hint.tsx';

const icon = { size: 16, strokeWidth: 2, 'aria-hidden': true } as const;

/** Where the person writes. Enter sends, Shift+Enter makes a line; while a run works the button stops it. */
export function Composer({ text, onText, onSend, onStop, running, sending, stopping, direct, picker, attached, hasAttached, onAttach, onKey, listId, activeId, focusKey }: {
  readonly text: string;
  readonly onText: (text: string) => void;
  /** Absent in Direct mode, where typing finds tools and nothing is sent. */
  readonly onSend: (() => void) | undefined;
  readonly onStop: () => void;
  readonly running: boolean;
  readonly sending: boolean;
  readonly stopping: boolean;
  readonly direct: boolean;
  readonly picker: ReactNode;
  /** What is attached, above the text. */
  readonly attached: ReactNode;
  /** There is something to send although nothing is typed. */
  readonly hasAttached: boolean;
  /** Opens the list of what can be attached; absent where nothing is sent. */
  readonly onAttach: (() => void) | undefined;
  /** Keys for the list above; true when it took the key. */
  readonly onKey: (event: KeyboardEvent) => boolean;
  readonly listId: string | undefined;
  readonly activeId: string | undefined;
  /** Takes the focus whenever this changes: another chat was opened. */
  readonly focusKey: string;
}) {
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => area.current?.focus({ preventScroll: true }), [focusKey]);
  const sendable = text.trim() !== '' || hasAttached;
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || onKey(event)) return;
    if (event.key !== 'Enter' || event.shiftKey || event.altKey) return;
    event.preventDefault();
    if (!running && !sending && sendable) onSend?.();
  };
  return (
    <div className="rounded-bubble border border-line-field bg-card shadow-lifted transition-colors focus-within:border-accent">
      {attached}
      <textarea
        ref={area} value={text} rows={1} onChange={(event) => onText(event.currentTarget.value)} onKeyDown={press}
        aria-label={direct ? 'What should a tool do?' : 'Message'} placeholder={direct ? 'Type what a tool should do…' : 'Ask, or say what should be done…'}
        {...(direct || listId !== undefined ? { 'aria-controls': listId, 'aria-activedescendant': activeId, 'aria-autocomplete': 'list' as const } : {})}
        className="field-sizing-content block max-h-60 min-h-11 w-full resize-none bg-transparent px-4 pt-3 pb-1 text-body text-ink focus-visible:outline-none"
      />
      <div className="flex items-center gap-2 px-2 pb-2">
        {picker}
        {onAttach ? <IconButton name="Attach a resource" icon={<AtSign {...icon} />} onClick={() => { onAttach(); area.current?.focus(); }} /> : null}
        <span className="ml-auto flex items-center gap-2 text-detail text-ink-3">
          {running ? <span className="flex items-center gap-1.5"><KeyHint keys="escape" /> stops</span> : null}
          {!running && text !== '' && (!direct || listId !== undefined) ? <span className="flex items-center gap-1.5"><KeyHint keys="enter" /> {direct ? 'opens the tool' : 'sends'}</span> : null}
        </span>
        {running ? (
          <Button size="s" look="quiet" busy={stopping} onClick={onStop} icon={<Square size={10} fill="currentColor" aria-hidden />}>Stop</Button>
        ) : direct ? null : (
          <IconButton
            name="Send" icon={<ArrowUp {...icon} />} disabled={!sendable || sending} onClick={onSend}
            className="bg-accent enabled:text-accent-ink! hover:bg-accent-strong hover:text-accent-ink disabled:bg-hover disabled:text-ink-3 disabled:opacity-100"
          />
        )}
      </div>
    </div>
  );
}

import clsx from 'clsx';
import { Eye, EyeOff, Pin, PinOff } from 'lucide-react';
import type { ToolLine } from '../../shared/model/catalog.ts';
import type { ServerOptions } from '../../shared/model/server-options.ts';
import { Badge } from '../ui/badge.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { hrefOf } from './place.ts';
import { hiddenWords } from './tool-rules.ts';

/** What a list says of a tool beside its name. */
export const ToolMarks = ({ line }: { readonly line: ToolLine }) => (
  <>
    {line.pinned ? (
      <Badge tone="accent">
        <Pin size={11} strokeWidth={1.75} aria-hidden />
        Pinned
      </Badge>
    ) : null}
    {line.hidden ? <Badge>{line.hidden === 'app-only' ? 'For its app only' : 'Hidden'}</Badge> : null}
  </>
);

/** Pinning and hiding, at a line's end; they come into sight with the line that is pointed at or stepped to. */
export function ToolSwitches({ line, options, pinsFixed, onPin, onHide }: {
  readonly line: ToolLine;
  readonly options: ServerOptions;
  /** Something stronger than any file says what is pinned. */
  readonly pinsFixed: boolean;
  readonly onPin: (pinned: boolean) => void;
  readonly onHide: (hidden: boolean) => void;
}) {
  const hidden = hiddenWords(line, options);
  const name = line.title ?? line.tool;
  const icon = { size: 14, strokeWidth: 1.75 } as const;
  const look = 'opacity-0 group-hover/tool:opacity-100 group-focus-within/tool:opacity-100';
  return (
    <span className="flex min-w-14 shrink-0 items-center justify-end gap-0.5 py-1 pr-1.5">
      {line.hidden === undefined && line.problem === undefined ? (
        <IconButton
          size="s" name={line.pinned ? `Unpin ${name}` : `Pin ${name}`} aria-pressed={line.pinned === true} disabled={pinsFixed}
          icon={line.pinned ? <PinOff {...icon} /> : <Pin {...icon} />} onClick={() => onPin(!line.pinned)} className={look}
        />
      ) : null}
      {hidden === undefined || hidden.canShow ? (
        <IconButton
          size="s" name={hidden ? `Show ${name} again` : `Hide ${name}`} aria-pressed={hidden !== undefined}
          icon={hidden ? <Eye {...icon} /> : <EyeOff {...icon} />} onClick={() => onHide(!hidden)} className={clsx(hidden ? undefined : look)}
        />
      ) : null}
    </span>
  );
}

/** In an opened tool: why no model is told of it. */
export const HiddenNote = ({ line, options }: { readonly line: ToolLine; readonly options: ServerOptions }) => {
  const hidden = hiddenWords(line, options);
  return hidden ? (
    <p className="mb-3 text-list text-ink-2">
      {hidden.why === 'Hidden' ? 'You hid it.' : `${hidden.why}${hidden.patterns && hidden.patterns.length > 0 ? ': ' : '.'}`}
      {hidden.patterns && hidden.patterns.length > 0 ? <><code className="font-code text-code">{hidden.patterns.join(', ')}</code>.</> : null} No model is told of it and nothing calls it.
      {hidden.patterns ? <> <a href={hrefOf({ page: 'servers', serverId: line.serverId, edit: true })} className="text-accent underline underline-offset-2">Edit the patterns</a></> : null}
    </p>
  ) : null;
};

import clsx from 'clsx';
import { VisibleText } from '../../ui/visible-text.tsx';
import { optionId } from './tool-cards.tsx';

interface Listed {
  readonly text: string;
  readonly label: string;
  readonly says: string;
}

/** The commands that may be meant, above the composer, which keeps the focus: `marked` is the one that Enter takes. */
export function CommandList<L extends Listed>({ listId, commands, marked, nothing, onMark, onChoose }: {
  readonly listId: string;
  readonly commands: readonly L[];
  readonly marked: number;
  /** What is said when there is none. */
  readonly nothing: string;
  readonly onMark: (index: number) => void;
  readonly onChoose: (command: L) => void;
}) {
  return (
    <>
      {commands.length === 0 ? <p role="status" className="px-4 py-3 text-list text-ink-2">{nothing}</p> : null}
      <ul id={listId} role="listbox" aria-label="Commands" className="p-1">
        {commands.map((command, index) => (
          <li
            key={command.text} ref={index === marked ? intoView : undefined} id={optionId(listId, index)} role="option" aria-selected={index === marked}
            onMouseMove={() => onMark(index)} onClick={() => onChoose(command)} className={clsx('flex min-w-0 items-baseline gap-3 rounded-control px-3 py-2 text-list', index === marked && 'bg-hover')}
          >
            <span className="max-w-2/3 min-w-0 shrink-0 truncate font-code text-ink"><VisibleText text={command.label} /></span>
            <span className="min-w-0 flex-1 truncate text-detail text-ink-2"><VisibleText text={command.says} /></span>
          </li>
        ))}
      </ul>
    </>
  );
}

const intoView = (element: HTMLLIElement | null): void => element?.scrollIntoView({ block: 'nearest' });

import { Eye, EyeOff, Pin, PinOff, X } from 'lucide-react';
import type { ToolLine } from '../../../shared/model/catalog.ts';
import type { ToolRules } from '../../bridge/use-tool-rules.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { countText } from '../../ui/time.ts';

/** What can be done to all chosen tools at once; it floats over the list's end while there are any. */
export function SelectionBar({ chosen, all, rules, pinsFixed, onClear }: {
  readonly chosen: readonly ToolLine[];
  readonly all: readonly ToolLine[];
  readonly rules: ToolRules;
  readonly pinsFixed: boolean;
  readonly onClear: () => void;
}) {
  const icon = { size: 14, strokeWidth: 1.75, 'aria-hidden': true } as const;
  const hidden = chosen.filter((line) => line.hidden === 'excluded' || line.hidden === 'not-included');
  const shown = chosen.filter((line) => line.hidden === undefined);
  const loose = shown.filter((line) => !line.pinned && line.problem === undefined);
  const pinned = shown.filter((line) => line.pinned);
  return (
    <div role="toolbar" aria-label="Chosen tools" className="sticky bottom-4 z-10 mx-auto flex w-fit max-w-full animate-appear flex-wrap items-center gap-1.5 rounded-card border border-line bg-card py-1.5 pr-1.5 pl-3.5 shadow-floating">
      <span role="status" className="mr-1.5 text-list font-[550] text-ink">{countText(chosen.length, 'tool')} chosen</span>
      {loose.length > 0 ? <Button size="s" look="plain" busy={rules.busy} disabled={pinsFixed} icon={<Pin {...icon} />} onClick={() => rules.pin(loose, true, all)}>Pin</Button> : null}
      {pinned.length > 0 ? <Button size="s" look="plain" busy={rules.busy} disabled={pinsFixed} icon={<PinOff {...icon} />} onClick={() => rules.pin(pinned, false, all)}>Unpin</Button> : null}
      {shown.length > 0 ? <Button size="s" look="plain" busy={rules.busy} icon={<EyeOff {...icon} />} onClick={() => rules.hide(shown, true)}>Hide</Button> : null}
      {hidden.length > 0 ? <Button size="s" look="plain" busy={rules.busy} icon={<Eye {...icon} />} onClick={() => rules.hide(hidden, false)}>Show again</Button> : null}
      <IconButton size="s" name="Choose none" icon={<X size={16} strokeWidth={1.75} aria-hidden />} onClick={onClear} />
    </div>
  );
}

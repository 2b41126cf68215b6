import { Pin, PinOff } from 'lucide-react';
import type { CatalogTool } from '../../../shared/model/catalog.ts';
import type { ServerRow } from '../../../shared/state/app-state.ts';
import { api, type RequestError } from '../../bridge/api.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { useRequest } from '../../bridge/request-state.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { countText } from '../../ui/time.ts';
import { isPinned, withPin } from './pinned-tools.ts';

interface Pins {
  readonly count: number;
  readonly isPinned: (tool: string) => boolean;
  readonly toggle: (tool: string) => void;
  readonly busy: boolean;
  readonly error: RequestError | undefined;
}

/** A server's pins (F-195). They are saved at once, in the file of the scope that the server belongs to, beside whatever it says of it. */
export function usePins({ definition }: ServerRow, tools: readonly CatalogTool[]): Pins {
  const { state, run } = useRequest();
  const direct = definition.options.directTools;
  const names = tools.map(({ ref }) => ref.tool);
  return {
    count: names.filter((name) => isPinned(direct, name)).length,
    isPinned: (tool) => isPinned(direct, tool),
    toggle: (tool) =>
      run(() =>
        api.config.save({
          scope: definition.owner === 'project' ? 'project' : 'global',
          edits: [{ op: 'patch', name: definition.name, fields: { directTools: withPin(direct, tool, !isPinned(direct, tool), names) } }],
        }),
      ),
    busy: state.phase === 'sending',
    error: state.phase === 'failed' ? state.error : undefined,
  };
}

export const PinMark = () => (
  <Badge tone="accent">
    <Pin size={11} strokeWidth={1.75} aria-hidden />
    Pinned
  </Badge>
);

export const PinButton = ({ pins, tool }: { readonly pins: Pins; readonly tool: string }) => {
  const pinned = pins.isPinned(tool);
  const Icon = pinned ? PinOff : Pin;
  return (
    <Button look="plain" aria-pressed={pinned} busy={pins.busy} icon={<Icon size={14} strokeWidth={1.75} aria-hidden />} onClick={() => pins.toggle(tool)}>
      {pinned ? 'Unpin' : 'Pin'}
    </Button>
  );
};

/** What pins are for, said once above the tools. */
export const PinnedLine = ({ pins, tools }: { readonly pins: Pins; readonly tools: number }) => (
  <>
    <p className="px-0.5 text-detail text-ink-3">
      {pins.count === 0 ? 'None is pinned.' : pins.count === tools ? 'All are pinned.' : `${countText(pins.count, 'tool')} pinned.`} A model is given pinned tools with its question, and finds the others by searching.
    </p>
    {pins.error ? <FailureNote error={pins.error} compact /> : null}
  </>
);

import { ChevronDown, Cpu, Wrench } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import type { ModelChoice } from '../../../shared/model/settings.ts';
import { Popover } from '../../ui/popover.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

const ModelList = lazy(() => import('./model-list.tsx').then((module) => ({ default: module.ModelList })));

/** Who answers: a model, or nobody (Direct mode). The lists are asked for when it opens. */
export function ModelPicker({ model, providerName, given, onChoose, onFollow, disabled }: {
  readonly model: ModelChoice | null;
  /** What a profile says in its place, until another is chosen here. */
  readonly given?: string | undefined;
  readonly providerName: string | undefined;
  readonly onChoose: (model: ModelChoice | null) => void;
  /** Where it was chosen for this chat: the chat has none of its own any more. */
  readonly onFollow?: (() => void) | undefined;
  readonly disabled: boolean;
}) {
  const [open, setOpen] = useState(false);
  const icon = model ? <Cpu size={14} strokeWidth={1.75} aria-hidden /> : <Wrench size={14} strokeWidth={1.75} aria-hidden />;
  const name = model ? (given ?? model.model) : 'Direct mode';
  const detail = given === undefined ? providerName : 'of the profile';
  return (
    <Popover
      label="Choose a model" side="top" open={open} onOpenChange={setOpen}
      trigger={
        <button type="button" disabled={disabled} className="group flex h-7 max-w-72 min-w-0 items-center gap-1.5 rounded-control px-2 text-list text-ink-2 transition-colors hover:bg-hover hover:text-ink data-[state=open]:bg-hover disabled:opacity-50">
          {icon}<span className="sr-only">Model:</span><span className="truncate">{name}</span>
          {model && detail ? <span className="truncate text-detail text-ink-3 group-hover:text-ink-2 group-data-[state=open]:text-ink-2">{detail}</span> : null}
          <ChevronDown size={12} className="shrink-0 text-ink-3" aria-hidden />
        </button>
      }
    >
      <Suspense fallback={<div className="w-72"><Skeleton rows={4} /></div>}>
        <ModelList model={model} onChoose={(choice) => { setOpen(false); onChoose(choice); }} onFollow={onFollow && (() => { setOpen(false); onFollow(); })} onLeave={() => setOpen(false)} />
      </Suspense>
      {model && given !== undefined ? <p className="-mx-3 mt-3 -mb-3 w-80 border-t border-line px-3 py-2 text-detail text-ink-2">The profile says {given}. A model that you choose here is this chat’s own, and holds instead.</p> : null}
    </Popover>
  );
}

import { ChevronDown, SlidersHorizontal, TriangleAlert } from 'lucide-react';
import { lazy, Suspense, useEffect, type ComponentProps } from 'react';
import { askProfile, closeProfile, useProfileAsked } from '../../bridge/profile-ask.ts';
import { Popover } from '../../ui/popover.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { VisibleText } from '../../ui/visible-text.tsx';
import { choosable } from './profile-standing.ts';
import type { ProfileChoice } from './use-profile-choice.ts';

const ProfileList = lazy(() => import('./profile-list.tsx').then((module) => ({ default: module.ProfileList })));

/** Which preset the runs of this chat have. Whoever has no profile does not meet it, unless they ask for it. */
export function ProfilePicker({ choice, running, direct, onDone }: {
  readonly choice: ProfileChoice;
  readonly running: boolean;
  /** No model answers: there are no runs. */
  readonly direct: boolean;
  /** The message is gone on with. */
  readonly onDone: () => void;
}) {
  const open = useProfileAsked();
  useEffect(() => closeProfile, []);
  const { name, standing, reports, again, choose } = choice;
  const some = reports !== undefined && choosable(reports, name).length > 0;
  const stays = name !== undefined || (some && !direct);
  const change = (next: boolean) => {
    if (next) {
      askProfile();
      again();
      return;
    }
    closeProfile();
    if (!stays) onDone();
  };
  const take = (next: string | undefined) => {
    closeProfile();
    onDone();
    choose(next);
  };
  return (
    <>
      <span role="status" className="sr-only">{choice.said}</span>
      {open || stays ? (
        <Popover label="Choose a profile" side="top" open={open} onOpenChange={change} trigger={<Trigger name={name} trouble={standing.kind === 'trouble' ? standing : undefined} />}>
          <Suspense fallback={<div className="w-80"><Skeleton rows={4} /></div>}>
            <ProfileList choice={choice} running={running} direct={direct} onChoose={take} onLeave={closeProfile} />
          </Suspense>
        </Popover>
      ) : null}
    </>
  );
}

const Trigger = ({ name, trouble, ...rest }: ComponentProps<'button'> & { readonly name: string | undefined; readonly trouble: { readonly word: string; readonly problem: string } | undefined }) => (
  <button
    type="button" {...rest} title={trouble?.problem}
    className="flex h-7 max-w-56 min-w-0 items-center gap-1.5 rounded-control px-2 text-list text-ink-2 transition-colors hover:bg-hover hover:text-ink data-[state=open]:bg-hover"
  >
    {trouble ? <TriangleAlert size={14} strokeWidth={1.75} className="shrink-0 text-ask" aria-hidden /> : <SlidersHorizontal size={14} strokeWidth={1.75} className="shrink-0" aria-hidden />}
    <span className="sr-only">Profile:</span><span className="truncate">{name === undefined ? 'No profile' : <VisibleText text={name} />}</span>
    {trouble ? <span className="shrink-0 text-detail text-ask">{trouble.word}</span> : null}
    <ChevronDown size={12} className="shrink-0 text-ink-3" aria-hidden />
  </button>
);

import { ChevronDown, Wrench } from 'lucide-react';
import { lazy, memo, Suspense, useState, type ComponentProps } from 'react';
import type { ChatId } from '../../../shared/ids.ts';
import type { ChatTools, ToolName } from '../../../shared/model/chat-tools.ts';
import { useApp } from '../../bridge/live.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Popover } from '../../ui/popover.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useNarrow } from '../../ui/use-narrow.ts';
import { tally, tallyText } from './tool-choice.ts';

const Panel = lazy(() => import('./tool-choice-panel.tsx').then((module) => ({ default: module.ToolChoicePanel })));

/** How many of the tools this chat may use, and the way to choose them: beside the button, or where there is little room, in front of the page. */
export const ChatToolsButton = memo(function ChatToolsButton(choice: { readonly chatId: ChatId | undefined; readonly saved: ChatTools; readonly loaded: readonly ToolName[]; readonly direct: boolean }) {
  const [open, setOpen] = useState(false);
  const label = useApp(({ servers }) => tallyText(choice.saved, tally(servers, choice.saved))) ?? 'All tools';
  const panel = <Suspense fallback={<Skeleton rows={6} />}><Panel {...choice} /></Suspense>;
  const narrow = useNarrow();
  if (narrow)
    return (
      <>
        <Trigger label={label} aria-haspopup="dialog" onClick={() => setOpen(true)} />
        <Dialog open={open} onClose={() => setOpen(false)} title="Tools of this chat">{panel}</Dialog>
      </>
    );
  return (
    <Popover label="Tools of this chat" align="end" open={open} onOpenChange={setOpen} trigger={<Trigger label={label} />}>
      <div className="w-88">{panel}</div>
    </Popover>
  );
});

const Trigger = ({ label, ...rest }: ComponentProps<'button'> & { readonly label: string }) => (
  <button type="button" {...rest} className="flex h-7 items-center gap-1.5 rounded-control px-2 text-list whitespace-nowrap text-ink-2 transition-colors hover:bg-hover hover:text-ink data-[state=open]:bg-hover">
    <Wrench size={14} strokeWidth={1.75} aria-hidden /><span className="sr-only">Tools of this chat:</span>{label}<ChevronDown size={12} className="text-ink-3" aria-hidden />
  </button>
);

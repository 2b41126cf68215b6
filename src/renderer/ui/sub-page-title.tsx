import { ChevronLeft } from 'lucide-react';
import { useEffect, useRef, type ReactNode } from 'react';
import { IconButton } from './icon-button.tsx';

/** The title of a page below another: the way back, and where focus lands when one arrives, unless the page puts it elsewhere. */
export function SubPageTitle({
  back,
  onBack,
  focus = true,
  children,
}: {
  readonly back: string;
  readonly onBack: () => void;
  readonly focus?: boolean;
  readonly children: ReactNode;
}) {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (focus) title.current?.focus({ preventScroll: true });
  }, [focus]);
  return (
    <>
      <IconButton name={back} icon={<ChevronLeft size={16} strokeWidth={1.75} />} onClick={onBack} className="-ml-2" />
      <h1
        ref={title}
        tabIndex={-1}
        className="-ml-2 min-w-0 truncate rounded-control px-1 text-body font-semibold text-ink focus-visible:outline-none"
      >
        {children}
      </h1>
    </>
  );
}

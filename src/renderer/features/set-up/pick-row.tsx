import type { ReactNode } from 'react';
import { Badge } from '../../ui/badge.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { VisibleText } from '../../ui/visible-text.tsx';

/** A server that could be added: its name, where it goes, and whether it is there already. */
export const PickRow = ({
  name,
  target,
  means,
  there,
  picked,
  onPick,
  children,
}: {
  readonly name: string;
  readonly target: string;
  readonly means?: string;
  readonly there: boolean;
  readonly picked: boolean;
  readonly onPick: (picked: boolean) => void;
  readonly children?: ReactNode;
}) => (
  <li className="px-4 py-2.5">
    <Checkbox
      checked={picked}
      disabled={there}
      onChange={onPick}
      label={
        <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-0.5">
          <span className="font-[550] break-words text-ink">
            <VisibleText text={name} />
          </span>
          {there ? <Badge>Configured</Badge> : null}
          {children}
          <span className="basis-full font-normal break-words text-ink-2">
            {means ? <span className="block">{means}</span> : null}
            <span className="font-code text-code break-all">
              <VisibleText text={target} />
            </span>
          </span>
        </span>
      }
    />
  </li>
);

import { useId, type ReactNode } from 'react';
import type { FileSetting } from '../../../shared/model/settings.ts';
import { OriginLine } from './origin-line.tsx';

/** A heading and what belongs together below it. */
export function SettingGroup({
  title,
  means,
  actions,
  children,
}: {
  readonly title: string;
  readonly means?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="flex flex-col gap-3">
      <div className="flex items-end gap-3">
        <div className="min-w-0 flex-1">
          <h2 id={id} className="text-title font-semibold text-ink">
            {title}
          </h2>
          {means ? <p className="text-list text-ink-2">{means}</p> : null}
        </div>
        {actions ? <div className="flex shrink-0 gap-2">{actions}</div> : null}
      </div>
      {children}
    </section>
  );
}

/** Rows in one frame: what it is on the left, its control on the right. */
export const SettingRows = ({ children }: { readonly children: ReactNode }) => (
  <div className="divide-y divide-line rounded-card border border-line bg-card">{children}</div>
);

export const SettingRow = ({
  name,
  htmlFor,
  means,
  meansId,
  setting,
  children,
}: {
  readonly name: ReactNode;
  readonly htmlFor?: string;
  readonly means?: ReactNode;
  readonly meansId?: string;
  /** One that the person's files may speak of too. */
  readonly setting?: FileSetting;
  readonly children: ReactNode;
}) => (
  <div className="flex min-h-12 flex-wrap items-center gap-x-4 gap-y-2 px-4 py-2.5">
    <div className="min-w-0 flex-1 basis-56 text-list">
      {htmlFor ? (
        <label htmlFor={htmlFor} className="font-[550] text-ink">
          {name}
        </label>
      ) : (
        <p className="font-[550] text-ink">{name}</p>
      )}
      {means ? (
        <p id={meansId} className="text-ink-2">
          {means}
        </p>
      ) : null}
      {setting !== undefined && typeof name === 'string' ? <OriginLine setting={setting} name={name} /> : null}
    </div>
    <div className="flex shrink-0 items-center gap-2">{children}</div>
  </div>
);

import type { ReactNode } from 'react';

/** What would be here, and how to get it. */
export const EmptyState = ({ icon, title, children, actions }: { readonly icon?: ReactNode; readonly title: ReactNode; readonly children?: ReactNode; readonly actions?: ReactNode }) => (
  <div className="mx-auto flex max-w-112 flex-col items-center gap-2 px-6 py-12 text-center">
    {icon ? <div className="mb-1 text-ink-3 [&>svg]:size-6" aria-hidden>{icon}</div> : null}
    <h2 className="text-body font-semibold text-ink">{title}</h2>
    {children ? <div className="text-list text-ink-2">{children}</div> : null}
    {actions ? <div className="mt-3 flex flex-wrap justify-center gap-2">{actions}</div> : null}
  </div>
);

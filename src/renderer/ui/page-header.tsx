import type { ReactNode } from 'react';

/** The bar on top of every page: what it is, what belongs to it, what can be done. Also where the window is dragged. */
export const PageHeader = ({ title, children, actions }: { readonly title: ReactNode; readonly children?: ReactNode; readonly actions?: ReactNode }) => (
  <header className="flex h-13 shrink-0 items-center gap-3 border-b border-line px-6 [-webkit-app-region:drag] compact:px-4 [&_a]:[-webkit-app-region:no-drag] [&_button]:[-webkit-app-region:no-drag] [&_input]:[-webkit-app-region:no-drag]">
    {typeof title === 'string' ? <h1 className="min-w-0 truncate text-body font-semibold text-ink">{title}</h1> : title}
    {children}
    {actions ? <div className="ml-auto flex shrink-0 items-center gap-2">{actions}</div> : null}
  </header>
);

import type { ReactNode } from 'react';
import { copyText } from './tool-detail.tsx';
import { CopyButton } from '../ui/code-block.tsx';
import { VisibleText } from '../ui/visible-text.tsx';

/** A heading and the facts below it. */
export const Group = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <section>
    <h3 className="mb-1.5 text-detail font-[550] text-ink-3">{name}</h3>
    <dl className="rounded-card border border-line bg-card">{children}</dl>
  </section>
);
export const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div className="grid grid-cols-[132px_minmax(0,1fr)] gap-x-4 border-t border-line px-4 py-2 text-list first:border-t-0">
    <dt className="text-ink-3">{name}</dt>
    <dd className="min-w-0 break-words text-ink select-text">{children}</dd>
  </div>
);

/** A value word for word, to be copied where `copy` is there. */
export const Code = ({ text, copy, copyName }: { readonly text: string; readonly copy?: string; readonly copyName?: string }) => (
  <span className="inline-flex min-w-0 items-center gap-1">
    <code className="min-w-0 text-code break-all whitespace-pre-wrap text-ink select-text">
      <VisibleText text={text} />
    </code>
    {copy === undefined ? null : <CopyButton text={copy} onCopy={copyText} name={copyName ?? 'Copy'} />}
  </span>
);

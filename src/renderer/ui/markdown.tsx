import { lazy, memo, Suspense } from 'react';

const Rendered = lazy(() => import('./markdown-blocks.tsx').then((module) => ({ default: module.MarkdownBlocks })));
/** Loads what Markdown needs ahead of its first use. */
export const warmMarkdown = (): void => void import('./markdown-blocks.tsx');

export interface MarkdownProps {
  readonly text: string;
  /** While it grows, the last block may be half a table or an open fence. */
  readonly streaming?: boolean;
  readonly onOpenLink: (url: string) => void;
  readonly onCopy: (text: string) => Promise<unknown>;
}

/** A model's or a server's Markdown: no HTML, no images loaded, links only through `onOpenLink`. Plain text until its parts are here. */
export const Markdown = memo(function Markdown(props: MarkdownProps) {
  return (
    <Suspense fallback={<p className="break-words whitespace-pre-wrap">{props.text}</p>}>
      <Rendered {...props} />
    </Suspense>
  );
});

import { lazy, memo, Suspense } from 'react';
import { inIdleMoments } from './idle.ts';

let loaded: Promise<{ readonly default: typeof import('./markdown-blocks.tsx').MarkdownBlocks }> | undefined;
/** Its first use would hold up the page, so nothing is drawn with it until its parts have run once, each in a moment of its own. */
const load = () =>
  (loaded ??= import('./markdown-blocks.tsx').then(async ({ MarkdownBlocks, firstTimes }) => {
    await inIdleMoments(firstTimes).catch(() => undefined); // then the first use is the slow one
    return { default: MarkdownBlocks };
  }));
const Rendered = lazy(load);
/** Loads what Markdown needs ahead of its first use. */
export const warmMarkdown = (): void => void load().catch(() => undefined);

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

import { memo, useSyncExternalStore } from 'react';
import { inIdleMoments } from './idle.ts';

type Rendered = typeof import('./markdown-blocks.tsx').MarkdownBlocks;

let rendered: Rendered | undefined;
let loading: Promise<void> | undefined;
const waiting = new Set<() => void>();

/**
 * Its first use would hold up the page, so nothing is drawn with it until its parts have run once, each in a moment of its own. Not React's `lazy`:
 * that throws at its first use also when what it loads is there, and while a debugger is attached the browser reads the whole script again to say where.
 */
function load(): Promise<void> {
  loading ??= import('./markdown-blocks.tsx').then(async ({ MarkdownBlocks, firstTimes }) => {
    await inIdleMoments(firstTimes).catch(() => undefined); // then the first use is the slow one
    rendered = MarkdownBlocks;
    for (const tell of waiting) tell();
  });
  return loading;
}
/** Loads what Markdown needs ahead of its first use. */
export const warmMarkdown = (): void => void load().catch(() => undefined);

const listen = (tell: () => void): (() => void) => {
  waiting.add(tell);
  warmMarkdown();
  return () => waiting.delete(tell);
};
const renderedNow = (): Rendered | undefined => rendered;

export interface MarkdownProps {
  readonly text: string;
  /** While it grows, the last block may be half a table or an open fence. */
  readonly streaming?: boolean;
  readonly onOpenLink: (url: string) => void;
  readonly onCopy: (text: string) => Promise<unknown>;
}

/** A model's or a server's Markdown: no HTML, no images loaded, links only through `onOpenLink`. Plain text until its parts are here. */
export const Markdown = memo(function Markdown(props: MarkdownProps) {
  const Blocks = useSyncExternalStore(listen, renderedNow);
  return Blocks ? <Blocks {...props} /> : <p className="break-words whitespace-pre-wrap">{props.text}</p>;
});

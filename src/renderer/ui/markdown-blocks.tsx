import { ImageOff } from 'lucide-react';
import { memo, useEffect, useMemo, useState, type ReactNode } from 'react';
import ReactMarkdown, { type Components, type Options } from 'react-markdown';
import rehypeSanitize, { defaultSchema } from 'rehype-sanitize';
import remarkGfm from 'remark-gfm';
import { CodeBlock } from './code-block.tsx';
import { longestIdleWait } from './idle.ts';
import { blocksBefore, blocksOf, growMarkdown, waitingAfter, type Span } from './markdown-split.ts';
import type { MarkdownProps } from './markdown.tsx';

const remarkPlugins = [remarkGfm];
const rehypePlugins: Options['rehypePlugins'] = [[rehypeSanitize, { ...defaultSchema, protocols: { ...defaultSchema.protocols, href: ['http', 'https'] } }]];

const textOf = (node: ReactNode): string => (Array.isArray(node) ? node.map(textOf).join('') : typeof node === 'string' || typeof node === 'number' ? String(node) : '');

/** An address that a model chose is never fetched: opening a link or loading an image tells its owner something. */
const componentsFor = (onOpenLink: (url: string) => void, onCopy: MarkdownProps['onCopy']): Components => ({
  a: ({ href, children }) => (href ? (
    <a href={href} onClick={(event) => { event.preventDefault(); onOpenLink(href); }} onAuxClick={(event) => event.preventDefault()} className="text-accent underline decoration-accent-line underline-offset-2 hover:decoration-current">{children}</a>
  ) : <>{children}</>),
  img: ({ src, alt }) => (
    <button type="button" disabled={typeof src !== 'string' || src === ''} onClick={() => onOpenLink(typeof src === 'string' ? src : '')} className="inline-flex items-center gap-1.5 rounded-control border border-line bg-card px-2 py-0.5 text-list text-ink-2 hover:bg-hover">
      <ImageOff size={14} strokeWidth={1.75} aria-hidden />{alt ? `Image: ${alt}` : 'Image'} (not loaded)
    </button>
  ),
  pre: ({ children }) => <>{children}</>,
  code: ({ className, children, node }) => {
    const text = textOf(children);
    const language = /language-(\S+)/.exec(className ?? '')?.[1] ?? '';
    const isBlock = language !== '' || (node?.position && node.position.start.line !== node.position.end.line) || text.endsWith('\n');
    return isBlock ? <CodeBlock code={text.replace(/\n$/, '')} language={language} onCopy={onCopy} /> : <code className="rounded-[4px] bg-hover px-1 py-px text-[0.9em] break-words">{children}</code>;
  },
  table: ({ children }) => <div className="overflow-x-auto rounded-card border border-line" tabIndex={0} role="group" aria-label="Table"><table className="w-full border-collapse text-list">{children}</table></div>,
  th: ({ children, style }) => <th style={style} className="border-b border-line bg-sunken px-3 py-1.5 text-left font-[550]">{children}</th>,
  td: ({ children, style }) => <td style={style} className="border-t border-line px-3 py-1.5 align-top first:border-t">{children}</td>,
  h1: ({ children }) => <h3 className="mt-2 text-title font-semibold">{children}</h3>,
  h2: ({ children }) => <h3 className="mt-2 text-title font-semibold">{children}</h3>,
  h3: ({ children }) => <h4 className="mt-1 text-body font-semibold">{children}</h4>,
  h4: ({ children }) => <h5 className="text-body font-semibold">{children}</h5>,
  ul: ({ children }) => <ul className="list-disc space-y-1 pl-5 marker:text-ink-3">{children}</ul>,
  ol: ({ children, start }) => <ol start={start} className="list-decimal space-y-1 pl-6 marker:text-ink-3">{children}</ol>,
  li: ({ children, className }) => <li className={className?.includes('task-list-item') ? '-ml-5 list-none [&>input]:mr-1.5' : 'pl-0.5 [&>p]:inline'}>{children}</li>,
  blockquote: ({ children }) => <blockquote className="border-l-2 border-line-strong pl-3 text-ink-2">{children}</blockquote>,
  hr: () => <hr className="border-line" />,
  input: ({ checked }) => <input type="checkbox" checked={checked ?? false} readOnly disabled aria-label={checked ? 'Done' : 'To do'} className="accent-(--accent)" />,
});

const Block = memo(function Block({ text, components }: { readonly text: string; readonly components: Components }) {
  return <ReactMarkdown remarkPlugins={remarkPlugins} rehypePlugins={rehypePlugins} components={components}>{text}</ReactMarkdown>;
});

/** How much of a long text is drawn in one go, in characters: so much takes less time than a key press may wait. */
const stride = 600;

interface Drawing {
  readonly text: string;
  readonly cut: ReturnType<typeof growMarkdown>;
  readonly blocks: readonly string[];
  /** Not drawn yet: they are shown as they were written. */
  readonly waiting: Span;
}
/** Kept from draw to draw, so that an answer that streams in is not read from its start each time. */
function grow(text: string, before?: Drawing): Drawing {
  const cut = growMarkdown(text, before?.cut);
  const blocks = blocksOf(cut);
  return { text, cut, blocks, waiting: waitingAfter(blocks, before?.blocks.length ?? 0, before?.waiting ?? { from: 0, to: 0 }, stride) };
}
const drawMore = (drawing: Drawing): Drawing => {
  const { from, to } = drawing.waiting;
  return { ...drawing, waiting: { from, to: Math.max(from, blocksBefore(drawing.blocks, to, stride)) } };
};

/** Much text that is there at once is drawn piece by piece, from its end: there the reader is, and there more comes in. */
export function MarkdownBlocks({ text, onOpenLink, onCopy }: MarkdownProps) {
  const components = useMemo(() => componentsFor(onOpenLink, onCopy), [onOpenLink, onCopy]);
  const [drawing, setDrawing] = useState(() => grow(text));
  if (drawing.text !== text) setDrawing(grow(text, drawing));
  const { blocks, waiting: { from, to } } = drawing;
  useEffect(() => {
    if (from >= to) return undefined;
    const idle = requestIdleCallback(() => setDrawing(drawMore), { timeout: longestIdleWait });
    return () => cancelIdleCallback(idle);
  }, [from, to]);
  return (
    <div className="flex flex-col gap-3 break-words select-text [&_p]:break-words">
      {blocks.map((block, index) =>
        index >= from && index < to
          ? <p key={index} className="whitespace-pre-wrap">{block.trim()}</p>
          : <Block key={index} text={block} components={components} />)}
    </div>
  );
}

const samples = [
  '# a', 'a *b* **c** `d` [e](https://example.com)\nf ~g~ www.example.com', '- a\n  1. b', '> a', '| a | b |\n| - | -: |\n| `c` | d |',
  '```js\na\n```', '<b>\n\n---', '[a]: b',
];
/** For a short text an expression is not compiled in full. */
const rest = `\n\n${'word '.repeat(300)}`;
const inert = componentsFor(() => undefined, () => Promise.resolve());

/**
 * What this file and its packages do for the first time takes many times longer than the next: expressions and functions are compiled
 * then. Called one by one, none of these takes long.
 */
export const firstTimes: readonly (() => unknown)[] = [
  ...samples.map((sample) => () => growMarkdown(`${sample}${rest}`, undefined)),
  ...samples.map((sample) => () => ReactMarkdown({ children: sample, remarkPlugins, rehypePlugins, components: inert })),
];

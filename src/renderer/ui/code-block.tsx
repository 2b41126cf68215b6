import clsx from 'clsx';
import { Check, Copy, WrapText } from 'lucide-react';
import { memo, startTransition, useEffect, useState } from 'react';
import { IconButton } from './icon-button.tsx';
import { highlight, type CodeLines } from './highlight.ts';
import { turn } from './turn.ts';

/** Code that is still being written stays plain until it rests. */
const stillMs = 120;

/** Code as it is; colours come later and move nothing. `onCopy` is how this window reaches the clipboard. */
export const CodeBlock = memo(function CodeBlock({ code, language = '', onCopy, bare = false, maxHeight = 'max-h-112', marked }: {
  readonly code: string;
  readonly language?: string;
  readonly onCopy?: ((text: string) => Promise<unknown>) | undefined;
  /** Without border and heading: inside something that has them. */
  readonly bare?: boolean;
  readonly maxHeight?: string;
  /** The line, from 1, where something went wrong. */
  readonly marked?: number | undefined;
}) {
  const [lines, setLines] = useState<{ readonly code: string; readonly lines: CodeLines; readonly shown: () => void }>();
  const [wrapped, setWrapped] = useState(false);
  useEffect(() => {
    let leave = (): void => undefined;
    const paint = async () => {
      let gone = false;
      leave = () => void (gone = true);
      const found = await highlight(code, language);
      // Thousands of coloured words are drawn in React's slices and come onto the page at once: only one block's at a time.
      const end = found ? await turn() : undefined;
      if (gone || !found || !end) return end?.();
      leave = end;
      startTransition(() => setLines({ code, lines: found, shown: end }));
    };
    const timer = setTimeout(() => void paint(), stillMs);
    return () => {
      clearTimeout(timer);
      leave();
    };
  }, [code, language]);
  useEffect(() => lines?.shown(), [lines]);
  return (
    <figure className={clsx('group relative min-w-0', !bare && 'overflow-hidden rounded-card border border-line bg-sunken')}>
      <div className="absolute top-1.5 right-1.5 z-1 flex gap-0.5 rounded-control bg-sunken/85 opacity-0 transition-opacity group-focus-within:opacity-100 group-hover:opacity-100">
        {language ? <span className="self-center px-1.5 text-detail text-ink-3">{language}</span> : null}
        <IconButton size="s" name={wrapped ? 'Do not wrap lines' : 'Wrap lines'} aria-pressed={wrapped} onClick={() => setWrapped(!wrapped)} icon={<WrapText size={14} strokeWidth={1.75} />} />
        {onCopy ? <CopyButton text={code} onCopy={onCopy} /> : null}
      </div>
      <pre
        tabIndex={0} aria-label={language ? `${language} code` : 'Code'}
        className={clsx('overflow-auto px-3 py-2.5 font-code text-code text-ink select-text focus-visible:outline-offset-[-2px]', maxHeight, wrapped && 'break-words whitespace-pre-wrap')}
      >
        {lines?.code === code ? <Coloured lines={lines.lines} marked={marked} /> : <code>{code}</code>}
      </pre>
    </figure>
  );
});

const Coloured = ({ lines, marked }: { readonly lines: CodeLines; readonly marked: number | undefined }) => (
  <code>
    {lines.map((line, index) => (
      <span key={index} className={index + 1 === marked ? '-mx-3 block min-h-[1lh] bg-bad-soft px-3' : undefined}>
        {line.map((token, at) => (token.color ? <span key={at} style={{ color: token.color }}>{token.text}</span> : token.text))}
        {index < lines.length - 1 && index + 1 !== marked ? '\n' : null}
      </span>
    ))}
  </code>
);

/** Says that it copied, in place, for two seconds. */
export function CopyButton({ text, onCopy, name = 'Copy' }: { readonly text: string; readonly onCopy: (text: string) => Promise<unknown>; readonly name?: string }) {
  const [copied, setCopied] = useState<'no' | 'yes' | 'failed'>('no');
  useEffect(() => {
    if (copied === 'no') return undefined;
    const timer = setTimeout(() => setCopied('no'), 2000);
    return () => clearTimeout(timer);
  }, [copied]);
  const label = copied === 'yes' ? 'Copied' : copied === 'failed' ? 'Could not copy' : name;
  const icon = copied === 'yes' ? <Check size={14} className="text-ok" /> : <Copy size={14} strokeWidth={1.75} />;
  return <IconButton size="s" name={label} icon={icon} onClick={() => void onCopy(text).then(() => setCopied('yes'), () => setCopied('failed'))} />;
}

import { useEffect, useState } from 'react';
import { TextArea } from '../input.tsx';

/** The value that JSON text stands for; nothing for empty text. */
export function readJson(text: string): { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly words: string } {
  if (text.trim() === '') return { ok: true, value: undefined };
  try {
    const value: unknown = JSON.parse(text);
    return { ok: true, value };
  } catch (thrown) {
    return { ok: false, words: `This is not JSON yet: ${thrown instanceof Error ? thrown.message : 'it cannot be read'}` };
  }
}
const write = (value: unknown): string => (value === undefined ? '' : JSON.stringify(value, undefined, 2));

/** A value as JSON text. What cannot be read is reported and never lost. */
export function JsonEditor({ value, onChange, onProblem, rows = 4, ...parts }: {
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  readonly onProblem: (words: string | undefined) => void;
  readonly rows?: number;
  readonly id?: string;
  readonly 'aria-describedby'?: string | undefined;
  readonly 'aria-invalid'?: true | undefined;
  readonly 'aria-required'?: true | undefined;
  readonly 'aria-label'?: string;
}) {
  const [text, setText] = useState(() => write(value));
  useEffect(() => () => onProblem(undefined), [onProblem]);
  const change = (next: string) => {
    setText(next);
    const read = readJson(next);
    onProblem(read.ok ? undefined : read.words);
    if (read.ok) onChange(read.value);
  };
  return <TextArea {...parts} code rows={rows} spellCheck={false} value={text} placeholder="JSON" onChange={(event) => change(event.currentTarget.value)} />;
}

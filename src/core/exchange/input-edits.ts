import type { FileEdit } from '../formats/edit-source.ts';
import type { RawInput } from '../formats/raw-entry.ts';
import { readSource } from '../formats/read-source.ts';

/** What `${input:id}` of taken-over entries stands for comes along, where our file does not say it yet. Passwords do not: they are references by now. */
export function inputEdits(text: string | undefined, inputs: readonly RawInput[], edits: readonly FileEdit[]): readonly FileEdit[] {
  const written = JSON.stringify(edits);
  const isNamed = ({ id }: RawInput): boolean => written.includes(JSON.stringify(`\${input:${id}}`).slice(1, -1));
  const known = text === undefined ? [] : readSource(text, { file: 'mcp.json', shape: 'gatehouse' }).inputs;
  const missing = new Map(inputs.filter((input) => !input.password && isNamed(input) && !known.some(({ id }) => id === input.id)).map((input) => [input.id, input]));
  if (missing.size === 0) return [];
  return [{ op: 'set', path: ['inputs'], value: [...known, ...missing.values()].map(asWritten) }];
}

const asWritten = ({ id, description, password, default: value }: RawInput) => ({
  id,
  type: 'promptString',
  ...(description === undefined ? {} : { description }),
  ...(password ? { password } : {}),
  ...(value === undefined ? {} : { default: value }),
});

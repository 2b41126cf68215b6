import type { ApproveTools } from '../../../shared/model/server-options.ts';

const mostPatterns = 200;
const longest = 200;
const read = (text: string): readonly string[] =>
  text
    .split(/[,\n]/)
    .map((pattern) => pattern.trim())
    .filter((pattern) => pattern !== '');

/** What is wrong with patterns as typed, if anything. */
export function patternProblem(text: string, known: readonly string[]): string | undefined {
  const patterns = read(text);
  if (patterns.length === 0) return 'Which tool? Write its name or a pattern.';
  if (patterns.some((pattern) => pattern.length > longest)) return `At most ${longest} characters.`;
  if (patterns.some((pattern) => /\s/.test(pattern))) return 'A tool’s name has no spaces in it. Separate several with commas.';
  if (patterns.every((pattern) => known.includes(pattern)))
    return patterns.length === 1 ? 'It is in the list already.' : 'They are in the list already.';
  return new Set([...known, ...patterns]).size > mostPatterns ? `At most ${mostPatterns} patterns.` : undefined;
}

export const withPatterns = (known: readonly string[], text: string): string[] => [...new Set([...known, ...read(text)])];

/** The last one gone, no tool is named any more. */
export const withoutPattern = (known: readonly string[], pattern: string): ApproveTools => {
  const left = known.filter((one) => one !== pattern);
  return left.length === 0 ? false : left;
};

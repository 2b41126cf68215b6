import type { PromptCommand } from '../../../shared/model/prompt-command.ts';
import { argumentAtEnd, promptUsage, quoted } from '../../../shared/text/prompt-words.ts';

/** The command that a text begins with, and what follows it. */
export function promptIn(text: string, prompts: readonly PromptCommand[]): { readonly found: PromptCommand; readonly typed: string } | undefined {
  const [head = ''] = /^\S*/.exec(text) ?? [];
  const found = head.startsWith('/mcp__') ? prompts.find(({ command }) => command === head) : undefined;
  return found && { found, typed: text.slice(head.length) };
}

/** Prompts that may be meant while the command is typed: by its beginning, or by letters of its name after the slash. */
export function promptsFor(text: string, prompts: readonly PromptCommand[]): readonly PromptCommand[] {
  if (!/^\/\S*$/.test(text)) return [];
  const typed = text.slice(1).toLowerCase();
  const begins = prompts.filter(({ command }) => command.toLowerCase().startsWith(text.toLowerCase()));
  const holds = typed === '' ? [] : prompts.filter((one) => !begins.includes(one) && `${one.command} ${one.prompt.title ?? ''}`.toLowerCase().includes(typed));
  return [...begins, ...holds];
}

/** The text with the argument at its end replaced by a value that was suggested, ready for the next. */
export function withArgument(text: string, { found, typed }: { readonly found: PromptCommand; readonly typed: string }, value: string): string {
  const at = argumentAtEnd(typed, found.prompt);
  if (!at) return text;
  const gap = at.from === 0 ? ' ' : '';
  return `${found.command}${typed.slice(0, at.from)}${gap}${at.keyed ? `${at.name}=` : ''}${quoted(value)} `;
}

export const usageOf = ({ command, prompt }: PromptCommand): string => promptUsage(command, prompt);

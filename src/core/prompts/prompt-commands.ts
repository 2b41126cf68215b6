import type { PromptCommand } from '../../shared/model/prompt-command.ts';
import type { ServerCatalog } from '../../shared/model/catalog.ts';

/**
 * Every prompt of these servers as a command, `/mcp__<server>__<prompt>` (F-145), whether they are connected or were when last seen. A command that an earlier prompt has is not
 * given twice: the first keeps it.
 */
export function promptCommands(servers: readonly Pick<ServerCatalog, 'serverId' | 'serverName' | 'prompts' | 'origin'>[]): readonly PromptCommand[] {
  const commands = new Map<string, PromptCommand>();
  for (const { serverId, serverName, prompts, origin } of servers) {
    for (const prompt of prompts) {
      const command = `/mcp__${part(serverName, 'server')}__${part(prompt.name, 'prompt')}`;
      if (!commands.has(command)) commands.set(command, { command, serverId, serverName, prompt, cached: origin.from === 'cache' });
    }
  }
  return [...commands.values()];
}

function part(name: string, ifEmpty: string): string {
  const plain = name.replace(/[^A-Za-z0-9_-]+/g, '_');
  if (/^_*$/.test(plain)) return ifEmpty;
  return /^\d/.test(plain) ? `_${plain}` : plain;
}

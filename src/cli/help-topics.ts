import type { Command } from 'commander';
import { CliError } from './cli-error.ts';
import { exitCodeWords } from './exit-codes.ts';
import { oneLine } from './output.ts';
import type { Terminal } from './terminal.ts';

const topics: Readonly<Record<string, () => string>> = {
  'exit-codes': () => ['How a command ends:', ...exitCodeWords.map(([code, words]) => `  ${String(code).padStart(3)}  ${words}`)].join('\n'),
  projects: () =>
    [
      'A project is the nearest folder, from here up, that holds .mcp.json, .gatehouse or .git; --project PATH names another.',
      'Its files count once a person has trusted them, at their content: `gatehouse mcp trust`.',
      'The running app has one project open at a time: `gatehouse open PATH`. Without it, each command works on its own.',
    ].join('\n'),
  environment: () =>
    [
      'GATEHOUSE_HOME          where everything is kept; ~/.gatehouse unless set',
      'GATEHOUSE_MCP_SERVERS   servers as a JSON array (HARNESS_MCP_SERVERS is read when it is not set)',
      'GATEHOUSE_MODEL         what runs are set to, over files and profiles; GATEHOUSE_MAX_STEPS, GATEHOUSE_MAX_COST_USD,',
      '                        GATEHOUSE_REASONING_EFFORT and GATEHOUSE_SYSTEM_PROMPT too (HARNESS_… where one is not set)',
      'GATEHOUSE_WAIT_SECONDS  how long a home that another process uses is tried again; 15 unless set',
      'NO_COLOR                no colours; there are none but on a terminal',
    ].join('\n'),
};

/** `help`, `help exit-codes`, `help mcp add`. */
export function helpCommand(program: Command, terminal: Terminal): void {
  program
    .command('help')
    .argument('[topic...]', 'a command, or one of: exit-codes, projects, environment')
    .description('explain a command, or a topic')
    .action((words: readonly string[]) => {
      const topic = Object.hasOwn(topics, words.join(' ')) ? topics[words.join(' ')] : undefined;
      if (topic) return terminal.print(topic());
      let at = program;
      for (const word of words) {
        const next = at.commands.find((command) => command.name() === word || command.aliases().includes(word));
        if (!next) throw new CliError(`There is no command or topic “${oneLine(words.join(' '))}”.`, { details: [...Object.keys(topics), ...program.commands.map((command) => command.name())] });
        at = next;
      }
      at.outputHelp();
    });
}

export interface CodeToken {
  readonly text: string;
  readonly color?: string;
}
export type CodeLines = readonly (readonly CodeToken[])[];

const grammars = [
  'bash', 'c', 'cpp', 'csharp', 'css', 'diff', 'docker', 'go', 'html', 'ini', 'java', 'javascript', 'json', 'jsonc', 'jsx',
  'kotlin', 'lua', 'markdown', 'php', 'powershell', 'python', 'ruby', 'rust', 'sql', 'swift', 'toml', 'tsx', 'typescript', 'xml', 'yaml',
] as const;
export type Grammar = (typeof grammars)[number];
const otherNames: Readonly<Record<string, Grammar>> = {
  sh: 'bash', shell: 'bash', zsh: 'bash', console: 'bash', 'c++': 'cpp', cs: 'csharp', dockerfile: 'docker', js: 'javascript', mjs: 'javascript', cjs: 'javascript', kt: 'kotlin', md: 'markdown',
  ps1: 'powershell', py: 'python', rb: 'ruby', rs: 'rust', ts: 'typescript', mts: 'typescript', svg: 'xml', yml: 'yaml', htm: 'html', patch: 'diff', golang: 'go',
};
/** Longer code stays plain: colouring it would hold up the window. */
const longest = 60_000;

export function grammarOf(language: string): Grammar | undefined {
  const name = language.toLowerCase();
  return grammars.find((grammar) => grammar === name) ?? (Object.hasOwn(otherNames, name) ? otherNames[name] : undefined);
}

export interface HighlightQuestion {
  readonly id: number;
  readonly code: string;
  readonly grammar: Grammar;
}
export interface HighlightAnswer {
  readonly id: number;
  readonly lines: CodeLines | undefined;
}

let worker: Worker | undefined;
let lastId = 0;
const waiting = new Map<number, (lines: CodeLines | undefined) => void>();

/** Beside the window's own work: a grammar takes longer to load than a frame lasts. */
function startWorker(): Worker {
  const started = new Worker(new URL('./highlight-worker.ts', import.meta.url), { type: 'module' });
  started.addEventListener('message', (event: MessageEvent<HighlightAnswer>) => {
    waiting.get(event.data.id)?.(event.data.lines);
    waiting.delete(event.data.id);
  });
  started.addEventListener('error', () => {
    for (const settle of waiting.values()) settle(undefined);
    waiting.clear();
  });
  return started;
}

/** Colours for code of a known language; `undefined` where plain text is right. */
export async function highlight(code: string, language: string): Promise<CodeLines | undefined> {
  const grammar = grammarOf(language);
  if (!grammar || code.length > longest) return undefined;
  worker ??= startWorker();
  lastId += 1;
  const question: HighlightQuestion = { id: lastId, code, grammar };
  const answered = new Promise<CodeLines | undefined>((resolve) => waiting.set(question.id, resolve));
  worker.postMessage(question);
  return answered;
}

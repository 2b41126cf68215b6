import type { HighlighterCore, ThemedToken } from 'shiki/core';

export interface CodeToken {
  readonly text: string;
  readonly color?: string;
}
export type CodeLines = readonly (readonly CodeToken[])[];

const grammars = {
  bash: () => import('shiki/langs/bash.mjs'), c: () => import('shiki/langs/c.mjs'), cpp: () => import('shiki/langs/cpp.mjs'), csharp: () => import('shiki/langs/csharp.mjs'),
  css: () => import('shiki/langs/css.mjs'), diff: () => import('shiki/langs/diff.mjs'), docker: () => import('shiki/langs/docker.mjs'), go: () => import('shiki/langs/go.mjs'),
  html: () => import('shiki/langs/html.mjs'), ini: () => import('shiki/langs/ini.mjs'), java: () => import('shiki/langs/java.mjs'), javascript: () => import('shiki/langs/javascript.mjs'),
  json: () => import('shiki/langs/json.mjs'), jsonc: () => import('shiki/langs/jsonc.mjs'), jsx: () => import('shiki/langs/jsx.mjs'), kotlin: () => import('shiki/langs/kotlin.mjs'),
  lua: () => import('shiki/langs/lua.mjs'), markdown: () => import('shiki/langs/markdown.mjs'), php: () => import('shiki/langs/php.mjs'), powershell: () => import('shiki/langs/powershell.mjs'),
  python: () => import('shiki/langs/python.mjs'), ruby: () => import('shiki/langs/ruby.mjs'), rust: () => import('shiki/langs/rust.mjs'), sql: () => import('shiki/langs/sql.mjs'),
  swift: () => import('shiki/langs/swift.mjs'), toml: () => import('shiki/langs/toml.mjs'), tsx: () => import('shiki/langs/tsx.mjs'), typescript: () => import('shiki/langs/typescript.mjs'),
  xml: () => import('shiki/langs/xml.mjs'), yaml: () => import('shiki/langs/yaml.mjs'),
} as const;
type Grammar = keyof typeof grammars;
const otherNames: Readonly<Record<string, Grammar>> = {
  sh: 'bash', shell: 'bash', zsh: 'bash', console: 'bash', 'c++': 'cpp', cs: 'csharp', dockerfile: 'docker', js: 'javascript', mjs: 'javascript', cjs: 'javascript', kt: 'kotlin', md: 'markdown',
  ps1: 'powershell', py: 'python', rb: 'ruby', rs: 'rust', ts: 'typescript', mts: 'typescript', svg: 'xml', yml: 'yaml', htm: 'html', patch: 'diff', golang: 'go',
};
/** Longer code stays plain: colouring it would hold up the window. */
const longest = 60_000;

export function grammarOf(language: string): Grammar | undefined {
  const name = language.toLowerCase();
  return Object.hasOwn(grammars, name) ? (name as Grammar) : Object.hasOwn(otherNames, name) ? otherNames[name] : undefined; // an own key of the table
}

let highlighter: Promise<HighlighterCore> | undefined;
async function makeHighlighter(): Promise<HighlighterCore> {
  const [{ createHighlighterCore, createCssVariablesTheme }, { createJavaScriptRegexEngine }] = await Promise.all([import('shiki/core'), import('shiki/engine/javascript')]);
  const theme = createCssVariablesTheme({ name: 'gatehouse', variablePrefix: '--code-theme-', fontStyle: false });
  return createHighlighterCore({ themes: [theme], langs: [], engine: createJavaScriptRegexEngine({ forgiving: true }) });
}
const tokenOf = ({ content, color }: ThemedToken): CodeToken => ({ text: content, ...(color ? { color } : {}) });

/** Colours for code of a known language; `undefined` where plain text is right. Loads the engine and the language on first use. */
export async function highlight(code: string, language: string): Promise<CodeLines | undefined> {
  const grammar = grammarOf(language);
  if (!grammar || code.length > longest) return undefined;
  highlighter ??= makeHighlighter();
  const [ready, { default: rules }] = await Promise.all([highlighter, grammars[grammar]()]);
  await ready.loadLanguage(rules);
  return ready.codeToTokensBase(code, { lang: grammar, theme: 'gatehouse' }).map((line) => line.map(tokenOf));
}

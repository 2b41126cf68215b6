import { createCssVariablesTheme, createHighlighterCore, type HighlighterCore, type ThemedToken } from 'shiki/core';
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript';
import type { CodeToken, Grammar, HighlightAnswer, HighlightQuestion } from './highlight.ts';

/** Each is a chunk of its own, loaded when code of that language appears. */
const grammars: { readonly [G in Grammar]: () => Promise<{ readonly default: Parameters<HighlighterCore['loadLanguage']>[0] }> } = {
  bash: () => import('shiki/langs/bash.mjs'), c: () => import('shiki/langs/c.mjs'), cpp: () => import('shiki/langs/cpp.mjs'), csharp: () => import('shiki/langs/csharp.mjs'),
  css: () => import('shiki/langs/css.mjs'), diff: () => import('shiki/langs/diff.mjs'), docker: () => import('shiki/langs/docker.mjs'), go: () => import('shiki/langs/go.mjs'),
  html: () => import('shiki/langs/html.mjs'), ini: () => import('shiki/langs/ini.mjs'), java: () => import('shiki/langs/java.mjs'), javascript: () => import('shiki/langs/javascript.mjs'),
  json: () => import('shiki/langs/json.mjs'), jsonc: () => import('shiki/langs/jsonc.mjs'), jsx: () => import('shiki/langs/jsx.mjs'), kotlin: () => import('shiki/langs/kotlin.mjs'),
  lua: () => import('shiki/langs/lua.mjs'), markdown: () => import('shiki/langs/markdown.mjs'), php: () => import('shiki/langs/php.mjs'), powershell: () => import('shiki/langs/powershell.mjs'),
  python: () => import('shiki/langs/python.mjs'), ruby: () => import('shiki/langs/ruby.mjs'), rust: () => import('shiki/langs/rust.mjs'), sql: () => import('shiki/langs/sql.mjs'),
  swift: () => import('shiki/langs/swift.mjs'), toml: () => import('shiki/langs/toml.mjs'), tsx: () => import('shiki/langs/tsx.mjs'), typescript: () => import('shiki/langs/typescript.mjs'),
  xml: () => import('shiki/langs/xml.mjs'), yaml: () => import('shiki/langs/yaml.mjs'),
};

/** A line that takes longer keeps the colour it had; the first line of a language also waits for its rules. */
const lineLimitMs = 5000;

const theme = createCssVariablesTheme({ name: 'gatehouse', variablePrefix: '--code-theme-', fontStyle: false });
const highlighter = createHighlighterCore({ themes: [theme], langs: [], engine: createJavaScriptRegexEngine({ forgiving: true }) });
const tokenOf = ({ content, color }: ThemedToken): CodeToken => ({ text: content, ...(color ? { color } : {}) });

async function answer({ id, code, grammar }: HighlightQuestion): Promise<HighlightAnswer> {
  try {
    const [ready, { default: rules }] = await Promise.all([highlighter, grammars[grammar]()]);
    await ready.loadLanguage(rules);
    return { id, lines: ready.codeToTokensBase(code, { lang: grammar, theme: 'gatehouse', tokenizeTimeLimit: lineLimitMs }).map((line) => line.map(tokenOf)) };
  } catch {
    return { id, lines: undefined }; // without colours the code is still all there
  }
}

addEventListener('message', (event: MessageEvent<HighlightQuestion>) => {
  void answer(event.data).then((found) => postMessage(found));
});

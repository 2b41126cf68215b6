/** What a text from a tool is, as far as it can be told without guessing much. */
export type TextKind =
  | { readonly kind: 'json'; readonly value: object }
  | { readonly kind: 'code'; readonly language: string }
  | { readonly kind: 'text' };

const byMime: Readonly<Record<string, string>> = {
  'application/json': 'json', 'application/javascript': 'javascript', 'text/javascript': 'javascript', 'text/css': 'css', 'text/html': 'html', 'application/xml': 'xml', 'text/xml': 'xml',
  'text/x-python': 'python', 'application/yaml': 'yaml', 'application/x-yaml': 'yaml', 'text/yaml': 'yaml', 'application/toml': 'toml', 'application/sql': 'sql', 'text/x-diff': 'diff', 'text/markdown': 'markdown',
};
const byEnding: Readonly<Record<string, string>> = {
  json: 'json', js: 'javascript', mjs: 'javascript', cjs: 'javascript', jsx: 'jsx', ts: 'typescript', tsx: 'tsx', css: 'css', html: 'html', xml: 'xml', py: 'python', rb: 'ruby', rs: 'rust', go: 'go', java: 'java',
  c: 'c', h: 'c', cpp: 'cpp', cs: 'csharp', php: 'php', sh: 'bash', sql: 'sql', yaml: 'yaml', yml: 'yaml', toml: 'toml', md: 'markdown', diff: 'diff', patch: 'diff',
};
const longestJson = 200_000;

/** `undefined` when the text is no JSON object or list. */
export function jsonOf(text: string): object | undefined {
  const trimmed = text.trim();
  if (trimmed.length > longestJson || !/^[[{]/.test(trimmed)) return undefined;
  try {
    const value: unknown = JSON.parse(trimmed);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined; // it only begins like JSON
  }
}

const looksLikeDiff = (text: string): boolean => /^(diff --git |--- \S.*\n\+\+\+ \S)/m.test(text.slice(0, 2000));

export function textKind(text: string, about: { readonly mimeType?: string | undefined; readonly uri?: string | undefined } = {}): TextKind {
  const value = jsonOf(text);
  if (value) return { kind: 'json', value };
  if (looksLikeDiff(text)) return { kind: 'code', language: 'diff' };
  const mime = about.mimeType?.split(';')[0]?.trim().toLowerCase() ?? '';
  const ending = /\.(\w{1,5})$/.exec(about.uri ?? '')?.[1]?.toLowerCase() ?? '';
  const language = (Object.hasOwn(byMime, mime) ? byMime[mime] : undefined) ?? (Object.hasOwn(byEnding, ending) ? byEnding[ending] : undefined);
  return language === undefined ? { kind: 'text' } : { kind: 'code', language };
}

/** Whether a text only repeats the structured result, as servers do for older clients. */
export function repeats(text: string, structured: unknown): boolean {
  const value = jsonOf(text);
  return value !== undefined && JSON.stringify(value) === JSON.stringify(structured);
}

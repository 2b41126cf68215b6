import { describe, expect, it } from 'vitest';
import { repeats, textKind } from './text-kind.ts';

describe('what a text from a tool is', () => {
  it.each([
    ['{"a": 1}', {}, { kind: 'json', value: { a: 1 } }],
    ['[1, 2', {}, { kind: 'text' }],
    ['"only a string"', {}, { kind: 'text' }],
    ['diff --git a/x b/x\n@@ -1 +1 @@', {}, { kind: 'code', language: 'diff' }],
    ['--- a/x\n+++ b/x\n@@ -1 +1 @@', {}, { kind: 'code', language: 'diff' }],
    ['print(1)', { uri: 'file:///a/b.py' }, { kind: 'code', language: 'python' }],
    ['a: 1', { mimeType: 'text/yaml; charset=utf-8' }, { kind: 'code', language: 'yaml' }],
    ['x', { mimeType: 'constructor', uri: 'a.valueOf' }, { kind: 'text' }],
    ['Hello', {}, { kind: 'text' }],
  ])('takes %j for %j', (text, about, kind) => {
    expect(textKind(text, about)).toEqual(kind);
  });

  it('knows a text that only repeats the structured result', () => {
    expect(repeats('{ "a": [1, 2] }', { a: [1, 2] })).toBe(true);
    expect(repeats('{"a": 1}', { a: 2 })).toBe(false);
    expect(repeats('2 notes', { total: 2 })).toBe(false);
  });
});

import { describe, expect, it } from 'vitest';
import { createNoteId, excerptOf, formatNote, isNoteId, parseNote } from './note.ts';

const times = { created: new Date('2026-01-02T03:04:05.000Z'), modified: new Date('2026-02-03T04:05:06.000Z') };
const parse = (source: string): ReturnType<typeof parseNote> => parseNote('abc', source, times);

describe('a note as a file', () => {
  it('comes back as it was written, whatever its title, tags and text hold', () => {
    const notes = [
      { title: 'Plain title', tags: ['one', 'two words'], text: 'Hello\n' },
      { title: 'He said: "no" # not a comment', tags: ['a, b', "it's", '[x]', '"'], text: '\n\n---\ntitle: fake\n---\n' },
      { title: '---', tags: [], text: '' },
      { title: 'true', tags: ['null', '12'], text: '天气 👩‍👩‍👧 \r\n end without newline' },
    ];
    for (const note of notes) {
      const whole = { ...note, created: times.created.toISOString(), updated: times.modified.toISOString(), otherLines: ['mood: happy'] };
      expect(parse(formatNote(whole))).toEqual({ id: 'abc', ...whole });
    }
  });

  it('is read without front matter: the first heading is its title, the file has its times', () => {
    expect(parse('\uFEFF\n# Groceries  \n\n- milk')).toMatchObject({
      title: 'Groceries', tags: [], created: '2026-01-02T03:04:05.000Z', updated: '2026-02-03T04:05:06.000Z',
    });
    expect(parse('')).toMatchObject({ title: 'abc', text: '' });
  });

  it('is read with front matter as other programs write it', () => {
    const lines = ['---', "title: 'It''s mine'", 'aliases: [x]', 'tags:', '  - home', '  - "to do"', 'created: now?', '---', '', 'Body', ''];
    const source = lines.join('\r\n');
    expect(parse(source)).toMatchObject({
      title: "It's mine", tags: ['home', 'to do'], text: 'Body\r\n', created: '2026-01-02T03:04:05.000Z', otherLines: ['aliases: [x]'],
    });
    expect(parse('---\ntags: home, to do\n---\nBody').tags).toEqual(['home', 'to do']);
  });

  it('takes a rule that never closes for text', () => {
    expect(parse('---\nnot front matter').text).toBe('---\nnot front matter');
  });
});

describe('the id of a note', () => {
  it('sorts by time and is short', () => {
    const ids = [0, 1, 31, 32, 1_000_000, Date.parse('2026-11-29'), Date.parse('2099-01-01')].map(createNoteId);
    expect(ids.toSorted()).toEqual(ids);
    for (const id of ids) expect(id).toMatch(/^[0-9a-z]{12}$/);
  });

  it('is never a way out of the folder', () => {
    const bad = ['', '.', '..', '../x', 'a/b', '/etc/passwd', 'a\\b', '.hidden', 'a\u0000b', 'a\nb', 'a:stream', 'x'.repeat(121), '\ud800'];
    for (const id of bad) expect(isNoteId(id), JSON.stringify(id)).toBe(false);
    for (const id of ['01jz3k8m2ab4', 'Shopping list', '天气', 'a.b']) expect(isNoteId(id), id).toBe(true);
  });
});

it('shows the words that were looked for in an excerpt, on one line and without half a character', () => {
  const text = `${'x '.repeat(300)}\nthe needle\n${'😀'.repeat(200)}`;
  const excerpt = excerptOf(text, ['needle']);
  expect(excerpt).toContain('the needle');
  expect(excerpt.length).toBeLessThanOrEqual(161);
  expect(excerpt).not.toMatch(/\n|\p{Cs}/u);
});

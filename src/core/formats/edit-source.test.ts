import { describe, expect, it } from 'vitest';
import { editSource, entryMark, type FileEdit } from './edit-source.ts';

const put = (name: string, fields: Readonly<Record<string, unknown>>, previousName?: string): FileEdit => ({ op: 'put', name, fields, ...(previousName === undefined ? {} : { previousName }) });
const patch = (name: string, fields: Readonly<Record<string, unknown>>): FileEdit => ({ op: 'patch', name, fields });
const lines = (...all: readonly string[]): string => `${all.join('\n')}\n`;

describe('a file that is not there yet', () => {
  it.each([undefined, '', ' \n'])('begins with the key for servers (%j)', (text) => {
    expect(editSource(text, [put('a', { command: 'x', args: ['-y', 'pkg'], env: { A: { plain: '1' }, B: { secretRef: 'k', scope: 'global' } }, cwd: undefined })])).toBe(
      lines('{', '  "mcpServers": {', '    "a": {', '      "command": "x",', '      "args": ["-y", "pkg"],', '      "env": {', '        "A": { "plain": "1" },', '        "B": { "secretRef": "k", "scope": "global" }', '      }', '    }', '  }', '}'),
    );
  });

  it.each<FileEdit>([{ op: 'remove', name: 'a' }, patch('a', { enabled: null }), { op: 'switch', enabled: null }, { op: 'set', path: ['imports'], value: undefined }])('is not made by an edit that asks for nothing (%j)', (edit) => {
    expect(editSource(undefined, [edit])).toBe('');
    expect(editSource('// nothing yet\n', [edit])).toBe('// nothing yet\n');
  });

  it('with nothing but a comment keeps the comment', () => {
    expect(editSource('// mine', [{ op: 'switch', enabled: false }])).toBe('// mine\n{\n  "mcpServers": {},\n  "mcpEnabled": false\n}\n');
  });
});

describe('putting an entry', () => {
  const text = lines(
    '{', '\t// all of mine', '\t"mcpServers": {', '\t\t// the first', '\t\t"a": {', '\t\t\t"command": "x", // runs', '\t\t\t"note": 1,', '\t\t\t"args": [', '\t\t\t\t"-y", // yes', '\t\t\t\t"pkg"', '\t\t\t],',
    '\t\t\t"env": { "A": "1", /* two */ "B": "2" },', '\t\t}, // end of a', '\t},', '\t"other": 1,', '}',
  );

  it('changes only what differs, key by key and element by element, and keeps comments, order and unknown keys', () => {
    expect(editSource(text, [put('a', { command: 'x', args: ['-y', 'pkg@2', 'more'], env: { B: '3', C: '4' }, cwd: '/tmp' })])).toBe(
      lines(
        '{', '\t// all of mine', '\t"mcpServers": {', '\t\t// the first', '\t\t"a": {', '\t\t\t"command": "x", // runs', '\t\t\t"note": 1,', '\t\t\t"args": [', '\t\t\t\t"-y", // yes', '\t\t\t\t"pkg@2",', '\t\t\t\t"more"', '\t\t\t],',
        '\t\t\t"env": { /* two */ "B": "3", "C": "4" },', '\t\t\t"cwd": "/tmp",', '\t\t}, // end of a', '\t},', '\t"other": 1,', '}',
      ),
    );
  });

  it('that says what the file says already changes not a byte', () => {
    expect(editSource(text, [put('a', { command: 'x', args: ['-y', 'pkg'], env: { A: '1', B: '2' }, cwd: undefined })])).toBe(text);
  });

  it('adds a new one after the last, whose comment stays with it, and keeps the trailing comma', () => {
    expect(editSource(text, [put('b', { url: 'https://b/mcp' })])).toBe(text.replace('// end of a\n', '// end of a\n\t\t"b": {\n\t\t\t"url": "https://b/mcp"\n\t\t},\n'));
  });

  it('keeps CRLF, and no line end at the end', () => {
    const crlf = '{\r\n    "mcpServers": {\r\n        "a": {\r\n            "command": "x"\r\n        }\r\n    }\r\n}';
    expect(editSource(crlf, [put('a', { command: 'y', cwd: '/' }), put('b', { socket: '/s' })])).toBe(
      '{\r\n    "mcpServers": {\r\n        "a": {\r\n            "command": "y",\r\n            "cwd": "/"\r\n        },\r\n        "b": {\r\n            "socket": "/s"\r\n        }\r\n    }\r\n}',
    );
  });

  it('keeps a file on one line on one line', () => {
    expect(editSource('{"mcpServers":{"a":{"command":"x"}}}', [put('b', { url: 'https://b', headers: { A: '1' } }), put('a', { command: 'x', args: ['1', '2'] })])).toBe(
      '{"mcpServers":{"a":{"command":"x","args":["1","2"]},"b":{"url":"https://b","headers":{"A":"1"}}}}',
    );
    expect(editSource('{ "mcpServers": { "a": { "command": "x" } } }', [put('a', { command: 'x', args: ['1', '2'] }), put('b', { socket: 's' })])).toBe(
      '{ "mcpServers": { "a": { "command": "x", "args": ["1", "2"] }, "b": { "socket": "s" } } }',
    );
  });

  it('[U-11] drops what is foreign to the new transport, and nothing that Gatehouse does not know', () => {
    const stdio = '{"mcpServers":{"a":{"type":"stdio","command":"x","args":["1"],"cwd":"/","env":{"A":"1"},"envFile":".env","note":1,"includeTools":["t"]}}}';
    expect(editSource(stdio, [put('a', { type: 'sse', url: 'https://a/sse', headers: {} })])).toBe('{"mcpServers":{"a":{"type":"sse","note":1,"includeTools":["t"],"url":"https://a/sse","headers":{}}}}');
    expect(editSource(stdio, [put('a', { socket: '/s' })])).toBe('{"mcpServers":{"a":{"note":1,"includeTools":["t"],"socket":"/s"}}}');
    const http = '{"mcpServers":{"a":{"transport":"streamable-http","url":"https://a","headers":{},"auth":"oauth","oauth":{"clientId":"c"},"bearerToken":"t","bearerTokenEnv":"T","note":1}}}';
    expect(editSource(http, [put('a', { command: 'x' })])).toBe('{"mcpServers":{"a":{"note":1,"command":"x"}}}');
  });

  it('with options only leaves the transport alone', () => {
    const text = '{"mcpServers":{"a":{"url":"https://a","type":"sse"}}}';
    expect(editSource(text, [put('a', { required: true })])).toBe('{"mcpServers":{"a":{"url":"https://a","type":"sse","required":true}}}');
    expect(editSource(text, [put('a', { headers: { A: '1' } })])).toBe('{"mcpServers":{"a":{"url":"https://a","type":"sse","headers":{"A":"1"}}}}');
  });

  it('writes an option in the spelling that is there, once', () => {
    expect(editSource('{"mcpServers":{"a":{"serverUrl":"https://a","httpUrl":"https://b"}}}', [put('a', { url: 'https://c' })])).toBe('{"mcpServers":{"a":{"serverUrl":"https://c"}}}');
    expect(editSource('{"mcpServers":{"a":{"serverUrl":"https://a"}}}', [put('a', { url: undefined, command: 'x' })])).toBe('{"mcpServers":{"a":{"command":"x"}}}');
  });

  it('keeps unknown keys inside oauth and limits, and none in a map of values', () => {
    const text = '{"mcpServers":{"a":{"url":"https://a","oauth":{"clientId":"a","x":1,"scope":"s"},"headers":{"A":"1"}}}}';
    expect(editSource(text, [put('a', { url: 'https://a', oauth: { clientId: 'b' }, headers: { B: '1' } })])).toBe('{"mcpServers":{"a":{"url":"https://a","oauth":{"clientId":"b","x":1},"headers":{"B":"1"}}}}');
  });

  it('replaces an entry that is no object', () => {
    expect(editSource('{"mcpServers":{"a":null}}', [put('a', { command: 'x' })])).toBe('{"mcpServers":{"a":{"command":"x"}}}');
  });

  it('of a name that appears twice edits the last, which is the one that counts', () => {
    expect(editSource('{"mcpServers":{"a":{"command":"1"},"a":{"command":"2"}}}', [put('a', { command: '3' })])).toBe('{"mcpServers":{"a":{"command":"1"},"a":{"command":"3"}}}');
    expect(editSource('{"mcpServers":{"a":{"command":"1","command":"2"}}}', [put('a', { command: '3' })])).toBe('{"mcpServers":{"a":{"command":"1","command":"3"}}}');
    expect(editSource('{"mcpServers":{},"mcpServers":{"a":{"command":"1"}}}', [put('a', { command: '3' })])).toBe('{"mcpServers":{},"mcpServers":{"a":{"command":"3"}}}');
  });

  it.each(['__proto__', 'constructor', 'toString', 'ü "quoted" \\', '日本'])('takes the name %j like any other', (name) => {
    const made = editSource(undefined, [put(name, { command: 'x' }), put('z', { command: 'z' })]);
    expect(made).toContain(`    ${JSON.stringify(name)}: {\n      "command": "x"\n    }`);
    expect(editSource(made, [{ op: 'remove', name }])).toBe(editSource(undefined, [put('z', { command: 'z' })]));
  });
});

describe('putting many entries', () => {
  it.each([
    ['no file', undefined], ['an empty map', '{ "mcpServers": {} }'], ['lines', lines('{', '  "mcpServers": {', '    "a": { "command": "a" } // one', '  }', '}')],
    ['a trailing comma', lines('{', '\t"mcpServers": {', '\t\t"a": { "command": "a" }, /* one */', '\t\t// rest', '\t},', '}')], ['CRLF', '{\r\n  "mcpServers": {\r\n    "a": {}\r\n  }\r\n}'],
    ['one line', '{"mcpServers":{"a":{"command":"a"}}}'], ['one line with blanks', '{ "mcpServers": { "a": { "command": "a" } } }'], ['a list', '{ "mcpServers": { "enabled": true, "servers": [\n  { "name": "a", "command": "a" }\n] } }'],
    ['a bare map', '{ "a": { "command": "a" } }'], ['a comment alone', '// mine\n'], ['only comments within', '{ "mcpServers": {\n  // none yet\n} }'], ['an entry of that name', '{ "mcpServers": { "new-1": { "command": "old", "note": 1 } } }'],
  ])('is the same as putting them one after another: %s', (_what, text) => {
    const edits = [put('new-0', { command: 'x', args: ['1'] }), put('new-1', { command: 'y', enabled: false }), put('new-2', { url: 'http://x' }), put(' new-0', { command: 'again' }), put('new-3', { command: 'z' }), put('new-4', { command: 'z' }, 'a')];
    expect(editSource(text, edits)).toBe(edits.reduce<string | undefined>((current, edit) => editSource(current, [edit]), text));
  });
  it('takes no longer than once through the text', () => {
    const many = Array.from({ length: 1_000 }, (_, index) => put(`server-${index}`, { command: 'npx', args: ['-y', `package-${index}`], env: { KEY: { secretRef: `key-${index}`, scope: 'global' } } }));
    expect(editSource(editSource(undefined, many.slice(0, 500)), many.slice(500))).toBe(editSource(undefined, many));
  }, 5_000);
});

describe('renaming', () => {
  it('changes the key in its place; comments stay', () => {
    const text = lines('{', '  "mcpServers": {', '    /* one */ "a" /* two */: { "command": "x" }, // three', '    "b": { "command": "y" }', '  }', '}');
    expect(editSource(text, [put('c', { command: 'z' }, 'a')])).toBe(text.replace('"a"', '"c"').replace('"x"', '"z"'));
  });

  it('onto a taken name is refused; of an entry that is not there it adds', () => {
    const text = '{"mcpServers":{"a":{"command":"x"},"b":{"command":"y"}}}';
    expect(() => editSource(text, [put('b', { command: 'z' }, 'a')])).toThrow(expect.objectContaining({ code: 'server/exists' }));
    expect(editSource(text, [put('c', { command: 'z' }, 'd')])).toBe('{"mcpServers":{"a":{"command":"x"},"b":{"command":"y"},"c":{"command":"z"}}}');
  });

  it('of a name that appears twice brings no old entry to life', () => {
    expect(editSource('{"mcpServers":{"a":{"command":"1"},"a":{"command":"2"}}}', [put('b', { command: '2' }, 'a')])).toBe('{"mcpServers":{"b":{"command":"1"},"b":{"command":"2"}}}');
  });
});

describe('patching', () => {
  const text = lines('{', '  "mcpServers": {', '    "a": { "disabled": true }, // off', '    "b": { "command": "y", "enabled": true }', '  }', '}');

  it('switches in the spelling that is there, and with disabled where there is none', () => {
    expect(editSource(text, [patch('b', { enabled: false })])).toBe(text.replace('"enabled": true', '"enabled": false'));
    expect(editSource(text, [patch('a', { enabled: true })])).toBe(text.replace('"disabled": true', '"disabled": false'));
    expect(editSource(text, [patch('c', { enabled: false })])).toBe(text.replace('"enabled": true }\n', '"enabled": true },\n    "c": {\n      "disabled": true\n    }\n'));
    expect(editSource('{"mcpServers":{"a":{"enabled":true,"disabled":true,"command":"x"}}}', [patch('a', { enabled: false })])).toBe('{"mcpServers":{"a":{"disabled":true,"command":"x"}}}');
    expect(editSource('{"mcpServers":{"a":{"enabled":true,"command":"x"}}}', [patch('a', { enabled: null, disabled: true })])).toBe('{"mcpServers":{"a":{"command":"x","disabled":true}}}');
    expect(editSource('{"mcpServers":{"a":{"enabled":false,"disabled":true,"command":"x"}}}', [patch('a', { enabled: null })])).toBe('{"mcpServers":{"a":{"command":"x"}}}');
  });

  it('takes out an entry that then holds nothing, unless a comment is in it', () => {
    expect(editSource(text, [patch('a', { enabled: null })])).toBe(text.replace('"a": { "disabled": true }, ', ''));
    const commented = text.replace('{ "disabled"', '{ /* why */ "disabled"');
    expect(editSource(commented, [patch('a', { enabled: null })])).toBe(commented.replace(' "disabled": true', ''));
  });

  it('of an entry that is no object is refused with its place', () => {
    expect(() => editSource('{"mcpServers":{\n "a": 1}}', [patch('a', { enabled: false })])).toThrow(expect.objectContaining({ code: 'config/invalid', data: { line: 2, column: 7 } }));
  });
});

describe('removing', () => {
  it.each([
    ['the first', 'a', '{\n  // x\n  "mcpServers": {\n    // of a\n    // of b\n    "b": 2,\n    "c": 3 // after c\n  }\n}'],
    ['the one between', 'b', '{\n  // x\n  "mcpServers": {\n    // of a\n    "a": 1, // after a\n    // of b\n    "c": 3 // after c\n  }\n}'],
    ['the last', 'c', '{\n  // x\n  "mcpServers": {\n    // of a\n    "a": 1, // after a\n    // of b\n    "b": 2\n    // after c\n  }\n}'],
  ])('%s takes its comma and its line, and no comment', (_, name, expected) => {
    const text = '{\n  // x\n  "mcpServers": {\n    // of a\n    "a": 1, // after a\n    // of b\n    "b": 2,\n    "c": 3 // after c\n  }\n}';
    expect(editSource(text, [{ op: 'remove', name }])).toBe(name === 'a' ? expected.replace('// of a\n', '// of a\n    // after a\n') : expected);
  });

  it('every one of that name goes', () => {
    expect(editSource('{"mcpServers":{"a":1,"b":2,"a":3}}', [{ op: 'remove', name: 'a' }])).toBe('{"mcpServers":{"b":2}}');
  });

  it('works where commas begin the lines', () => {
    expect(editSource('{ "mcpServers": {\n    "a": 1\n  , "b": 2\n  , "c": 3\n  } }', [{ op: 'remove', name: 'b' }])).toBe('{ "mcpServers": {\n    "a": 1\n  , "c": 3\n  } }');
  });
});

describe('the shapes of our files', () => {
  it.each(['mcpServers', 'mcp-servers', 'servers'])('an entry goes under %s when that is there', (key) => {
    expect(editSource(`{"${key}":{}}`, [put('a', { command: 'x' })])).toBe(`{"${key}":{"a":{"command":"x"}}}`);
  });

  it('a map without such a key stays one', () => {
    expect(editSource('{"a":{"command":"x"}}', [put('b', { command: 'y' }), { op: 'switch', enabled: false }, patch('a', { enabled: false })])).toBe(
      '{"a":{"command":"x","disabled":true},"b":{"command":"y"},"mcpEnabled":false}',
    );
  });

  it("a list of servers with a switch beside it is edited as one", () => {
    const text = lines('{', '  "mcpServers": {', '    "enabled": true,', '    "servers": [', '      { "name": "a", "transport": "stdio", "command": "x" } // a', '    ]', '  }', '}');
    expect(editSource(text, [{ op: 'switch', enabled: false }])).toBe(text.replace('"enabled": true', '"enabled": false'));
    expect(editSource(text, [put('b', { type: 'sse', url: 'https://b' })])).toBe(
      text.replace('} // a', '}, // a\n      {\n        "name": "b",\n        "type": "sse",\n        "url": "https://b"\n      }'),
    );
    expect(editSource(text, [put('c', { type: 'stdio', command: 'y' }, 'a'), patch('c', { enabled: null, disabled: true })])).toBe(text.replace('"a", ', '"c", ').replace('"x" }', '"y", "enabled": false }'));
    expect(editSource(text, [{ op: 'remove', name: 'a' }])).toBe(text.replace('{ "name": "a", "transport": "stdio", "command": "x" } ', ''));
    expect(editSource('{"enabled":false,"servers":[]}', [put('a', { command: 'x' }), { op: 'switch', enabled: null }])).toBe('{"servers":[{"name":"a","command":"x"}]}');
  });

  it('the switch of a map stands beside it', () => {
    expect(editSource('{\n  "mcpServers": {}\n}', [{ op: 'switch', enabled: true }])).toBe('{\n  "mcpServers": {},\n  "mcpEnabled": true\n}');
  });

  it('the switch is where the file has it, and taken out wherever it stands', () => {
    const text = '{"mcpServers":{"enabled":true,"a":{"command":"x"}},"mcpEnabled":true,"mcp":{"enabled":true}}';
    expect(editSource(text, [{ op: 'switch', enabled: false }])).toBe(text.replace('"enabled":true', '"enabled":false'));
    expect(editSource(text, [{ op: 'switch', enabled: null }])).toBe('{"mcpServers":{"a":{"command":"x"}},"mcp":{}}');
    expect(editSource('{"mcp":{"enabled":true}}', [{ op: 'switch', enabled: false }])).toBe('{"mcp":{"enabled":true},"mcpEnabled":false}');
  });

  it('a map may hold a server under the name of a key for servers', () => {
    expect(editSource('{"servers":{"command":"x"}}', [put('a', { command: 'y' })])).toBe('{"servers":{"command":"x"},"a":{"command":"y"}}');
  });

  it('other settings are set along their path and taken out again', () => {
    const text = lines('{', '  "mcpServers": {}, // s', '  "imports": ["cursor"]', '}');
    expect(editSource(text, [{ op: 'set', path: ['imports'], value: ['cursor', 'codex'] }])).toBe(text.replace('["cursor"]', '["cursor", "codex"]'));
    const set = editSource(text, [{ op: 'set', path: ['settings', 'ui', 'x'], value: true }]);
    expect(set).toBe(text.replace('["cursor"]', '["cursor"],\n  "settings": {\n    "ui": {\n      "x": true\n    }\n  }'));
    expect(editSource(set, [{ op: 'set', path: ['settings', 'ui'], value: undefined }])).toBe(text.replace('["cursor"]', '["cursor"],\n  "settings": {\n  }'));
    expect(editSource(text, [{ op: 'set', path: ['settings', 'x'], value: undefined }])).toBe(text);
  });
});

it.each([
  ['{"mcpServers": {"a": {"command" "x"}}}', 1, 33],
  ['{\n  "mcpServers": {\n', 3, 1],
  ['[]', 1, 1],
  ['{} {}', 1, 4],
  ['{\n "mcpServers": "x"}', 2, 16],
])('a file that cannot be edited safely is refused with line and column (%j)', (text, line, column) => {
  expect(() => editSource(text, [put('a', { command: 'x' })])).toThrow(expect.objectContaining({ code: 'config/invalid', data: { line, column } }));
});

it('a file that is nested beyond reason is refused, not fatal', () => {
  expect(() => editSource('['.repeat(200_000), [put('a', { command: 'x' })])).toThrow(expect.objectContaining({ code: 'config/invalid' }));
});

describe("an entry's mark", () => {
  const text = '{ "mcpServers": { "a": { "command": "x" }, "b": {} } }';
  it('changes with the entry and nothing else', () => {
    const mark = entryMark(text, 'a');
    expect(entryMark(`// more\n${text.replace('"b": {}', '"b": { "command": "y" }')}`, 'a')).toBe(mark);
    for (const other of [text.replace('"x"', '"y"'), text.replace('"x"', '"x" /* c */')]) expect(entryMark(other, 'a')).not.toBe(mark);
    expect(mark).not.toBe(entryMark(text, 'b'));
  });

  it('is absent for what is not there', () => {
    for (const none of [undefined, '', '{', '{}', text.replace('"a"', '"A"')]) expect(entryMark(none, 'a')).toBe('absent');
  });
});

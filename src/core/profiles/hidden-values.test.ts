import { expect, it } from 'vitest';
import { hideValues, showValues } from './hidden-values.ts';

it.each([
  ['a variable’s value', '[mcp_servers.a]\ncommand = "x"\nenv = { API_KEY = "canary-1/ü" }\n'],
  ['one in a table of its own, escaped', '[mcp_servers.a]\ncommand = "x"\n[mcp_servers.a.env]\nAPI_KEY = "canary\\"1\\\\x"\n'],
  ['one that is short', '[mcp_servers.a]\ncommand = "x"\nenv = { API_KEY = "cana1" }\nargs = ["canal"]\n'],
  ['one in an address', '[mcp_servers.a]\nurl = "https://x.test/mcp?token=canary-1234"\n'],
  ['a header’s, in an entry that cannot be used', "[mcp_servers.a]\nargs = ['x']\nheaders = { Authorization = 'Bearer canary-1234' }\n"],
  ['one over several lines', '[mcp_servers.a]\ncommand = "x"\n[mcp_servers.a.env]\nTOKEN = """\ncanary-first-line-of-it\ncanary-second-line-of-it"""\n'],
  ['one of a file from Windows', '[mcp_servers.a]\r\ncommand = "x"\r\n[mcp_servers.a.env]\r\nTOKEN = """\r\ncanary-first-line-of-it\r\ncanary-second-line-of-it"""\r\nB_KEY = "canary-1"\r\n'],
  ['one in a comment', '# API_KEY = "canary-1234"\n'],
  ['one in a text that does not parse', '[mcp_servers.a\nenv = { API_KEY = "canary-1234" }\nTOKEN = "canary-5678\nother = 1\n'],
  ['a key by its form alone', 'note = "sk-canary0123456789"\n'],
  ['two of them', '[mcp_servers.a]\ncommand = "x"\nenv = { A_TOKEN = "canary-1", B_TOKEN = "canary-12" }\n'],
])('%s is hidden, and comes back as it was', (_what, text) => {
  const shown = hideValues(text);
  expect(shown).toMatch(/•••1•••/);
  expect(shown).not.toMatch(/canar[y]|cana1/);
  expect(shown.split('\n').length).toBeLessThanOrEqual(text.split('\n').length);
  expect(showValues(shown, text)).toBe(text);
  expect(showValues(`${shown}# typed\n`, text)).toBe(`${text}# typed\n`);
});

it.each(['[mcp_servers.a]\ncommand = "x"\nenv = { API_KEY = { secretRef = "docs-token", scope = "global" }, B_TOKEN = "${B_TOKEN}", C_KEY = "!pass show c" }\n', '[runner]\nmodel = "m"\nmax_steps = 3\n'])('what is no secret stays: %j', (text) => {
  expect(hideValues(text)).toBe(text);
});

it('a mark that stands for nothing, or at another place, is refused with its line', () => {
  const text = '[mcp_servers.a]\ncommand = "x"\nenv = { API_KEY = "canary-1234" }\n';
  const shown = hideValues(text);
  const refused = (typed: string, line: number, current: string | undefined = text) => expect(() => showValues(typed, current)).toThrow(expect.objectContaining({ code: 'config/invalid', data: { line } }));
  refused(shown, 3, '');
  refused(shown.replace('•••1•••', '•••2•••'), 3);
  refused(shown.replace('API_KEY', 'OTHER_KEY'), 3);
  refused(shown.replace('servers.a', 'servers.b'), 3);
  refused(`${shown}[mcp_servers.thief]\nurl = "https://thief.test/?key=•••1•••"\n`, 5);
  // In a file that has other values since, the numbers are others’.
  refused(shown, 3, `${text}[mcp_servers.b]\nenv = { API_KEY = "canary-longer-56789" }\n`);
  const two = '[mcp_servers.a]\ncommand = "x"\nenv = { MODE = "a", API_KEY = "canary-1234" }\n';
  expect(showValues(hideValues(two).replace('"a"', '"b"'), two)).toBe(two.replace('"a"', '"b"'));
  const address = 'a.url = "https://x.test/?token=canary-1234"\n';
  refused(hideValues(address).replace('x.test', 'thief.test'), 1, address);
  expect(showValues(`# first\n${shown.replace('"x"', '"y"')}`, text)).toBe(`# first\n${text.replace('"x"', '"y"')}`);
});

it.each([['one word', 'a'.repeat(1_000_000)], ['words and quotes', `a_key "'`.repeat(100_000)], ['commas', '{,'.repeat(400_000)], ['marks', '•••1•••'.repeat(100_000)], ['empty tables', '[a]\n'.repeat(60_000)]])('a large text of %s is looked through in time', (_what, text) => {
  const began = performance.now();
  hideValues(text);
  try {
    showValues(text, text);
  } catch (error) {
    expect(error).toMatchObject({ code: 'config/invalid' });
  }
  expect(performance.now() - began).toBeLessThan(10_000);
}, 60_000);

it('too much of it is not shown', () => {
  expect(() => hideValues('a'.repeat(1_048_577))).toThrow(expect.objectContaining({ code: 'config/invalid' }));
  expect(() => hideValues(Array.from({ length: 2_001 }, (_none, at) => `A${at}_KEY = "canary-${at}"`).join('\n'))).toThrow(expect.objectContaining({ code: 'config/invalid' }));
});

import { describe, expect, it } from 'vitest';
import { readPairs } from './read-pairs.ts';
import { textRow } from './server-form-model.ts';
import { splitCommandLine } from './split-command.ts';
import { suggestName } from './suggest-name.ts';

describe('a pasted command line', () => {
  it('is split as a shell would split it', () => {
    expect(splitCommandLine('npx -y @scope/server-git --repo "/my work/atlas" --name \'it is\'')).toEqual({
      env: [],
      command: 'npx',
      args: ['-y', '@scope/server-git', '--repo', '/my work/atlas', '--name', 'it is'],
    });
    expect(splitCommandLine('a b\\ c "d\\"e" ""')?.args).toEqual(['b c', 'd"e', '']);
  });

  it('gives its assignments to the environment', () => {
    expect(splitCommandLine('$ API_KEY=abc MODE="fast lane" uvx thing')).toEqual({
      env: [
        { name: 'API_KEY', value: 'abc' },
        { name: 'MODE', value: 'fast lane' },
      ],
      command: 'uvx',
      args: ['thing'],
    });
  });

  it('goes on after a backslash at the end of a line', () => {
    expect(splitCommandLine('docker run \\\n  -i --rm \\\n  image')?.args).toEqual(['run', '-i', '--rm', 'image']);
  });

  it('keeps the backslashes of Windows paths', () => {
    expect(splitCommandLine('C:\\Tools\\node.exe server.js')).toEqual({ env: [], command: 'C:\\Tools\\node.exe', args: ['server.js'] });
  });

  it('[S16] stays one command where it is a path with spaces', () => {
    const of = (line: string) => {
      const { command, args } = splitCommandLine(line) ?? {};
      return [command, ...(args ?? [])];
    };
    expect(of('/Applications/My App/bin/server')).toEqual(['/Applications/My App/bin/server']);
    expect(of('/Applications/My Big App/bin/server --port 80')).toEqual(['/Applications/My Big App/bin/server', '--port', '80']);
    expect(of('C:\\Program Files\\nodejs\\node.exe C:\\My Tools\\server.js')).toEqual(['C:\\Program Files\\nodejs\\node.exe', 'C:\\My', 'Tools\\server.js']);
    expect(of('"/opt/my tools/run" "two words"')).toEqual(['/opt/my tools/run', 'two words']);
    expect(of('/usr/bin/node src/server.js')).toEqual(['/usr/bin/node', 'src/server.js']);
    expect(of('/usr/local/bin/npx @scope/server')).toEqual(['/usr/local/bin/npx', '@scope/server']);
    expect(of('/opt/tool /srv/data')).toEqual(['/opt/tool', '/srv/data']);
  });

  it('expands nothing', () => {
    expect(splitCommandLine('node $HOME/server.js')?.args).toEqual(['$HOME/server.js']);
  });

  it('is left alone when it is not whole', () => {
    expect(splitCommandLine('node "half')).toBeUndefined();
    expect(splitCommandLine('   ')).toBeUndefined();
    expect(splitCommandLine('A=1')).toBeUndefined();
  });
});

describe('pasted variables and headers', () => {
  it('are read from the lines of an .env file', () => {
    expect(readPairs('# keys\nexport API_KEY="a b"\nMODE=fast=1\n\nEMPTY=', 'env')).toEqual([
      { name: 'API_KEY', value: 'a b' },
      { name: 'MODE', value: 'fast=1' },
      { name: 'EMPTY', value: '' },
    ]);
  });

  it('are read from the lines of a request', () => {
    expect(readPairs('Authorization: Bearer abc\n-H "X-Team: red"', 'headers')).toEqual([
      { name: 'Authorization', value: 'Bearer abc' },
      { name: 'X-Team', value: 'red' },
    ]);
  });

  it('are nothing special when a line is neither', () => {
    expect(readPairs('API_KEY', 'env')).toBeUndefined();
    expect(readPairs('A=1\nand some words', 'env')).toBeUndefined();
    expect(readPairs('Authorization', 'headers')).toBeUndefined();
  });
});

describe('a suggested name', () => {
  const of = (line: string): string => {
    const split = splitCommandLine(line);
    return suggestName({ type: 'stdio', command: split?.command ?? '', args: (split?.args ?? []).map(textRow), url: '', path: '' });
  };
  const at = (url: string): string => suggestName({ type: 'streamable-http', command: '', args: [], url, path: '' });

  it('is what the package or program is called', () => {
    expect(
      [
        'npx -y @modelcontextprotocol/server-everything@latest',
        'uvx mcp-server-postgres',
        'node /srv/crm-mcp/dist/index.js',
        'docker run -i --rm mcp/github',
        'my-tool',
      ].map(of),
    ).toEqual(['everything', 'postgres', 'crm', 'github', 'my-tool']);
  });

  it('is the word of the host that says whose it is', () => {
    expect(['https://mcp.linear.app/sse', 'https://api.githubcopilot.com/mcp', 'http://127.0.0.1:3000/mcp', 'no address'].map(at)).toEqual([
      'linear',
      'githubcopilot',
      'local',
      '',
    ]);
    expect(suggestName({ type: 'socket', command: '', args: [], url: '', path: '/run/user/1/notes.sock' })).toBe('notes');
  });
});

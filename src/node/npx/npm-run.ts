import { spawn } from 'node:child_process';
import type { Environment } from '../stdio/environment.ts';

/** For one run of npm, an installation included (F-178). Milliseconds. */
const runMs = 30_000;
const outputLimit = 4_096;

/**
 * Prints the resident bytes of everything between itself and whoever started npm: npm and its shell. Nothing where the system does not say. It needs no quotes: it
 * goes through npm's shell.
 */
const measuring = [
  'const{readFileSync:r}=require(`fs`),{execFileSync:x}=require(`child_process`)',
  'const look=p=>{try{const s=r(`/proc/`+p+`/status`,`utf8`);return[/VmRSS:\\s+(\\d+)/.exec(s)[1],/PPid:\\s+(\\d+)/.exec(s)[1]].map(Number)}catch{return x(`ps`,[`-o`,`rss=,ppid=`,`-p`,String(p)]).toString().trim().split(/\\s+/).map(Number)}}',
  'let sum=0,p=process.ppid',
  'for(let n=0;n<8&&p>1&&p!==Number(process.argv[1]);n++){const[kb,up]=look(p);sum+=kb;p=up}',
  'if(p===Number(process.argv[1]))console.log(sum*1024)',
].join(';');

export interface NpmRun {
  readonly npm: string;
  readonly spec: string;
  readonly cwd: string;
  readonly env: Environment;
  /** Nothing is fetched. */
  readonly offline: boolean;
}

/** Makes npm see to it that the package is installed, by running a program of nothing in it. Answers what `npx` and its shell took meanwhile, in bytes; rejects when npm failed. */
export async function runNpm({ npm, spec, cwd, env, offline }: NpmRun, signal: AbortSignal): Promise<number | undefined> {
  signal.throwIfAborted();
  const args = ['exec', '--yes', ...(offline ? ['--offline'] : []), `--package=${spec}`, '--', 'node', '-e', measuring, String(process.pid)];
  const child = spawn(npm, args, { cwd, env, shell: false, detached: true, windowsHide: true, stdio: ['ignore', 'pipe', 'ignore'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output = (output + text).slice(0, outputLimit)));
  // The whole group: npm leaves its shell behind otherwise.
  const kill = (): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
  };
  const timer = setTimeout(kill, runMs);
  signal.addEventListener('abort', kill, { once: true });
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    signal.throwIfAborted();
    if (code !== 0) throw new Error(`npm ended with ${code ?? 'a signal'}`);
    const bytes = Number(/^(\d+)\s*$/.exec(output)?.[1]);
    return Number.isSafeInteger(bytes) && bytes > 0 ? bytes : undefined;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', kill);
  }
}

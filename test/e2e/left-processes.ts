import { readFile, readdir } from 'node:fs/promises';

export interface LeftProcess {
  readonly pid: number;
  readonly command: string;
}

const readProc = async (pid: string, name: string): Promise<string> => await readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '');

/**
 * Processes whose environment names the test's folder: the app has it in GATEHOUSE_HOME, and the servers it
 * starts in HOME. Linux only; elsewhere nothing is found. What has ended but is not yet reaped has no environment.
 */
export async function processesOf(folder: string): Promise<readonly LeftProcess[]> {
  const names = await readdir('/proc').catch(() => []);
  const found = names
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map(async (pid): Promise<LeftProcess[]> => {
      if (!(await readProc(pid, 'environ')).includes(folder)) return [];
      return [{ pid: Number(pid), command: (await readProc(pid, 'cmdline')).replaceAll('\0', ' ').trim() }];
    });
  return (await Promise.all(found)).flat();
}

/** So that one failing test does not disturb the next. */
export function endProcesses(processes: readonly LeftProcess[]): void {
  for (const { pid } of processes) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
    }
  }
}

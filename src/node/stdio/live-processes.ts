import { killGroupsNow } from './process-tree.ts';

/** The servers that run now. Should the app end without having stopped them, they are killed in its last moment. [O3] */
export class LiveProcesses {
  readonly #pids = new Set<number>();
  readonly #killAll = (): void => killGroupsNow(...this.#pids);

  add(pid: number): void {
    if (this.#pids.size === 0) process.on('exit', this.#killAll);
    this.#pids.add(pid);
  }

  remove(pid: number): void {
    this.#pids.delete(pid);
    if (this.#pids.size === 0) process.off('exit', this.#killAll);
  }
}

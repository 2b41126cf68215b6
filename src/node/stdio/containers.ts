import { execFile } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { basename } from 'node:path';
import type { Environment } from './environment.ts';

/** A container outlives the `docker run` that started it, and no signal ends it: it is found again by the id that docker writes. */
export interface ContainerRecord {
  /** The docker or podman that started it. */
  readonly program: string;
  readonly cidFile: string;
}

export function startsContainer(file: string, args: readonly string[]): boolean {
  const name = basename(file.replaceAll('\\', '/'));
  return /^(docker|podman)(\.exe)?$/i.test(name) && args[0] === 'run' && !args.some((arg) => /^--cidfile(=|$)/.test(arg));
}

export function withCidFile(args: readonly string[], cidFile: string): readonly string[] {
  return ['run', '--cidfile', cidFile, ...args.slice(1)];
}

const removeWithinMs = 10_000;

/** Removes the container if there still is one. Never fails: one that has ended and removed itself is what everybody wants. */
export async function removeContainer({ program, cidFile }: ContainerRecord, env: Environment): Promise<void> {
  const id = readCid(cidFile);
  if (id !== undefined) {
    const options = { env, timeout: removeWithinMs, killSignal: 'SIGKILL', windowsHide: true } as const;
    await new Promise<void>((resolve) => execFile(program, ['rm', '-f', id], options, () => resolve()));
  }
  rmSync(cidFile, { force: true });
}

function readCid(cidFile: string): string | undefined {
  try {
    const id = readFileSync(cidFile, 'utf8').trim();
    return /^[0-9a-f]{12,64}$/i.test(id) ? id : undefined;
  } catch {
    // Docker never got as far as starting one.
    return undefined;
  }
}

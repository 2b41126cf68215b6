import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Bounds {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}
export type Theme = 'system' | 'light' | 'dark';
/** What the next start needs before anything else has opened. */
export interface WindowMemory {
  readonly bounds?: Bounds;
  readonly maximized: boolean;
  readonly theme: Theme;
}
export const smallest = { width: 640, height: 480 } as const;
export const usual = { width: 1280, height: 800 } as const;
const forgotten: WindowMemory = { maximized: false, theme: 'system' };

const fileOf = (folder: string) => join(folder, 'window.json');

/** A file that is missing or makes no sense counts as none. */
export function readWindowMemory(folder: string): WindowMemory {
  try {
    return parseWindowMemory(JSON.parse(readFileSync(fileOf(folder), 'utf8')));
  } catch {
    return forgotten;
  }
}

export function writeWindowMemory(folder: string, memory: WindowMemory): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = fileOf(folder);
  writeFileSync(`${file}.new`, JSON.stringify(memory), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

export function parseWindowMemory(value: unknown): WindowMemory {
  if (!isRecord(value)) return forgotten;
  const { bounds, maximized, theme } = value;
  return {
    ...(isBounds(bounds) ? { bounds } : {}),
    maximized: maximized === true,
    theme: theme === 'light' || theme === 'dark' ? theme : 'system',
  };
}

/** The bounds, if enough of the title bar is on one of the screens to take hold of; screens come and go. */
export function reachableBounds(bounds: Bounds | undefined, screens: readonly Bounds[]): Bounds | undefined {
  if (!bounds) return undefined;
  const reachable = screens.some(
    (screen) =>
      bounds.x < screen.x + screen.width - 100 && bounds.x + bounds.width > screen.x + 100 &&
      bounds.y >= screen.y - 10 && bounds.y < screen.y + screen.height - 50,
  );
  return reachable ? { ...bounds, width: Math.max(bounds.width, smallest.width), height: Math.max(bounds.height, smallest.height) } : undefined;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;
const isBounds = (value: unknown): value is Bounds =>
  isRecord(value) && ['x', 'y', 'width', 'height'].every((key) => Number.isSafeInteger(value[key]) && Math.abs(Number(value[key])) < 100_000);

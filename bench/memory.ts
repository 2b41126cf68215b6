import type { Page } from '@playwright/test';
import { openWindow } from './electron-window.ts';
import type { Figure } from './figure.ts';
import { interleave, numberOf } from './interleave.ts';
import { memoryOf, settled, treeMemory } from './memory-of.ts';
import { appState, ask } from './page-bridge.ts';
import { appProgram, bareProgram, temporaryFolder } from './programs.ts';

/** Memory of all processes once the start has settled and no server runs; then what Notes adds when it is awake. */
export async function memory(): Promise<readonly Figure[]> {
  await using home = await temporaryFolder();
  await using bare = await temporaryFolder();
  const app = await appProgram(home.path);
  const window = await bareProgram(bare.path);
  const { subject, baseline } = await interleave(
    async () => {
      await using open = await openWindow(app);
      const asleep = await settled(() => treeMemory(open.pid));
      await wakeNotes(open.page);
      return { asleep, notes: await settled(() => memoryOf(open.pid, 'notes.js')) };
    },
    async () => {
      await using open = await openWindow(window);
      return { asleep: await settled(() => treeMemory(open.pid)) };
    },
  );
  const alone = numberOf(baseline, 'asleep');
  return [
    { name: 'memory', value: numberOf(subject, 'asleep'), baseline: alone, unit: 'MiB', goal: 1.5 },
    { name: 'memory-notes', value: numberOf(subject, 'notes'), baseline: alone, unit: 'MiB', goal: null },
  ];
}

async function wakeNotes(page: Page): Promise<void> {
  const notes = Object.values((await appState(page)).servers).find(({ definition }) => definition.name === 'Notes');
  if (!notes) throw new Error('the app has no Notes');
  await ask(page, 'servers.start', { serverId: notes.definition.id });
}

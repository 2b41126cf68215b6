import { openWindow, type ElectronProgram } from './electron-window.ts';
import type { Figure } from './figure.ts';
import { interleave, numberOf } from './interleave.ts';
import { appProgram, bareProgram, temporaryFolder } from './programs.ts';

/** From spawn to a window that takes keys, for the app and for a bare window. */
export async function launch(): Promise<readonly Figure[]> {
  await using home = await temporaryFolder();
  await using bare = await temporaryFolder();
  const app = await appProgram(home.path);
  const window = await bareProgram(bare.path);
  const once = async (program: ElectronProgram) => {
    await using open = await openWindow(program);
    return { ms: open.interactiveMs };
  };
  const { subject, baseline } = await interleave(() => once(app), () => once(window));
  return [{ name: 'launch', value: numberOf(subject, 'ms'), baseline: numberOf(baseline, 'ms'), unit: 'ms', goal: 1.5 }];
}

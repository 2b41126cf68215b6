import { api } from './api.ts';

/** Lets the person choose a folder and opens it as the project; false when they chose none. */
export async function openProject(): Promise<boolean> {
  const folder = await api.shell.chooseFolder();
  if (folder === undefined) return false;
  await api.settings.openProject({ folder });
  return true;
}

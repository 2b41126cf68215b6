import { fileSettings } from '../../shared/model/settings.ts';
import type { SettingsOfFiles } from '../settings/settings-store.ts';
import { isOwn, ownSettings, type ReadSource } from './config-sources.ts';

/** Two have other names in files. */
const fileNames: Readonly<Record<string, string>> = { statusFoot: 'mcpFooterStatus', statusIcon: 'showStatusIcon' };

/** By F-3: the settings of files merge shallowly. */
export function settingsOfFiles(read: readonly ReadSource[]): SettingsOfFiles {
  const said = fileSettings(ownSettings(read));
  const fileOf = (name: string) => read.findLast(({ source, parsed }) => isOwn(source) && Object.hasOwn(parsed.settings, fileNames[name] ?? name))?.source.label;
  return { said, files: Object.fromEntries(Object.entries(said).flatMap(([name, value]) => (value === undefined ? [] : [[name, fileOf(name)]]))) };
}

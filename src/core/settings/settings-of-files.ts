import { fileSettings, type FileSetting, type FileSettings } from '../../shared/model/settings.ts';
import { isOwn, ownSettings, type ReadSource } from '../servers/config-sources.ts';

/** What the person's own files say of settings (F-3), and for each that they say, the file with the last word. */
export interface SettingsOfFiles {
  readonly said: FileSettings;
  readonly files: Readonly<Partial<Record<FileSetting, string>>>;
}

/** Two have other names in files. */
const fileNames: Readonly<Record<string, string>> = { statusFoot: 'mcpFooterStatus', statusIcon: 'showStatusIcon' };

export function settingsOfFiles(read: readonly ReadSource[]): SettingsOfFiles {
  const said = fileSettings(ownSettings(read));
  const fileOf = (name: string) => read.findLast(({ source, parsed }) => isOwn(source) && Object.hasOwn(parsed.settings, fileNames[name] ?? name))?.source.label;
  return { said, files: Object.fromEntries(Object.entries(said).flatMap(([name, value]) => (value === undefined ? [] : [[name, fileOf(name)]]))) };
}

import { AppError } from '../../shared/errors.ts';
import { isProfileName } from '../../shared/text/profile-name.ts';

/**
 * H-16: a profile's name becomes a file's name. Empty, too long, with a separator, absolute, `..` or hidden is `request/invalid` on every door; a run that is
 * asked for such a profile does not begin.
 */
export function profileName(name: string): string {
  if (!isProfileName(name)) throw new AppError('request/invalid', `“${name.slice(0, 100)}” is no name of a profile`, { data: { field: 'name' } });
  return name;
}

export const profileEnding = '.toml';

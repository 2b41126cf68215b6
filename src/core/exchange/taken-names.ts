import type { ConfigScope } from '../../shared/model/config-value.ts';
import { definesTransport } from '../servers/merge.ts';
import type { ReadSource } from '../servers/config-sources.ts';

export interface TakenName {
  /** As it is written there. */
  readonly name: string;
  readonly builtIn: boolean;
}
export interface TakenNames {
  /** Whatever the case of its letters. */
  find(name: string): TakenName | undefined;
}

/**
 * Names that a scope has already (U-34). Other programs' files that only count through `imports` or discovery do not take a name: a copy of such a server in the
 * app's own file stands above it.
 */
export function takenNames(read: readonly ReadSource[], scope: ConfigScope): TakenNames {
  const taken = new Map<string, TakenName>();
  for (const { source, parsed } of read) {
    const builtIn = source.kind === 'built-in';
    if (source.kind === 'host' || source.kind === 'import' || (source.scope !== scope && !builtIn)) continue;
    const defined = parsed.entries.filter(({ fields }) => definesTransport(fields)).map(({ name }) => name);
    // An entry that cannot be used still stands there.
    const invalid = parsed.issues.flatMap(({ severity, server }) => (severity === 'error' && server !== undefined ? [server] : []));
    for (const name of [...defined, ...invalid]) taken.set(name.toLowerCase(), { name, builtIn });
  }
  return { find: (name) => taken.get(name.toLowerCase()) };
}

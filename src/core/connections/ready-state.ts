import type { ConnectionState, LaunchedPackage } from '../../shared/model/connection-state.ts';
import type { Link } from './link.ts';
import type { ConnectionPoolDeps } from './session.ts';

export type ReadyState = Extract<ConnectionState, { readonly phase: 'ready' }>;

/** What is told of a link that holds. What the server says of itself is masked, for it may quote what it was given. */
export function readyState(link: Link, since: number, stopsAt: number | undefined, { mask, packages }: Pick<ConnectionPoolDeps, 'mask' | 'packages'>): ReadyState {
  const { pid, era, protocolVersion, identity, package: launched } = link;
  const { title } = identity;
  const server = { name: mask(identity.name), version: mask(identity.version), ...(title === undefined ? {} : { title: mask(title) }) };
  return {
    phase: 'ready', since, protocolVersion, era, server,
    ...(pid === undefined ? {} : { pid }),
    ...(stopsAt === undefined ? {} : { stopsAt }),
    ...(launched === undefined ? {} : { package: { ...launched, ...(packages?.savedBytes === undefined ? {} : { savedBytes: packages.savedBytes }) } }),
  };
}

/** Nothing of it differs that changes while a link holds. */
export const looksSame = (a: ReadyState, b: ReadyState): boolean => a.stopsAt === b.stopsAt && savedBytes(a) === savedBytes(b);
const savedBytes = ({ package: launched }: { readonly package?: LaunchedPackage }): number | undefined => launched?.savedBytes;

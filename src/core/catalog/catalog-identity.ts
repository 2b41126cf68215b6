import type { ServerDefinition } from '../../shared/model/server-definition.ts';
import { hashOf } from '../kernel/hash.ts';

type Identified = Pick<ServerDefinition, 'transport' | 'options'>;

/**
 * What a remembered catalog is bound to (F-77): all that is launched or contacted and the filters. References and names of secrets count, their values never do; how long a
 * server lives, how long it may take and what it logs do not.
 */
export const configHash = ({ transport, options }: Identified): string =>
  hashOf({ ...reached({ transport, options }), exposeResources: options.exposeResources, include: options.includeTools, exclude: options.excludeTools });

/** Another server answers, or another side of it: what it listed says nothing any more. Filters bind what is listed and change none of it. */
export const sameServer = (a: Identified, b: Identified): boolean => hashOf(reached(a)) === hashOf(reached(b));

const reached = ({ transport, options: { auth, bearerToken, bearerTokenEnv } }: Identified) => ({ transport, auth, bearerToken, bearerTokenEnv });

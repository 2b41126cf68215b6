import type { Requests } from './define.ts';

/** The part of a contract that one door offers. Naming each route keeps the offer readable in one place. */
export function expose<R extends Requests, K extends keyof R & string>(contract: R, routes: readonly K[]): { readonly [P in K]: R[P] } {
  return Object.fromEntries(routes.map((route) => [route, contract[route]])) as { [P in K]: R[P] }; // every key of K is named in routes
}

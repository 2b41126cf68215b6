import type { ErrorCode } from '../errors.ts';

/** What is known of a resource since it is followed. */
export interface ResourceWatchState {
  /** `waiting`: for a connection. `unsupported`: the server announces no changes of resources. */
  readonly phase: 'waiting' | 'watching' | 'unsupported' | 'failed';
  /** How often the server said that it changed, or may have changed while nobody listened. */
  readonly changes: number;
  readonly changedAt?: number;
  readonly code?: ErrorCode;
}
export type ResourceWatchAction =
  | { readonly type: 'changed'; readonly at: number }
  | { readonly type: 'phase'; readonly phase: ResourceWatchState['phase']; readonly code?: ErrorCode };

export const newResourceWatch: ResourceWatchState = { phase: 'waiting', changes: 0 };

export function reduceResourceWatch(state: ResourceWatchState, action: ResourceWatchAction): ResourceWatchState {
  if (action.type === 'changed') return { ...state, changes: state.changes + 1, changedAt: action.at };
  const { code: _old, ...rest } = state;
  return { ...rest, phase: action.phase, ...(action.code === undefined ? {} : { code: action.code }) };
}

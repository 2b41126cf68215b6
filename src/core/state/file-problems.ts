import { AppError } from '../../shared/errors.ts';
import type { ConfigIssue } from '../../shared/model/source.ts';
import type { AppState, StateAction } from '../../shared/state/app-state.ts';
import type { TopicStore } from './topic-store.ts';

/** Problems of files, gathered over all of them. */
export function createProblems(state: TopicStore<AppState, StateAction>) {
  const byFile = new Map<string, readonly ConfigIssue[]>();
  const of = (file: string) => (found: readonly ConfigIssue[]) => {
    byFile.set(file, found);
    state.apply({ type: 'problems/set', problems: [...byFile.values()].flat() });
  };
  /** A file that cannot be understood is reported and left alone; the app goes on without it. */
  const watch = async (file: string, loading: Promise<void>) => {
    try {
      await loading;
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'config/invalid') throw error;
      of(file)([{ code: 'unparsable', severity: 'error', file, path: '', message: error.message }]);
    }
  };
  return { of, watch };
}

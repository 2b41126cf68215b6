import { create } from 'zustand';
import type { TestStatus } from '../../../shared/ipc/contract/probe.ts';
import { api, RequestError } from '../../bridge/api.ts';
import { describeError } from '../../bridge/errors.ts';
import type { DotState } from '../../ui/state-dot.tsx';
import { countText } from '../../ui/time.ts';

export type TestInput = Parameters<typeof api.servers.test>[0];
type TestRun =
  | { readonly phase: 'testing'; readonly of: unknown }
  | { readonly phase: 'done'; readonly of: unknown; readonly status: TestStatus; readonly message?: string; readonly tools?: number };

const useRuns = create<Readonly<Record<string, TestRun>>>(() => ({}));
/** The last test of a row. `of` is what was tested: when the row is something else by now, it is not tested. */
export const useTestRun = (key: string, of: unknown): TestRun | undefined => useRuns((runs) => (runs[key]?.of === of ? runs[key] : undefined));

/** Connects, lists tools and ends what it started. A failure to test is an error too: nothing else would be said on the row. */
export async function runTest(key: string, of: unknown, input: TestInput): Promise<void> {
  if (useRuns.getState()[key]?.phase === 'testing') return;
  useRuns.setState({ [key]: { phase: 'testing', of } });
  try {
    const { status, message, tools } = await api.servers.test(input);
    useRuns.setState({ [key]: { phase: 'done', of, status, ...(message === undefined ? {} : { message }), ...(tools === undefined ? {} : { tools }) } });
  } catch (thrown) {
    const { code, message } = RequestError.from(thrown);
    useRuns.setState({ [key]: { phase: 'done', of, status: 'error', message: `${describeError(code).what} ${message}`.trim() } });
  }
}

const statusWords: Readonly<Record<TestStatus, { readonly dot: DotState; readonly word: string }>> = {
  valid: { dot: 'working', word: 'Valid' },
  unreachable: { dot: 'trouble', word: 'Unreachable' },
  error: { dot: 'trouble', word: 'Error' },
};
export function testWords(run: TestRun | undefined): { readonly dot: DotState; readonly word: string } {
  if (run === undefined) return { dot: 'asleep', word: 'Not tested' };
  if (run.phase === 'testing') return { dot: 'busy', word: 'Testing…' };
  const { dot, word } = statusWords[run.status];
  return { dot, word: run.status === 'valid' && run.tools !== undefined ? `${word}, ${countText(run.tools, 'tool')}` : word };
}

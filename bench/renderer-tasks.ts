import type { Browser } from '@playwright/test';

export interface LongestTask {
  /** By the clock: what a person would feel. Milliseconds. */
  readonly wallMs: number;
  /** Of it, what the thread worked: on a busy machine a task also waits for its turn. Milliseconds. */
  readonly cpuMs: number;
}
interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly dur?: number;
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

const categories = ['toplevel', 'disabled-by-default-devtools.timeline'];
const taskNames = new Set(['RunTask', 'ThreadControllerImpl::RunTask']);

/** The longest tasks on the main thread of the window's page while `work` goes on, whatever they do: script, layout, paint. */
export async function longestTask(browser: Browser, work: () => Promise<void>): Promise<LongestTask> {
  const session = await browser.newBrowserCDPSession();
  const events: TraceEvent[] = [];
  // Chromium's trace format
  session.on('Tracing.dataCollected', ({ value }) => void events.push(...(value as unknown as readonly TraceEvent[])));
  await session.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig: { includedCategories: categories } });
  await work();
  const complete = new Promise<void>((resolve) => session.once('Tracing.tracingComplete', () => resolve()));
  await session.send('Tracing.end');
  await complete;
  await session.detach();
  const main = new Set(events.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain').map(threadOf));
  const tasks = events.filter((event) => event.ph === 'X' && taskNames.has(event.name) && main.has(threadOf(event)));
  if (tasks.length === 0) throw new Error('the trace holds no task of the page');
  const longest = (of: (event: TraceEvent) => number | undefined) =>
    tasks.reduce((most, event) => Math.max(most, of(event) ?? 0), 0) / 1_000;
  return { wallMs: longest(({ dur }) => dur), cpuMs: longest(({ tdur }) => tdur) };
}

const threadOf = ({ pid, tid }: TraceEvent): string => `${pid}/${tid}`;

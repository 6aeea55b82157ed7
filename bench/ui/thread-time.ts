// The processor time of a page's main thread, from Chromium's trace. Other programs delay a task,
// but hardly change its processor time.
import type { Page } from 'playwright-core';

/** The tasks of the main thread while something ran. */
export interface ThreadTime {
  /** Processor time of all tasks, in milliseconds. */
  readonly totalMs: number;
  /** How much longer the tasks took by the clock: 1 on a quiet machine. */
  readonly slowness: number;
  /** Processor time of each task of at least a millisecond, in milliseconds. */
  readonly tasksMs: readonly number[];
}

/** An event of the trace. In microseconds, `dur` is by the clock and `tdur` processor time. */
interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly dur?: number;
  readonly tdur?: number;
  readonly args: { readonly name?: string };
}

const threadOf = ({ pid, tid }: TraceEvent): string => `${pid}:${tid}`;

/** Sums the tasks by main thread. The page is the one that worked most; others are idle. */
function sumTasks(events: readonly TraceEvent[]): ThreadTime {
  const mains = new Set(
    events
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map(threadOf),
  );
  const tasks = Map.groupBy(
    events.filter(
      (event) =>
        event.name === 'ThreadControllerImpl::RunTask' &&
        event.ph === 'X' &&
        mains.has(threadOf(event)),
    ),
    threadOf,
  );
  const times = [...tasks.values()].map((ofThread) => {
    const all = ofThread.map(({ tdur = 0 }) => tdur / 1000);
    const totalMs = all.reduce((sum, ms) => sum + ms, 0);
    const clockMs = ofThread.reduce((sum, { dur = 0 }) => sum + dur / 1000, 0);
    const slowness = Math.max(1, clockMs / Math.max(1, totalMs));
    return { totalMs, slowness, tasksMs: all.filter((ms) => ms >= 1) };
  });
  const none = { totalMs: 0, slowness: 1, tasksMs: [] };
  return times.toSorted((a, b) => b.totalMs - a.totalMs)[0] ?? none;
}

/** Runs something in a page, and measures its main thread meanwhile. */
export async function measureThread<Result>(
  page: Page,
  run: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly time: ThreadTime }> {
  const session = await page.context().newCDPSession(page);
  const events: TraceEvent[] = [];
  session.on('Tracing.dataCollected', ({ value }) => {
    for (const event of value) events.push(event as unknown as TraceEvent);
  });
  const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['toplevel'], excludedCategories: ['*'] },
  });
  const result = await run();
  await session.send('Tracing.end');
  await complete;
  await session.detach();
  return { result, time: sumTasks(events) };
}

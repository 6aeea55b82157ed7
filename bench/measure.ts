// Measurements of the benchmark: medians, percentiles, private memory of a process, latency under
// an open loop.
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

/** The value below which a share (0 to 1) of the values lie. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Private memory of a process in MB: RssAnon, without shared files. Linux only. */
export function readPrivateMegabytes(pid: number): number {
  const line = /RssAnon:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(line?.[1] ?? Number.NaN) / 1024;
}

/** The CPU time in a file "stat" of Linux, in seconds, and the name of its process or thread. */
function readStat(path: string): { readonly name: string; readonly seconds: number } {
  const [, name = '', rest = ''] = /\((.*)\) (.*)/s.exec(readFileSync(path, 'utf8')) ?? [];
  const fields = rest.split(' ');
  // utime and stime, in ticks of 10 ms.
  return { name, seconds: (Number(fields[11]) + Number(fields[12])) / 100 };
}

/** CPU time that a process has used since its start, in seconds: all of its threads. Linux only. */
export const readCpuSeconds = (pid: number): number => readStat(`/proc/${pid}/stat`).seconds;

/** The same by the name of the threads that run now; a thread that has ended is in none. */
export function readThreadSeconds(pid: number): ReadonlyMap<string, number> {
  const seconds = new Map<string, number>();
  for (const thread of readdirSync(`/proc/${pid}/task`))
    try {
      const { name, seconds: own } = readStat(`/proc/${pid}/task/${thread}/stat`);
      seconds.set(name, (seconds.get(name) ?? 0) + own);
    } catch (error) {
      // It has ended since the threads were listed.
      if (!/^(ENOENT|ESRCH)$/.test(String((error as NodeJS.ErrnoException).code))) throw error;
    }
  return seconds;
}

/** CPU time by the name of a thread, in any unit. */
type ThreadCosts = ReadonlyMap<string, number>;

/** CPU time of each thread of a process during work, in µs for one of `count`; those that last. */
export async function measureThreads(
  pid: number,
  count: number,
  work: () => Promise<unknown>,
): Promise<ThreadCosts> {
  const before = readThreadSeconds(pid);
  await work();
  return new Map(
    [...readThreadSeconds(pid)].map(([name, seconds]) => [
      name,
      ((seconds - (before.get(name) ?? 0)) * 1e6) / count,
    ]),
  );
}

/** The CPU time of the threads that match, and of V8's collector and compiler. */
export const sumMatching = (costs: ThreadCosts): number =>
  (costs.get('match-thread') ?? 0) + (costs.get('V8Worker') ?? 0);

/** Costs as words, the largest first, without the least. */
export const describeThreads = (costs: ThreadCosts, unit: string, least = 0.5): string =>
  [...costs]
    .filter(([, cost]) => cost >= least)
    .sort(([, one], [, other]) => other - one)
    .map(([name, cost]) => `${name} ${cost.toFixed(1)} ${unit}`)
    .join(', ');

/** Samples a process's private memory until `stop`, which returns the maximum in MB. */
export function watchMemory(pid: number): { stop(): number } {
  let highest = 0;
  const timer = setInterval(() => {
    highest = Math.max(highest, readPrivateMegabytes(pid));
  }, 50);
  return {
    stop() {
      clearInterval(timer);
      return highest;
    },
  };
}

/** Latencies in ms of requests sent on schedule, each counted from its scheduled time. */
export interface OpenLoop {
  readonly latencies: readonly number[];
  stop(): Promise<void>;
}

/** Sends requests at a steady rate, whether or not earlier ones were answered. */
export function startOpenLoop(ratePerSecond: number, send: () => Promise<unknown>): OpenLoop {
  const latencies: number[] = [];
  const startedAt = performance.now();
  const under = new Set<Promise<unknown>>();
  let sent = 0;
  const timer = setInterval(() => {
    while ((sent * 1000) / ratePerSecond <= performance.now() - startedAt) {
      const scheduled = startedAt + (sent * 1000) / ratePerSecond;
      sent += 1;
      const one: Promise<unknown> = send()
        .then(() => latencies.push(performance.now() - scheduled))
        .finally(() => under.delete(one));
      under.add(one);
    }
  }, 1);
  return {
    latencies,
    async stop() {
      clearInterval(timer);
      await Promise.allSettled(under);
    },
  };
}

/** Runs an open loop for a while; returns its p50 and p99 in ms. */
export async function measureLatency(
  ratePerSecond: number,
  durationMs: number,
  send: () => Promise<unknown>,
): Promise<{ p50: number; p99: number }> {
  const loop = startOpenLoop(ratePerSecond, send);
  await wait(durationMs);
  await loop.stop();
  return { p50: percentile(loop.latencies, 0.5), p99: percentile(loop.latencies, 0.99) };
}

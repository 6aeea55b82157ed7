// Shows the jobs of the engine on the taskbar or dock, and notifies of ends without a window.
import { setTimeout as wait } from 'node:timers/promises';
import { Notification } from 'electron';
import { z } from 'zod';
import { jobWatchRetryMs, longJobMs } from '../../engine/contract/limits/platform.ts';
import type { EngineProcess } from '../engine-process.ts';
import type { EngineAddress } from '../engine-proxy.ts';
import { findWindow } from '../window.ts';

const JobEventSchema = z.object({
  type: z.literal('job'),
  job: z.object({
    job_id: z.string(),
    status: z.string(),
    title: z.string().nullish(),
    total_rows: z.number(),
    processed_rows: z.number(),
    enriched_rows: z.number(),
    created_at: z.string(),
    completed_at: z.string().nullish(),
  }),
});
type WatchedJob = z.infer<typeof JobEventSchema>['job'];

interface JobEnd {
  readonly title: string;
  readonly body: string;
}

const isOpen = ({ status }: WatchedJob): boolean => status === 'queued' || status === 'running';

export class RunningJobs {
  readonly #jobs = new Map<string, WatchedJob>();

  /** From 0 to 1; null while no job runs. */
  get progress(): number | null {
    const jobs = [...this.#jobs.values()];
    const total = jobs.reduce((sum, { total_rows: rows }) => sum + rows, 0);
    const done = jobs.reduce((sum, { processed_rows: rows }) => sum + rows, 0);
    return total === 0 ? null : Math.min(1, done / total);
  }

  /** Takes an event of the engine. Returns the end of a long job, or null. */
  take(event: unknown): JobEnd | null {
    const { data } = JobEventSchema.safeParse(event);
    if (!data) return null;
    const { job } = data;
    if (isOpen(job)) {
      this.#jobs.set(job.job_id, job);
      return null;
    }
    this.#jobs.delete(job.job_id);
    const tookMs = Date.parse(job.completed_at ?? job.created_at) - Date.parse(job.created_at);
    if (tookMs < longJobMs) return null;
    const rows = `${job.enriched_rows} of ${job.total_rows} rows enriched`;
    return {
      title: `${job.title || 'Untitled job'}: ${job.status}`.slice(0, 200),
      body: job.status === 'completed' ? `${rows}.` : 'Nothing was charged.',
    };
  }

  clear(): void {
    this.#jobs.clear();
  }
}

/** The data of the complete events in a text, and the rest of it. */
export function splitEvents(text: string): { events: unknown[]; rest: string } {
  const parts = text.split('\n\n');
  const rest = parts.pop() ?? '';
  const events = parts.flatMap((part) => {
    const lines = part.split('\n').filter((line) => line.startsWith('data:'));
    const data = lines.map((line) => line.slice(5).trim()).join('\n');
    try {
      return data === '' ? [] : [JSON.parse(data) as unknown];
    } catch {
      return [];
    }
  });
  return { events, rest };
}

async function readStream(
  { url, token }: EngineAddress,
  onEvent: (event: unknown) => void,
  signal: AbortSignal,
): Promise<void> {
  const headers = { 'x-desk-session': token };
  const answer = await fetch(new URL('/app/v1/events', url), { headers, signal });
  if (!answer.body) return;
  let text = '';
  for await (const chunk of answer.body.pipeThrough(new TextDecoderStream())) {
    const { events, rest } = splitEvents(text + chunk);
    text = rest;
    for (const event of events) onEvent(event);
  }
}

/** Reads the engine's events until `signal` is aborted; connects again after an interruption. */
export async function watchEvents(
  address: EngineAddress,
  onEvent: (event: unknown) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await readStream(address, onEvent, signal).catch(() => undefined);
    await wait(jobWatchRetryMs, undefined, { signal, ref: false }).catch(() => undefined);
  }
}

export function followJobs(engine: EngineProcess, show: () => void): void {
  const jobs = new RunningJobs();
  let watching: AbortController | null = null;
  // Below 0 there is no bar.
  const showProgress = () => findWindow()?.setProgressBar(jobs.progress ?? -1);
  const take = (event: unknown) => {
    const end = jobs.take(event);
    showProgress();
    if (!end || findWindow() || !Notification.isSupported()) return;
    const notification = new Notification({ title: end.title, body: end.body });
    notification.on('click', show);
    notification.show();
  };
  engine.onChange((state) => {
    watching?.abort();
    watching = null;
    jobs.clear();
    showProgress();
    if (state.name !== 'ready') return;
    watching = new AbortController();
    void watchEvents(state, take, watching.signal);
  });
}

// Reads the engine's event stream with fetch, applies its events to the query cache, and reconnects
// when it ends. Loads after the first screen.
import type { QueryClient } from '@tanstack/react-query';
import type { AppState } from '../../engine/contract/engine.ts';
import { type AppEvent, AppEventSchema } from '../../engine/contract/events.ts';
import type { StatusData } from '../../engine/contract/jobs/job.ts';
import type { MonitorJob } from '../../engine/contract/monitors/career-monitor.ts';
import type { Pipeline } from '../../engine/contract/pipelines/pipeline.ts';
import type { PipelineProgress } from '../../engine/contract/pipelines/pipeline-progress.ts';
import { notifyInBackground, notifyOfEnd } from '../preferences/notifications.ts';
import { sessionHeaders } from './client.ts';
import { cacheEvent, invalidate } from './query-cache.ts';

export interface JobPulse {
  readonly status: StatusData['status'];
  readonly rowsPerSecond: number;
  readonly secondsLeft: number | null;
  readonly chargedSoFar: string;
}

const jobLists = ['jobs', 'job-list', 'job-queue'] as const;

function applyEvent(client: QueryClient, event: AppEvent): void {
  const patchState = (patch: Partial<AppState>) => {
    const state = client.getQueryData<AppState>(['state']);
    // The event has only a part of the state. A request that it cancels may be about another part.
    const wasFetching = client.isFetching({ queryKey: ['state'] }) > 0;
    if (state) cacheEvent(client, ['state'], { ...state, ...patch });
    if (!state || wasFetching) void invalidate(client, 'state');
  };
  switch (event.type) {
    case 'job':
      applyJob(client, event);
      return;
    case 'jobs':
      void invalidate(client, ...jobLists, 'job', 'state');
      return;
    case 'wallet':
      cacheEvent(client, ['wallet'], event.wallet);
      void invalidate(client, 'wallet-lines', 'wallet-entries', 'spend', 'keys');
      patchState({ wallet: event.wallet });
      return;
    case 'directory':
      cacheEvent(client, ['directory'], event.directory);
      void invalidate(client, 'estimate');
      // Refetch: responses during the index build came from the previous index.
      void invalidate(client, 'found-people', 'search-values', 'duplicates');
      // Rows have what own lists say of them now.
      void invalidate(client, 'rows', 'header', 'record-ids');
      patchState({ directory: event.directory });
      return;
    case 'task':
      cacheEvent(client, ['task', event.progress.task], event.progress);
      return;
    case 'import':
      cacheEvent(client, ['task', 'import'], null);
      cacheEvent(client, ['import-report'], event.report);
      void invalidate(client, 'directory', 'state');
      return;
    case 'assistants':
      void invalidate(client, 'assistants');
      return;
    case 'duplicates':
      cacheEvent(client, ['task', 'duplicates'], null);
      void invalidate(client, 'duplicates');
      return;
    case 'authorizations':
      void invalidate(client, 'authorizations', 'connections');
      return;
    case 'suppression':
      // Whatever is shown of people may be suppressed now.
      void client.invalidateQueries();
      return;
    case 'read-only':
      patchState({ read_only: event.read_only });
      return;
    case 'retention':
      void invalidate(client, 'retention', 'retention-preview');
      return;
    case 'pipeline':
      applyPipelineEvent(client, event);
      return;
    default:
      applyMonitorEvent(client, event);
  }
}

/** Null: `undefined` would leave what was said before. */
const noteWait = (client: QueryClient, id: string | number, waiting: string | null = null) =>
  client.setQueryData<string | null>(['waiting', id], waiting);

function applyJob(client: QueryClient, event: Extract<AppEvent, { type: 'job' }>): void {
  const { job } = event;
  // Not the cached job: a poll may have been faster than this event.
  const before = client.getQueryData<JobPulse>(['pulse', job.job_id]);
  client.setQueryData<JobPulse>(['pulse', job.job_id], {
    status: job.status,
    rowsPerSecond: event.rows_per_second,
    secondsLeft: event.seconds_left,
    chargedSoFar: event.charged_so_far,
  });
  noteWait(client, job.job_id, event.waiting);
  cacheEvent(client, ['job', job.job_id], job);
  if (before?.status === job.status) return;
  void invalidate(client, ...jobLists, 'state');
  if (before) notifyOfEnd(job);
}

function applyPipelineEvent(
  client: QueryClient,
  { pipeline, progress, waiting }: Extract<AppEvent, { type: 'pipeline' }>,
): void {
  const { pipeline_id: id } = pipeline;
  noteWait(client, id, waiting);
  const before = client.getQueryData<Pipeline>(['pipeline', id]);
  cacheEvent(client, ['pipeline', id], pipeline);
  cacheEvent<PipelineProgress>(client, ['pipeline-progress', id], progress);
  if (before?.status === pipeline.status) return;
  void invalidate(client, 'pipelines');
  if (before && !before.ready && pipeline.ready)
    notifyInBackground(
      `${pipeline.title || 'Emails and phones'} ${pipeline.status}`,
      `${pipeline.unlocked} of ${pipeline.total} contacts shown`,
      `/directory/contacts/${pipeline.pipeline_id}`,
    );
}

const hasEnded = ({ status }: MonitorJob) => status === 'Completed' || status === 'Failed';

function applyMonitorEvent(
  client: QueryClient,
  event: Extract<AppEvent, { type: 'monitor-job' | 'monitors' }>,
): void {
  if (event.type === 'monitor-job') {
    const { job, waiting } = event;
    noteWait(client, job.job_id, waiting);
    const before = client.getQueryData<MonitorJob>(['monitor-job', job.job_id]);
    cacheEvent(client, ['monitor-job', job.job_id], job);
    const isSame =
      before?.status === job.status && before.credit_charge_failed === job.credit_charge_failed;
    if (isSame) return;
    if (before && hasEnded(job) && !hasEnded(before)) {
      const news = job.counts.changed + job.counts.left;
      notifyInBackground(
        `${job.title || 'Monitor'} was checked`,
        `${news} contacts changed or left`,
        `/monitors/jobs/${job.job_id}`,
      );
    }
    void invalidate(client, 'monitor-jobs');
  }
  void invalidate(client, 'monitors', 'monitor');
}

const retryDelayMsMax = 5_000;

/** Splits a stream of text into the payloads of its `data:` lines. */
async function* readPayloads(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of body as ReadableStream<Uint8Array> & AsyncIterable<Uint8Array>) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.startsWith('data:')) yield line.slice(5).trim();
  }
}

/** Returns a function that disconnects. `onLive` gets false when the page must poll. */
export function listenToEvents(client: QueryClient, onLive: (live: boolean) => void): () => void {
  const stop = new AbortController();
  let retryDelayMs = 250;
  const listenOnce = async () => {
    const response = await fetch('/app/v1/events', {
      headers: { ...sessionHeaders(), accept: 'text/event-stream' },
      signal: stop.signal,
      cache: 'no-store',
    });
    if (!response.ok || !response.body) return;
    retryDelayMs = 250;
    onLive(true);
    for await (const payload of readPayloads(response.body)) {
      const event = AppEventSchema.safeParse(JSON.parse(payload));
      if (event.success) applyEvent(client, event.data);
    }
  };
  const listen = () =>
    void listenOnce()
      .catch(() => undefined)
      .finally(() => {
        if (stop.signal.aborted) return;
        onLive(false);
        setTimeout(listen, retryDelayMs);
        retryDelayMs = Math.min(retryDelayMs * 2, retryDelayMsMax);
      });
  listen();
  return () => stop.abort();
}

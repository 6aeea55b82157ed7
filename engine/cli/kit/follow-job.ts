/** Waits for the end of a job with its progress, then writes its CSV and a summary. */
import { basename } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { ExportAnswerSchema } from '../../contract/jobs/app-jobs.ts';
import { CancelDataSchema, type StatusData, StatusDataSchema } from '../../contract/jobs/job.ts';
import { type JobProviders, JobProvidersSchema } from '../../contract/providers.ts';
import { type Call, type Outcome, quoteWord, repeatOptions } from './command.ts';
import { describeJobProviders } from './describe-order.ts';
import type { EngineClient } from './engine-client.ts';
import { formatAmount, formatCount, formatNumber } from './format-text.ts';
import { createProgress } from './progress.ts';
import { exitCodes } from './refusal.ts';
import { showTasks } from './task-progress.ts';

/** The interval doubles from one to the other: short jobs end promptly, long ones poll rarely. */
const pollIntervalMinMs = 50;
const pollIntervalMaxMs = 500;

const readStatus = (engine: EngineClient, jobId: string): Promise<StatusData> =>
  engine.request(StatusDataSchema, 'GET', `jobs/${jobId}`);

/** What the job does, for its progress. */
function describeStep(job: StatusData): string {
  if (job.status === 'queued') return 'Waiting';
  const { waiting_rows: waiting, waiting_since: since } = job;
  if (since === null || waiting === 0) return 'Enriching';
  const time = new Date(since).toTimeString().slice(0, 5);
  const verb = waiting === 1 ? 'waits' : 'wait';
  return `No network since ${time}, ${formatNumber(waiting, 'row')} ${verb} for it`;
}

/** The job's status at its end, or when the signal was aborted. */
async function waitForEnd(
  call: Call,
  engine: EngineClient,
  jobId: string,
  interrupt: AbortSignal,
): Promise<StatusData> {
  const progress = createProgress(call.terminal);
  let intervalMs = pollIntervalMinMs;
  try {
    for (;;) {
      const job = await readStatus(engine, jobId);
      const { total_rows: total } = job;
      // Rows that wait for the network are done again.
      const done = job.processed_rows - job.waiting_rows;
      progress.show({ label: describeStep(job), done, total, unit: 'rows' });
      if (job.ready || interrupt.aborted) return job;
      // Only Ctrl+C rejects, and the loop checks for it.
      await wait(intervalMs, undefined, { signal: interrupt }).catch(() => {});
      intervalMs = Math.min(intervalMs * 2, pollIntervalMaxMs);
    }
  } finally {
    progress.end();
  }
}

function summarize(job: StatusData, outPath: string | null, providers: JobProviders = []) {
  return {
    job_id: job.job_id,
    status: job.status,
    total_rows: job.total_rows,
    enriched_rows: job.enriched_rows,
    skipped_rows: job.skipped_rows,
    failed_rows: job.failed_rows,
    waiting_rows: job.waiting_rows,
    duplicate_rows: job.duplicate_rows,
    paid_before_rows: job.paid_before_rows,
    known_rows: job.known_rows,
    credits_charged: job.credits_charged,
    out: outPath,
    providers,
  };
}

/** The command that waits for a job and writes its CSV. */
const resumeLine = (call: Call, jobId: string, outPath: string): string =>
  `desk enrich --resume ${jobId} --out ${quoteWord(outPath)}${repeatOptions(call)}`;

/** The rows that were free because their person was answered before; '' if there are none. */
function describeRepeats(job: StatusData): string {
  const counts: [number, string][] = [
    [job.duplicate_rows, 'repeating an earlier row'],
    [job.paid_before_rows, 'paid for before'],
    [job.known_rows, 'known from the earlier job'],
  ];
  return counts
    .flatMap(([count, words]) => (count > 0 ? `, ${formatCount(count)} ${words}` : []))
    .join('');
}

async function writeResult(
  call: Call,
  engine: EngineClient,
  job: StatusData,
  outPath: string,
  spent: JobProviders,
): Promise<Outcome> {
  try {
    await showTasks(call.terminal, engine, { export: `Writing ${basename(outPath)}` }, () =>
      engine.request(ExportAnswerSchema, 'POST', `jobs/${job.job_id}/export`, { path: outPath }),
    );
  } catch (error) {
    call.terminal.note(
      'The job is done and charged, but its CSV is not written. Fix the following problem, then ' +
        `run: ${resumeLine(call, job.job_id, outPath)}`,
    );
    throw error;
  }
  const rest =
    `${formatCount(job.skipped_rows)} skipped, ` +
    `${formatCount(job.failed_rows)} failed${describeRepeats(job)}`;
  if (job.waiting_rows > 0)
    call.terminal.note(
      `${formatNumber(job.waiting_rows, 'row')} could not be sent to the data services, because ` +
        'this machine had no network.',
    );
  return {
    json: summarize(job, outPath, spent),
    lines: [
      `${formatCount(job.enriched_rows)} of ${formatNumber(job.total_rows, 'row')} enriched ` +
        `(${rest}), ${formatAmount(job.credits_charged)} credits charged: ${outPath}`,
    ],
  };
}

/** The outcome of a job without a CSV. */
function endWithout(job: StatusData, spent: JobProviders = []): Outcome {
  const why =
    job.status === 'failed'
      ? `The job failed (${job.error}): ${job.error_detail ?? 'no more is known'} ` +
        `Its credits are released. Retry it in the app, or run enrich again.`
      : 'The job was cancelled. Its credits are released.';
  return { exitCode: exitCodes.failed, json: summarize(job, null, spent), lines: [why] };
}

/** After Ctrl+C: offers to cancel the job, else names the command that resumes it. */
async function leaveJob(
  call: Call,
  engine: EngineClient,
  job: StatusData,
  outPath: string,
): Promise<Outcome> {
  const { terminal } = call;
  if (terminal.isInteractive && (await terminal.ask('Cancel the job and release its credits?'))) {
    await engine.request(CancelDataSchema, 'POST', `jobs/${job.job_id}/cancel`);
    return endWithout(await readStatus(engine, job.job_id));
  }
  const where = engine.isOwn
    ? 'The current batch finishes. The job continues whenever an engine runs on this folder.'
    : 'The job continues in the running engine.';
  return {
    exitCode: exitCodes.failed,
    json: summarize(job, null),
    lines: [where, `For its CSV: ${resumeLine(call, job.job_id, outPath)}`],
  };
}

/** Waits for a job and writes its CSV. On Ctrl+C the job is cancelled, or continues. */
export async function followJob(
  call: Call,
  engine: EngineClient,
  jobId: string,
  outPath: string,
): Promise<Outcome> {
  const job = await waitForEnd(call, engine, jobId, call.catchInterrupt());
  if (!job.ready) return leaveJob(call, engine, job, outPath);
  const spent = await engine.request(JobProvidersSchema, 'GET', `jobs/${jobId}/providers`);
  for (const line of describeJobProviders(spent)) call.terminal.note(line);
  if (job.status !== 'completed') return endWithout(job, spent);
  return writeResult(call, engine, job, outPath, spent);
}

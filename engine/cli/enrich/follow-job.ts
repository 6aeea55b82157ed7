// Waits for the end of a job with its progress, then writes its file and a summary.
import { basename } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { EngineError } from '../../contract/errors.ts';
import type { CrmExport } from '../../contract/exports/crm-export.ts';
import { describeRecords, explainNoIds } from '../../contract/exports/crm-presets.ts';
import { type JobExportAnswer, jobExports } from '../../contract/exports/job-exports.ts';
import { jobRows } from '../../contract/jobs/app-jobs.ts';
import { jobs, type StatusData } from '../../contract/jobs/job.ts';
import type { JobProviders } from '../../contract/providers.ts';
import { type Call, type Outcome, quoteWord, readOption, repeatOptions } from '../kit/command.ts';
import { describeJobProviders } from '../kit/describe-order.ts';
import type { EngineClient } from '../kit/engine-client.ts';
import { formatCount, formatCreditCount, formatNumber } from '../kit/format-text.ts';
import { createProgress } from '../kit/progress.ts';
import { readFormat } from '../kit/read-paths.ts';
import { exitCodes } from '../kit/refusal.ts';
import { showTasks } from '../kit/task-progress.ts';
import { describeDiff, summarizeDiff } from './describe-diff.ts';
import type { ResultFile } from './enrich-order.ts';
import { presetOptions } from './read-preset.ts';

/** What a job does. @param services those that have not answered some of its rows */
export function describeStep(job: StatusData, services: readonly string[]): string {
  if (job.status === 'queued') return 'Waiting';
  const { waiting_rows: waiting, waiting_since: since, unanswered_rows: open } = job;
  if (open > 0) {
    const names = services.length > 0 ? services.join(', ') : 'data services';
    return `Enriching, ${formatNumber(open, 'row')} ${open === 1 ? 'waits' : 'wait'} for ${names}`;
  }
  if (since === null || waiting === 0) return 'Enriching';
  const time = new Date(since).toTimeString().slice(0, 5);
  const verb = waiting === 1 ? 'waits' : 'wait';
  const rows = `${formatNumber(waiting, 'row')} ${verb}`;
  if (job.waiting_reason === 'no_worker')
    return `No worker of the team’s directory has answered since ${time}, ${rows} for one`;
  return job.waiting_reason === 'no_team_directory'
    ? `The team’s directory has not answered since ${time}, ${rows} for it`
    : `No connection since ${time}, ${rows} for it`;
}

/** The interval doubles from one to the other: short jobs end promptly, long ones poll rarely. */
const pollIntervalMinMs = 50;
const pollIntervalMaxMs = 500;

const readStatus = (engine: EngineClient, jobId: string): Promise<StatusData> =>
  engine.ask(jobs.status, { job_id: jobId });

/** The services that have not answered rows of a job; none if no row waits. */
export async function listUnanswered(engine: EngineClient, job: StatusData): Promise<string[]> {
  if (job.unanswered_rows === 0) return [];
  const spent = await engine.ask(jobRows.providers, { job_id: job.job_id });
  return spent.flatMap(({ provider, rows_open: rows }) => (rows > 0 ? provider : []));
}

async function waitForEnd(
  call: Call,
  engine: EngineClient,
  jobId: string,
  interrupt: AbortSignal,
  goOn: string,
): Promise<StatusData> {
  const progress = createProgress(call.terminal);
  let intervalMs = pollIntervalMinMs;
  let told: StatusData['waiting_reason'] = null;
  try {
    for (;;) {
      const job = await readStatus(engine, jobId);
      const { total_rows: total } = job;
      if (job.waiting_reason !== null && !job.ready && job.waiting_reason !== told) {
        told = job.waiting_reason;
        call.terminal.note(`${waits[told]} To continue without them: ${goOn}`);
      }
      // Rows that wait for the network or a slow service are done again.
      const done = job.processed_rows - job.waiting_rows - job.unanswered_rows;
      const label = describeStep(job, await listUnanswered(engine, job));
      progress.show({ label, done, total, unit: 'rows' });
      if (job.ready || interrupt.aborted) return job;
      // Only Ctrl+C rejects, and the loop checks for it.
      await wait(intervalMs, undefined, { signal: interrupt }).catch(() => {});
      intervalMs = Math.min(intervalMs * 2, pollIntervalMaxMs);
    }
  } finally {
    progress.end();
  }
}

const waits: Readonly<Record<NonNullable<StatusData['waiting_reason']>, string>> = {
  no_connection: 'Data services cannot be reached. The job continues when they can be.',
  no_team_directory:
    'The team’s directory cannot be reached. The job continues when it can be. To see why: desk ' +
    'shared test.',
  no_worker:
    'No worker of the team’s directory answers. The job continues when one does. Start one on ' +
    'any machine of the team: desk shared worker.',
};

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

export function resumeLine(call: Call, jobId: string, file: ResultFile): string {
  const rules = readOption(call, 'overwrite');
  const overwrite = rules === undefined ? '' : ` --overwrite ${quoteWord(call.resolvePath(rules))}`;
  const others = ['preset', ...presetOptions].map((name) => {
    const value = (name === 'new-people' && file.newPeoplePath) || readOption(call, name);
    return value === undefined ? '' : ` --${name} ${quoteWord(value)}`;
  });
  const flags = ['list-columns', 'own-lists', 'sources'].map((name) =>
    name in call.values ? ` --${name}` : '',
  );
  const options = `--out ${quoteWord(file.outPath)}${overwrite}${[...others, ...flags].join('')}`;
  return `desk enrich --resume ${jobId} ${options}${repeatOptions(call)}`;
}

const rerunLine = (call: Call, jobId: string, rows = ''): string =>
  `desk jobs rerun ${jobId}${rows}${repeatOptions(call)}`;

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

function describeFile(
  call: Call,
  { job_id: jobId }: StatusData,
  file: ResultFile,
  { rows, records, suppressed }: JobExportAnswer,
  newPeople: JobExportAnswer | null,
  noIds: string | null,
): string[] {
  if (records === null) {
    const words = `${formatNumber(suppressed, 'row')} of suppressed people`;
    return suppressed > 0 ? [`${words}: all cells are empty in ${file.outPath}.`] : [];
  }
  const ofNew = file.preset?.records === 'known' ? ` ${describeNew(newPeople)}` : '';
  return [
    `${formatNumber(rows, 'record')} in ${file.outPath}.`,
    describeRecords(records, formatCount, ofNew),
    ...(noIds === null ? [] : [`  ${noIds}, or name its list with --id-list, and write again.`]),
    ...(records.waiting > 0
      ? [
          `  to decide about the rows that wait: desk review ${jobId} --out review.csv` +
            repeatOptions(call),
          `  then write the file again: ${resumeLine(call, jobId, file)}`,
        ]
      : []),
  ];
}

/** Why no row of a preset that found the ids itself has one; null if a list has ids. */
async function findNoIds(
  engine: EngineClient,
  jobId: string,
  preset: CrmExport | null,
): Promise<string | null> {
  if (!preset || preset.id_list !== undefined || preset.record_id !== undefined) return null;
  return explainNoIds(preset.crm, await engine.ask(jobExports.recordIds, { job_id: jobId }));
}

const describeNew = (newPeople: JobExportAnswer | null): string =>
  newPeople === null ? 'in no file' : `in ${newPeople.path}`;

async function writeResult(
  call: Call,
  engine: EngineClient,
  job: StatusData,
  file: ResultFile,
  spent: JobProviders,
): Promise<Outcome> {
  const { outPath, overwrite, preset, newPeoplePath, ownLists, hasSources } = file;
  const write = (path: string, chosen: CrmExport | null): Promise<JobExportAnswer> =>
    showTasks(call.terminal, engine, { export: `Writing ${basename(path)}` }, () =>
      engine.ask(jobExports.write, {
        job_id: job.job_id,
        path,
        format: readFormat(path),
        sources: hasSources,
        own_lists: ownLists,
        overwrite: overwrite ?? undefined,
        preset: chosen ?? undefined,
      }),
    );
  let written: JobExportAnswer;
  let newPeople: JobExportAnswer | null = null;
  try {
    written = await write(outPath, preset);
    if (preset && newPeoplePath !== null)
      newPeople = await write(newPeoplePath, { ...preset, records: 'new' });
  } catch (error) {
    call.terminal.note(
      'The job is done and charged, but its file is not written. Fix the following problem, then ' +
        `run: ${resumeLine(call, job.job_id, file)}`,
    );
    throw error;
  }
  const { diff } = written;
  if (diff) for (const line of describeDiff(diff)) call.terminal.note(line);
  const noIds = await findNoIds(engine, job.job_id, preset);
  for (const line of describeFile(call, job, file, written, newPeople, noIds))
    call.terminal.note(line);
  const rest =
    `${formatCount(job.skipped_rows)} skipped, ` +
    `${formatCount(job.failed_rows)} failed${describeRepeats(job)}`;
  if (job.waiting_rows > 0)
    call.terminal.note(
      job.waiting_reason === 'no_connection'
        ? `${formatNumber(job.waiting_rows, 'row')} could not be sent to the data services, ` +
            'because they could not be reached.'
        : `${formatNumber(job.waiting_rows, 'row')} were not looked up in the team’s directory, ` +
            `because ${job.waiting_reason === 'no_worker' ? 'no worker' : 'no server'} answered.`,
    );
  if (job.failed_rows > 0)
    call.terminal.note(
      'To run the failed rows again as a new job: ' + rerunLine(call, job.job_id, ' --rows failed'),
    );
  return {
    json: {
      ...summarize(job, outPath, spent),
      ...(diff ? { diff } : {}),
      ...(written.records ? { rows_written: written.rows, records: written.records } : {}),
      ...(written.suppressed > 0 ? { suppressed_rows: written.suppressed } : {}),
      ...(newPeople ? { new_people: newPeople.path, new_people_rows: newPeople.rows } : {}),
    },
    lines: [
      `Job ${job.job_id}`,
      `${formatCount(job.enriched_rows)} of ${formatNumber(job.total_rows, 'row')} enriched ` +
        `(${rest}), ${formatCreditCount(job.credits_charged)} charged` +
        `${diff ? `, ${summarizeDiff(diff)}` : ''}: ${outPath}`,
    ],
  };
}

function endWithout(call: Call, job: StatusData, spent: JobProviders = []): Outcome {
  const why =
    job.status === 'failed'
      ? `The job failed (${job.error}): ${job.error_detail ?? 'the reason is unknown.'}`
      : 'The job was cancelled.';
  return {
    exitCode: exitCodes.failed,
    json: summarize(job, null, spent),
    lines: [`${why} Its credits are released. Run it again: ${rerunLine(call, job.job_id)}`],
  };
}

/** Names the commands that cancel or resume a job after Ctrl+C. */
function leaveJob(call: Call, engine: EngineClient, job: StatusData, file: ResultFile): Outcome {
  const where = engine.isOwn
    ? 'The current batch finishes. The job continues whenever an engine runs on this folder.'
    : 'The job continues in the running engine.';
  return {
    exitCode: exitCodes.failed,
    json: summarize(job, null),
    lines: [
      `${where} To cancel it: desk jobs cancel ${job.job_id}${repeatOptions(call)}`,
      `For its file: ${resumeLine(call, job.job_id, file)}`,
    ],
  };
}

/** Cancels a job, which may have ended since its status was read. */
async function cancelJob(call: Call, engine: EngineClient, jobId: string): Promise<StatusData> {
  try {
    await engine.ask(jobs.cancel, { job_id: jobId });
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== 'already_finished') throw error;
    call.terminal.note('The job ended before it could be cancelled.');
  }
  return readStatus(engine, jobId);
}

/** Waits for a job and writes its file. On Ctrl+C the job is cancelled, or continues. */
export async function followJob(
  call: Call,
  engine: EngineClient,
  jobId: string,
  file: ResultFile,
): Promise<Outcome> {
  const goOn = `${resumeLine(call, jobId, file)} --when-offline leave-out`;
  let job = await waitForEnd(call, engine, jobId, call.catchInterrupt(), goOn);
  if (!job.ready) {
    const { terminal } = call;
    const isCancelled =
      terminal.isInteractive && (await terminal.ask('Cancel the job and release its credits?'));
    if (!isCancelled) return leaveJob(call, engine, job, file);
    job = await cancelJob(call, engine, jobId);
  }
  const spent = await engine.ask(jobRows.providers, { job_id: jobId });
  for (const line of describeJobProviders(spent)) call.terminal.note(line);
  if (job.status !== 'completed') return endWithout(call, job, spent);
  return writeResult(call, engine, job, file, spent);
}

// Runs an ended job again as a new one: all rows or some, same layers, at the prices of now.
import { getAccountById } from '../../accounts/account.table.ts';
import { formatCredits } from '../../contract/credits.ts';
import { EngineError } from '../../contract/errors.ts';
import { endStatuses, type SubmitData } from '../../contract/jobs/job.ts';
import type { RerunOffer, RerunRows } from '../../contract/jobs/job-list.ts';
import { titleCharactersMax } from '../../contract/limits/jobs.ts';
import type { Spending } from '../../ledger/approve-spending.ts';
import { isCovered, readBalances } from '../../ledger/ledger.ts';
import { priceJob, priceSelection, resolveLayers } from '../../ledger/price-job.ts';
import type { ReadableDatabase, WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';
import { getJob, type JobRow, noSuchJob } from '../job.table.ts';
import { listTitles } from '../list/job-list.table.ts';
import { requireWhole } from '../require-whole.ts';
import { submitAgain } from '../submit-job.ts';
import { countUnmatched } from './unmatched-rows.table.ts';
import { writeRowsAgain } from './write-rows-again.ts';

const numbered = / \((\d{1,4})\)$/;

/** "Leads" → "Leads (2)", or the first number after those of the account's jobs. */
function numberTitle(database: ReadableDatabase, accountId: number, title: string): string {
  const base = title.replace(numbered, '').slice(0, titleCharactersMax - ' (9999)'.length);
  const titles = listTitles(database, accountId, base);
  const numbers = titles.flatMap((one) => {
    const [whole = '', number = '1'] = numbered.exec(one) ?? [];
    return one.slice(0, one.length - whole.length) === base ? Number(number) : [];
  });
  return `${base} (${Math.max(1, ...numbers) + 1})`;
}

/** The job, if it can run again. Throws `not_found`, `not_ready` and `database_damaged`. */
function requireEnded(database: ReadableDatabase, accountId: number, jobId: string): JobRow {
  const job = getJob(database, accountId, jobId);
  if (!job) throw noSuchJob();
  if (endStatuses.includes(job.status)) return requireWhole(job);
  throw new EngineError(
    'not_ready',
    'This job has not finished. Wait until it ends, or cancel it.',
  );
}

/** The rows of each choice. A job that has not completed has no outcome for single rows. */
export function countRerun(
  database: ReadableDatabase,
  { accountId, jobId }: { readonly accountId: number; readonly jobId: string },
): Readonly<Record<RerunRows, number>> {
  const job = requireEnded(database, accountId, jobId);
  const isCompleted = job.status === 'completed';
  return {
    all: job.totalRows,
    failed: isCompleted ? job.failedRows : 0,
    unmatched: isCompleted && job.skippedRows > 0 ? countUnmatched(database, job) : 0,
  };
}

const countImportsSince = (directory: ReadableDatabase, since: string): number =>
  statement<{ count: number }>(
    directory,
    "SELECT count(*) AS count FROM source_import WHERE status = 'completed' AND completed_at > ?",
  ).get(since)?.count ?? 0;

/** Why the layers of a job cannot be selected now; null if they can. */
function findProblem(database: ReadableDatabase, job: JobRow): string | null {
  try {
    resolveLayers(database, job.accountId, job.codes);
    return null;
  } catch (error) {
    if (error instanceof EngineError) return error.detail;
    throw error;
  }
}

/**
 * What running a job again in the app would cost now. Stores nothing. Throws `not_found` and
 * `not_ready`.
 * @param counts the answer of countRerun
 */
export function offerRerun(
  { database, directory }: { database: ReadableDatabase; directory: ReadableDatabase },
  { accountId, jobId }: { readonly accountId: number; readonly jobId: string },
  counts: Readonly<Record<RerunRows, number>>,
): RerunOffer {
  const job = requireEnded(database, accountId, jobId);
  const prices = priceSelection(database, accountId, job.codes);
  const { availableUnits } = readBalances(database, accountId);
  const choices = (['all', 'failed', 'unmatched'] as const).map((rows) => {
    const neededUnits = priceJob(prices, counts[rows]);
    return {
      rows,
      row_count: counts[rows],
      credits_needed: formatCredits(neededUnits),
      sufficient: isCovered(database, { accountId, keyId: null }, neededUnits),
    };
  });
  return {
    title: numberTitle(database, accountId, job.title),
    choices: choices.filter(({ row_count: count }) => count > 0),
    price_per_row: formatCredits(prices.pricePerRowUnits),
    available_credits: formatCredits(availableUnits),
    free_repeat_days: getAccountById(database, accountId)?.freeRepeatDays ?? 0,
    imports_since: countImportsSince(directory, job.startedAt ?? job.createdAt),
    problem: findProblem(database, job),
  };
}

/**
 * Creates the new job. Throws `not_found`, `not_ready`, `nothing_to_retry` if there are no such
 * rows, `validation_error` for a layer that is switched off, `input_damaged` and
 * `insufficient_credits`.
 */
export function rerunJob(
  database: WritableDatabase,
  folder: string,
  command: Spending & { readonly jobId: string; readonly rows: RerunRows },
  now: Date,
): SubmitData {
  const { accountId, rows } = command;
  const job = requireEnded(database, accountId, command.jobId);
  const rowCount = countRerun(database, command)[rows];
  if (rowCount === 0) throw new EngineError('nothing_to_retry', `This job has no ${rows} rows.`);
  const earlier = job.newSince === null ? null : getJob(database, accountId, job.newSince);
  return submitAgain(
    database,
    folder,
    job,
    { ...command, now },
    {
      title: numberTitle(database, accountId, job.title),
      layers: resolveLayers(database, accountId, job.codes),
      rowCount,
      retryOf: rows === 'failed' ? job.uuid : null,
      newSince: earlier?.status === 'completed' ? earlier.uuid : null,
      writeInput: (uuid) => void writeRowsAgain(database, folder, job, { uuid, rows }),
    },
  );
}

// The rules of every kind, and when items are due. A job is kept while other work needs it.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { listAccounts } from '../accounts/account.table.ts';
import { retentionSampleRows, retentionStepRows } from '../contract/limits/privacy/retention.ts';
import type {
  DueItems,
  EffectiveRetention,
  KeptReason,
  RetentionKind,
  RetentionPolicy,
} from '../contract/retention/retention.ts';
import { deleteJob } from '../jobs/delete-job.ts';
import {
  type EndedJob,
  isUnused,
  listEndedJobs,
  listNeedingJobs,
} from '../jobs/deleted-job.table.ts';
import { getJobById, type JobKind } from '../jobs/job.table.ts';
import { countPicks, countWaiting } from '../jobs/review/review-pick.table.ts';
import { deleteCopy, listCopies } from '../maintenance/backup-copies.ts';
import { forgetDeletedMonitors, isNeededByMonitor } from '../monitors/needed-monitor-jobs.ts';
import {
  clearDeletedPipelines,
  listEndedPipelines,
  markPipelineDeleted,
} from '../pipelines/deleted-pipeline.table.ts';
import type { ReadableDatabase, WritableDatabase } from '../platform/sqlite/open-database.ts';
import { statement } from '../platform/sqlite/statement.ts';
import { inRepeatableTransaction, inTransaction } from '../platform/sqlite/transaction.ts';
import { jobDir } from '../spreadsheet/input-folders.ts';
import {
  clearDeletedValidations,
  listEndedValidations,
  markValidationDeleted,
} from '../validations/deleted-validation.table.ts';
import { forgetEvents } from '../webhooks/delivery.table.ts';
import { readRetention } from './effective-days.ts';
import { type Due, type DueScope, type FoundItem, type KindRules, sumFound } from './kind-rules.ts';

/** Bytes of the files of an input. */
function measureInput(folder: string, uuid: string): number {
  const dir = jobDir(folder, uuid);
  try {
    return readdirSync(dir).reduce((sum, name) => sum + statSync(join(dir, name)).size, 0);
  } catch {
    return 0;
  }
}

/** Bytes of the results of a job, from its first rows. */
function estimateResults(database: ReadableDatabase, job: EndedJob): number {
  const found = statement<{ bytes: number | null }>(
    database,
    `SELECT avg(40 + ifnull(length(fields), 0) + ifnull(length(candidates), 0)
       + ifnull(length(provenance), 0)) AS bytes
     FROM (SELECT * FROM result WHERE id BETWEEN ? AND ? LIMIT ${retentionSampleRows})`,
  ).get(job.resultBase, job.resultBase + job.totalRows - 1);
  return Math.round((found?.bytes ?? 0) * job.processedRows);
}

const hasOpenApproval = (database: ReadableDatabase, job: EndedJob, at: string): boolean =>
  statement(
    database,
    `SELECT 1 FROM approval WHERE account_id = ? AND status IN ('asked', 'allowed')
       AND expires_at > ? AND instr(operation || arguments, ?) > 0`,
  ).get(job.accountId, at, job.uuid) !== undefined;

/** Whether some rows of a job were decided and others wait. */
function hasOpenReview(database: ReadableDatabase, { id }: EndedJob): boolean {
  if (countPicks(database, id) === 0) return false;
  const job = getJobById(database, id);
  return job !== null && countWaiting(database, job) > 0;
}

/** Why a job past its days is kept. @param isGone whether a job that needs it goes before it */
function findReason(
  database: ReadableDatabase,
  job: EndedJob,
  at: string,
  isGone: (id: number) => boolean = () => false,
): KeptReason | null {
  if (job.kind === 'monitor') return isNeededByMonitor(database, job) ? 'needed_by_monitor' : null;
  if (listNeedingJobs(database, job.uuid).some((id) => !isGone(id))) return 'needed_by_job';
  if (hasOpenReview(database, job)) return 'open_review';
  return hasOpenApproval(database, job, at) ? 'open_approval' : null;
}

const createJobRules = (kind: JobKind): KindRules => ({
  find(database, folder, scope) {
    const gone = new Set<number>();
    // Newest first: a job that needs another one is newer than it.
    const found = listEndedJobs(database, { ...scope, kind }).map((job): FoundItem => {
      const kept = findReason(database, job, scope.at, (id) => gone.has(id));
      if (kept === null) gone.add(job.id);
      const bytes = measureInput(folder, job.uuid) + estimateResults(database, job);
      return { at: job.lastUsedAt, bytes, kept };
    });
    return sumFound(found);
  },
  *remove({ database, folder, kinds, count }, scope) {
    for (const job of listEndedJobs(database, { ...scope, kind })) {
      // A decision or a retry may have come in between.
      const isFree = () =>
        isUnused(database, job.id, scope.before) && findReason(database, job, scope.at) === null;
      if (!isFree()) continue;
      const deps = { database, folder, kinds, at: scope.at };
      yield* deleteJob(deps, job, { isFree, onDeleted: () => count(1) });
    }
  },
});

interface Counted {
  readonly items: number;
  readonly bytes: number | null;
  readonly oldest: string | null;
  readonly newest: string | null;
}

function countRecords(database: ReadableDatabase, sql: string, scope: object): Due {
  const found = statement<Counted>(database, sql).get(scope);
  if (!found) throw new Error('a count has no row');
  return { ...found, bytes: Math.round(found.bytes ?? 0), kept: [] };
}

/** Yields after each transaction. @param remove returns the number of deleted records */
function* repeatRemoval(
  database: WritableDatabase,
  count: (items: number) => void,
  remove: () => number,
): Generator<void> {
  let removed = 0;
  do {
    removed = inRepeatableTransaction(database, () => {
      const changes = remove();
      if (changes > 0) count(changes);
      return changes;
    });
    yield;
  } while (removed > 0);
}

const limit = retentionStepRows;

const oldDeliveries = `FROM webhook_delivery d JOIN webhook w ON w.id = d.webhook_id
  WHERE w.account_id = @accountId AND d.ended_at < @before`;

const deliveryRules: KindRules = {
  find: (database, _folder, { accountId, before }) =>
    countRecords(
      database,
      `SELECT count(*) AS items, min(ended_at) AS oldest, max(ended_at) AS newest,
         sum((SELECT length(body) FROM webhook_event e WHERE e.id = d.event_id)) AS bytes
       ${oldDeliveries}`,
      { accountId, before },
    ),
  *remove({ database, count }, { accountId, before }) {
    yield* repeatRemoval(database, count, () => {
      const gone = statement<{ eventId: string }>(
        database,
        `DELETE FROM webhook_delivery
         WHERE id IN (SELECT d.id ${oldDeliveries} LIMIT ${limit})
         RETURNING event_id AS eventId`,
      ).all({ accountId, before });
      forgetEvents(database, new Set(gone.map(({ eventId }) => eventId)));
      return gone.length;
    });
  },
};

const oldCalls = 'FROM tool_call WHERE account_id = @accountId AND at < @before';
const oldArguments = `FROM approval WHERE account_id = @accountId AND asked_at < @before
  AND status NOT IN ('asked', 'allowed') AND arguments <> '{}'`;

/** Tool calls, and what approvals that have ended say of their requests. */
const toolRules: KindRules = {
  find: (database, _folder, { accountId, before }) =>
    countRecords(
      database,
      `SELECT count(*) AS items, min(at) AS oldest, max(at) AS newest, sum(size) AS bytes
       FROM (SELECT at, length(arguments) + length(detail) AS size ${oldCalls}
         UNION ALL SELECT asked_at, length(arguments) ${oldArguments})`,
      { accountId, before },
    ),
  *remove({ database, count }, { accountId, before }) {
    const run = (sql: string) => () => statement(database, sql).run({ accountId, before }).changes;
    yield* repeatRemoval(
      database,
      count,
      run(`DELETE FROM tool_call WHERE id IN (SELECT id ${oldCalls} LIMIT ${limit})`),
    );
    yield* repeatRemoval(
      database,
      count,
      run(`UPDATE approval SET arguments = '{}'
           WHERE id IN (SELECT id ${oldArguments} LIMIT ${limit})`),
    );
  },
};

/** Work that has not ended repeats its batches from the answers that it has fetched. */
const answersBefore = `min(@before, ifnull((SELECT min(created_at) FROM (
  SELECT created_at FROM job WHERE status IN ('queued', 'running')
  UNION ALL SELECT created_at FROM pipeline WHERE completed_at IS NULL)), @before))`;
const oldAnswers = `FROM provider_answer INDEXED BY provider_answer_fetched
  WHERE outcome IN ('hit', 'miss') AND fetched_at < ${answersBefore}`;
const allAnswers = `FROM provider_answer INDEXED BY provider_answer_fetched
  WHERE outcome IN ('hit', 'miss') AND fetched_at < @before`;

/** What data services answered, and their words about failed requests. Costs stay. */
const answerRules: KindRules = {
  find(database, _folder, { before }) {
    const found = countRecords(
      database,
      `SELECT count(*) AS items, min(fetched_at) AS oldest, max(fetched_at) AS newest,
         sum(ifnull(length(answer), 0) + 100) AS bytes ${oldAnswers}`,
      { before },
    );
    const all = statement<{ items: number }>(database, `SELECT count(*) AS items ${allAnswers}`);
    const kept = (all.get({ before })?.items ?? 0) - found.items;
    return kept === 0 ? found : { ...found, kept: [{ reason: 'open_work', items: kept }] };
  },
  *remove({ database, count }, { before }) {
    yield* repeatRemoval(database, count, () => {
      const removed = statement(
        database,
        `DELETE FROM provider_answer WHERE (subject, field, provider) IN (
           SELECT subject, field, provider ${oldAnswers} LIMIT ${limit})`,
      );
      return removed.run({ before }).changes;
    });
    const forget = statement(
      database,
      `UPDATE provider_request SET detail = NULL WHERE id IN (
         SELECT id FROM provider_request WHERE detail IS NOT NULL AND ended_at < ? LIMIT ${limit})`,
    );
    yield* repeatRemoval(
      database,
      () => undefined,
      () => forget.run(before).changes,
    );
  },
};

const backupRules: KindRules = {
  find: (database, folder, { before }) =>
    sumFound(
      listCopies(database, folder, before).map(({ madeAt, bytes, kept }) => ({
        at: madeAt,
        bytes,
        kept,
      })),
    ),
  *remove({ database, folder, count }, { before }) {
    for (const copy of listCopies(database, folder, before)) {
      if (copy.kept !== null) continue;
      inTransaction(database, () => {
        deleteCopy(database, copy);
        count(1);
      });
      yield;
    }
  },
};

const monitorJobs = createJobRules('monitor');

/** Jobs of monitors with their changes; the names of monitors that were deleted go with them. */
const monitorRules: KindRules = {
  find: monitorJobs.find,
  *remove(deps, scope: DueScope) {
    yield* monitorJobs.remove(deps, scope);
    yield* repeatRemoval(
      deps.database,
      () => undefined,
      () => forgetDeletedMonitors(deps.database, { ...scope, limit }),
    );
  },
};

/** Bytes of a stored contact, and of a verdict: means of typical ones. */
const contactBytes = 300;
const verdictBytes = 50;

const pipelineRules: KindRules = {
  find: (database, folder, { accountId, before }) =>
    sumFound(
      listEndedPipelines(database, accountId, before).map(({ uuid, total, completedAt }) => ({
        at: completedAt,
        kept: null,
        bytes: measureInput(folder, uuid) + total * contactBytes,
      })),
    ),
  *remove({ database, folder, count }, { accountId, before, at }) {
    for (const { id } of listEndedPipelines(database, accountId, before)) {
      inTransaction(database, () => {
        markPipelineDeleted(database, id, at);
        count(1);
      });
      yield;
      yield* clearDeletedPipelines(database, folder);
    }
  },
};

const validationRules: KindRules = {
  find: (database, _folder, { accountId, before }) =>
    sumFound(
      listEndedValidations(database, accountId, before).map(({ totalEmails, completedAt }) => ({
        at: completedAt,
        kept: null,
        bytes: totalEmails * verdictBytes,
      })),
    ),
  *remove({ database, count }, { accountId, before, at }) {
    for (const { id } of listEndedValidations(database, accountId, before)) {
      inTransaction(database, () => {
        markValidationDeleted(database, id, at);
        count(1);
      });
      yield;
      yield* clearDeletedValidations(database);
    }
  },
};

/** The rules of a kind; null if the run does not delete it. */
const rulesByKind: Readonly<Record<RetentionKind, KindRules | null>> = {
  jobs: createJobRules('enrichment'),
  pipelines: pipelineRules,
  validations: validationRules,
  monitor_jobs: monitorRules,
  webhook_deliveries: deliveryRules,
  tool_activity: toolRules,
  provider_answers: answerRules,
  backups: backupRules,
  // The HTTP server removes them (http/upload-store.ts).
  uploads: null,
};

const dayMs = 86_400_000;

/** When items of a kind must have ended to be due. */
const scopeOf = (accountId: number, days: number, now: Date): DueScope => ({
  accountId,
  before: new Date(now.getTime() - days * dayMs).toISOString(),
  at: now.toISOString(),
});

export const findDue = (
  database: ReadableDatabase,
  folder: string,
  query: {
    readonly accountId: number;
    readonly kinds: readonly Pick<EffectiveRetention, 'kind' | 'days'>[];
    readonly now: Date;
  },
): DueItems[] =>
  query.kinds.flatMap(({ kind, days }) => {
    const rules = rulesByKind[kind];
    if (rules === null) return [];
    if (days === null)
      return { kind, days, items: 0, bytes: 0, oldest: null, newest: null, kept: [] };
    const found = rules.find(database, folder, scopeOf(query.accountId, days, query.now));
    return { kind, days, ...found, kept: [...found.kept] };
  });

export interface DueKind {
  readonly kind: RetentionKind;
  readonly rules: KindRules;
  readonly scope: DueScope;
}

/** Everything that is deleted after days, of all accounts. Kinds of the folder come once. */
export function listDueKinds(
  database: ReadableDatabase,
  policy: RetentionPolicy,
  now: Date,
): DueKind[] {
  const [first] = listAccounts(database);
  return listAccounts(database).flatMap((account) =>
    readRetention(database, account.id, policy).flatMap(({ kind, scope, days }) => {
      const rules = rulesByKind[kind];
      if (rules === null || days === null) return [];
      if (scope === 'folder' && account !== first && account.id !== first?.id) return [];
      return { kind, rules, scope: scopeOf(account.id, days, now) };
    }),
  );
}

/** Whether anything is deleted after days that a person or an organisation has set. */
export const hasDays = (database: ReadableDatabase, policy: RetentionPolicy): boolean =>
  listAccounts(database).some(({ id }) =>
    readRetention(database, id, policy).some(
      ({ days, source }) => days !== null && source !== 'product',
    ),
  );

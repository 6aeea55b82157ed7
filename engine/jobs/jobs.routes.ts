// Answers the calls about jobs, under the paths of the REST API and of the app.
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Endpoints } from '../contract/endpoints.ts';
import { kindOfRows } from '../contract/exports/crm-presets.ts';
import { jobRows } from '../contract/jobs/app-jobs.ts';
import { type EstimateData, jobs } from '../contract/jobs/job.ts';
import { jobList } from '../contract/jobs/job-list.ts';
import { review } from '../contract/jobs/review.ts';
import type { ColumnMapping } from '../contract/jobs/row-input.ts';
import { results, submissions } from '../contract/jobs/submission.ts';
import { personJobsRowsMax } from '../contract/limits/jobs.ts';
import { estimateRowCountMax } from '../contract/limits/ledger.ts';
import { explainFailure, providerFieldNames } from '../contract/provider.ts';
import type { JobProviders } from '../contract/providers.ts';
import { type JobsOfPerson, jobsOfPerson } from '../contract/records/records.ts';
import { requireRecord } from '../directory/records/record-values.ts';
import { idempotencyOf, spenderOf, spendingOf } from '../http/approval-origin.ts';
import { parseWith } from '../http/bodies/parse-with.ts';
import { withSpreadsheet } from '../http/bodies/receive-spreadsheet.ts';
import { takeTable } from '../http/bodies/received-body.ts';
import { whenClientLeaves } from '../http/client-presence.ts';
import { callerOf } from '../http/credentials.ts';
import { baseUrlOf } from '../http/guards.ts';
import { linkPages } from '../http/page-links.ts';
import { sendTexts } from '../http/responses.ts';
import type { ApiServer } from '../http/route-deps.ts';
import { sendExport } from '../http/send-export.ts';
import { type Call, type Handlers, serve } from '../http/serve.ts';
import { findMerged } from '../ledger/merged-person.table.ts';
import { describeLayers, estimate, resolveLayers } from '../ledger/price-job.ts';
import { hashText } from '../platform/hash-text.ts';
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';
import { statement } from '../platform/sqlite/statement.ts';
import { viaHeader } from '../providers/desk/desk-requests.ts';
import { readPrices } from '../providers/installed/provider-money.table.ts';
import { listNotes } from '../providers/waterfall/provider-note.table.ts';
import {
  type JobFailures,
  listJobFailures,
  listJobSpending,
} from '../providers/waterfall/provider-request.table.ts';
import { toCredits } from '../providers/waterfall/provider-units.ts';
import { type JobField, listJobFields } from '../providers/waterfall/request-field.table.ts';
import type { PreparedInput } from '../spreadsheet/prepared-input.ts';
import { resolveMapping } from '../spreadsheet/recognize-input.ts';
import { getJobById, listJobs } from './job.table.ts';
import { countJobs, listJobPage } from './list/job-list.table.ts';
import { readQueue } from './list/job-queue.ts';
import { presentJob } from './present-job.ts';
import { hasRows, parseSubmit, readSubmitBody, readSubmitForm } from './read-submission.ts';
import { listUnindexed, scanRowsOfJob } from './repeats/job-person.table.ts';
import { requireWhole } from './require-whole.ts';
import { offerRerun } from './rerun/rerun-job.ts';
import { requireFinished } from './results/export-result.ts';
import { addExportRoutes } from './results/exports.routes.ts';
import { readFacts } from './results/job-batch.table.ts';
import { countRows, readGridPage, readResultPage, requireJob } from './results/read-result.ts';
import type { ResultExport } from './results/result-export.ts';
import { listOwnColumnsOf } from './results/result-table.ts';
import { countOutcomes } from './results/view/row-facts.ts';
import { createRowLists, isStatusAlone } from './results/view/row-lists.ts';
import { readReviewPage } from './review/read-review.ts';
import type { JobRouteDeps } from './route-deps.ts';
import type { SubmitAnswer } from './submit-job.ts';
import { addUploadRoutes } from './uploads.routes.ts';

interface FoundJob {
  readonly jobId: number;
  readonly rowIndex: number;
}

const indexedSql = `SELECT p.job_id AS jobId, min(p.row_index) AS rowIndex
  FROM json_each(@keys) k CROSS JOIN (SELECT 0 AS is_charged UNION ALL SELECT 1) c
  CROSS JOIN job_person p ON p.account_id = @accountId AND p.is_charged = c.is_charged
    AND p.person_key = k.value
  CROSS JOIN job j ON j.id = p.job_id AND j.people_indexed = 1
  CROSS JOIN result r ON r.id = j.result_base + p.row_index
    AND r.contact_uuid IN (SELECT value FROM json_each(@people))
  WHERE j.kind = 'enrichment' AND j.deleted_at IS NULL
  GROUP BY p.job_id`;

/** @param rowsMax rows that are read of jobs that are not in `job_person` */
function findJobsOfPerson(
  database: ReadableDatabase,
  accountId: number,
  personUuid: string,
  rowsMax: number,
): JobsOfPerson {
  const people = [personUuid, ...findMerged(database, [personUuid]).keys()];
  const found = statement<FoundJob>(database, indexedSql).all({
    accountId,
    people: JSON.stringify(people),
    keys: JSON.stringify(people.map(hashText)),
  });
  let rowsLeft = rowsMax;
  let leftOut = 0;
  const unindexed = listUnindexed(database, { accountId, since: '', jobIds: [] });
  for (const id of unindexed.reverse()) {
    const job = getJobById(database, id);
    if (!job) continue;
    if (job.totalRows > rowsLeft) {
      leftOut += 1;
      continue;
    }
    rowsLeft -= job.totalRows;
    const [first] = scanRowsOfJob(database, id, [personUuid], job.totalRows);
    if (first) found.push({ jobId: id, rowIndex: first.id - job.resultBase });
  }
  const jobs = found
    .toSorted((one, other) => other.jobId - one.jobId)
    .flatMap(({ jobId, rowIndex }) => {
      const job = getJobById(database, jobId);
      if (!job) return [];
      const { uuid, title, completedAt } = job;
      return [{ job_id: uuid, title, row_index: rowIndex, completed_at: completedAt }];
    });
  return { jobs, jobs_left_out: leftOut };
}

interface Submission {
  readonly input: PreparedInput;
  readonly selection: readonly string[];
  readonly title: string;
  readonly mapping: ColumnMapping;
  readonly fileName: string | null;
}

/**
 * Receives the list of a request, passes it to `use`, and removes its table. Throws, in this order,
 * `bad_meta`, `bad_layers`, `bad_rows`, and `validation_error` for the content of the parts.
 */
async function withSubmission<Result>(
  context: JobRouteDeps,
  request: FastifyRequest,
  use: (submission: Submission) => Promise<Result>,
): Promise<Result> {
  if (request.isMultipart())
    return withSpreadsheet(context, request, readSubmitForm, async (parts, input) => {
      const { selection, title, mapping } = parseSubmit(parts);
      const { fileName } = parts.file;
      return use({
        input,
        selection,
        title,
        fileName,
        mapping: resolveMapping(input.headers, mapping),
      });
    });
  const body = readSubmitBody(request.body);
  const { selection, title } = parseSubmit(body);
  const { mapping, ...table } = takeTable(body.rows, 'rows');
  return context.uploads.withRows(table, (input) =>
    use({ input, selection, title, mapping, fileName: null }),
  );
}

/** The requests by which other engines passed the rows on. The header is not documented. */
function readVia({ headers }: FastifyRequest): { readonly via?: readonly string[] } {
  const text = headers[viaHeader]?.toString() ?? '';
  const via = text.split(',').filter((id) => id !== '');
  return via.length === 0 ? {} : { via };
}

/**
 * Creates a job from a request's list. Throws what `withSubmission` throws, `validation_error` for
 * the Idempotency-Key, and last what the writer refuses: `idempotency_conflict`,
 * `insufficient_credits`, `spending_cap_reached` and `approval_required`.
 */
const submitRequest = (context: JobRouteDeps, request: FastifyRequest): Promise<SubmitAnswer> =>
  withSubmission(context, request, (submission) =>
    context.environment.writer.submitJob({
      ...spendingOf(request, 'POST /api/v1/data-enrichment/submit/', {}),
      ...submission,
      ...readVia(request),
      showsLayers: true,
      idempotency: idempotencyOf(request),
    }),
  );

const CountSchema = z.object({
  row_count: z.int().min(1).max(estimateRowCountMax),
});

/** The price of a number of rows, without a preview. */
function estimateCount(
  context: JobRouteDeps,
  request: FastifyRequest,
): Omit<EstimateData, 'preview'> {
  const body = readSubmitBody(request.body, 'row_count');
  const { selection } = parseSubmit(body);
  const { row_count: rowCount } = parseWith(CountSchema, { row_count: body.rowCount });
  const { database } = context.environment;
  const accountId = callerOf(request).account.id;
  const layers = resolveLayers(database, accountId, selection);
  return estimate(database, spenderOf(request), layers, rowCount);
}

async function answerEstimate(
  context: JobRouteDeps,
  request: FastifyRequest,
): Promise<EstimateData> {
  if (!request.isMultipart() && !hasRows(request.body)) return estimateCount(context, request);
  const accountId = callerOf(request).account.id;
  const { database, reader } = context.environment;
  return withSubmission(context, request, async ({ input, selection, mapping }) => {
    const layers = resolveLayers(database, accountId, selection);
    const { codes } = layers;
    const at = new Date(context.now()).toISOString();
    return {
      ...estimate(database, spenderOf(request), layers, input.rowCount),
      preview: await reader.previewRows({ accountId, dir: input.dir, mapping, codes, at }),
    };
  });
}

/** What a provider found by field. The costs add up to `costUnits`, which may be reported. */
function presentFields(
  fields: readonly JobField[],
  costUnits: number,
): JobProviders[number]['fields'] {
  const ordered = providerFieldNames.flatMap((name) =>
    fields.filter(({ field }) => field === name),
  );
  const shares = ordered.map(({ shareUnits }) => shareUnits);
  const hasShares = shares.some((share) => share > 0);
  // A service may charge for what it did not find.
  const weights = hasShares ? shares : ordered.map(({ asked }) => asked);
  let weightLeft = weights.reduce((sum, weight) => sum + weight, 0);
  let unitsLeft = costUnits;
  return ordered.map(({ field, asked, hits }, nth) => {
    const weight = weights[nth] ?? 0;
    const units = weightLeft === 0 ? 0 : Math.round((unitsLeft * weight) / weightLeft);
    weightLeft -= weight;
    unitsLeft -= units;
    return {
      field,
      asked,
      hits,
      hit_rate: asked === 0 ? null : hits / asked,
      credits: toCredits(units),
      cost_per_hit: hits === 0 ? null : toCredits(Math.round(units / hits)),
    };
  });
}

const describeFailures = ({ rows, failure, detail }: JobFailures): string =>
  [
    `${rows} ${rows === 1 ? 'row was' : 'rows were'} not answered.`,
    detail === null ? '' : explainFailure(failure, detail),
  ]
    .join(' ')
    .trim();

/** The providers of a job, by id. A provider that was skipped before any request is included. */
export function presentJobProviders(database: ReadableDatabase, jobId: number): JobProviders {
  const spending = listJobSpending(database, jobId);
  const found = listJobFields(database, jobId);
  const prices = readPrices(database);
  const notes = new Map([
    ...listJobFailures(database, jobId).map(
      (one) => [one.provider, describeFailures(one)] as const,
    ),
    ...listNotes(database, jobId).map(
      ({ provider, failure, detail }) => [provider, explainFailure(failure, detail)] as const,
    ),
  ]);
  const ids = [...new Set([...spending.map(({ provider }) => provider), ...notes.keys()])].sort();
  return ids.map((id) => {
    const own = spending.find(({ provider }) => provider === id);
    const fields = found.filter(({ provider }) => provider === id);
    return {
      provider: id,
      requests: own?.requests ?? 0,
      rows: own?.rows ?? 0,
      credits: toCredits(own?.costUnits ?? 0),
      is_estimated: own?.isEstimated === 1,
      credits_open: toCredits(own?.openUnits ?? 0),
      rows_open: own?.openRows ?? 0,
      uncertain_requests: own?.uncertain ?? 0,
      price: prices.get(id) ?? null,
      fields: presentFields(fields, own?.costUnits ?? 0),
      note: notes.get(id) ?? null,
    };
  });
}

const submissionHandlers = (context: JobRouteDeps): Handlers<typeof submissions> => ({
  estimate: (_input, { request }) => answerEstimate(context, request),
  async submit(_input, { request, reply }) {
    const { data, replayed } = await submitRequest(context, request);
    if (replayed) reply.code(200);
    return data;
  },
});

const jobHandlers = ({ environment }: JobRouteDeps) =>
  ({
    layers: (_input, { accountId }) => describeLayers(environment.database, accountId),
    list(query, { accountId, request }) {
      const { count, jobs: page } = listJobs(environment.database, accountId, query);
      return { count, ...linkPages(request, query, count), results: page.map(presentJob) };
    },
    status: ({ job_id }, { accountId }) => presentJob(requireJob(environment, accountId, job_id)),
    retry({ job_id: jobId }, { request }) {
      const spending = spendingOf(request, `POST /api/v1/data-enrichment/retry/${jobId}/`, {});
      return environment.writer.retryJob({ ...spending, jobId });
    },
  }) satisfies Partial<Handlers<typeof jobs>>;

const resultHandlers = ({ environment }: JobRouteDeps): Handlers<typeof results> => ({
  read({ job_id, ...query }, { accountId, request, reply }) {
    const { status, format } = query;
    const job = requireFinished(requireJob(environment, accountId, job_id));
    if (format === 'csv') {
      const { preset: crm, record_id, id_list, records, own_lists, sources } = query;
      const list_columns = query.list_columns === 'true';
      const command: ResultExport = {
        kind: 'result',
        accountId,
        jobId: job.uuid,
        status: status ?? null,
        format,
        forExcel: false,
        protectAll: false,
        overwrite: null,
        preset: crm && { crm, record_id, id_list, records, list_columns },
        ownLists: own_lists === undefined ? undefined : own_lists === 'true',
        hasSources: sources === 'true',
      };
      return sendExport(environment.reader, command, reply);
    }
    const count = countRows(job, status);
    const links = linkPages(request, query, count);
    const head = { job_id: job.uuid, status: job.status, count, ...links };
    return sendTexts(reply, head, readResultPage(environment, job, query));
  },
});

const reviewHandlers = ({ environment }: JobRouteDeps): Handlers<typeof review> => ({
  list({ job_id, ...query }, { accountId, caller, request }) {
    const job = requireFinished(requireJob(environment, accountId, job_id));
    const linkTo = (after: number): string => {
      const url = new URL(request.url, baseUrlOf(request));
      url.searchParams.set('after', String(after));
      return url.href;
    };
    return readReviewPage(environment, job, query, linkTo, { isOwner: caller.key === null });
  },
  decide({ job_id: jobId, picks }, { request }) {
    const operation = `POST /api/v1/data-enrichment/review/${jobId}/`;
    const spending = spendingOf(request, operation, { picks: picks.length });
    return environment.writer.applyPicks({ ...spending, jobId, picks });
  },
});

const listHandlers = ({ environment }: JobRouteDeps) =>
  ({
    read(query, { accountId }) {
      const { jobs: page, next } = listJobPage(environment.database, accountId, query);
      const counts = countJobs(environment.database, accountId);
      return { jobs: page.map(presentJob), next, counts };
    },
    queue: (_input, { accountId }) => readQueue(environment.database, accountId),
    async offerRerun({ job_id: jobId }, { accountId }) {
      const counts = await environment.reader.countRerun({ accountId, jobId });
      const { database, directoryDatabase: directory } = environment;
      return offerRerun({ database, directory }, { accountId, jobId }, counts);
    },
  }) satisfies Partial<Handlers<typeof jobList>>;

const atNewPath = <Table extends Endpoints>(table: Table): Table => table;

/** The calls of programs under the former path (docs/rules.md, "Hosts and paths"). */
const atOldPath = <Table extends Endpoints>(table: Table): Table =>
  Object.fromEntries(
    Object.entries(table).map(([key, { app: _app, api, ...call }]) => [
      key,
      { ...call, api: api?.replace('/api/v1/data-enrichment/', '/api/v1/enrichment/') },
    ]),
  ) as never;

/** Adds the routes of programs, those under the former path last; and the same ones of the app. */
export function addJobRoutes(server: ApiServer, context: JobRouteDeps): void {
  for (const place of [atNewPath, atOldPath]) {
    serve(server, context, place(submissions), submissionHandlers(context));
    serve(server, context, place(jobs), jobHandlers(context));
    serve(server, context, place(results), resultHandlers(context));
    serve(server, context, place(review), reviewHandlers(context));
  }
}

export function addAppJobRoutes(server: ApiServer, context: JobRouteDeps): void {
  const { environment } = context;
  const lists = createRowLists(environment);
  const jobOf = ({ job_id }: { job_id: string }, { accountId }: Call) =>
    requireJob(environment, accountId, job_id);
  serve(server, context, jobRows, {
    async read({ job_id, limit, offset, ...view }, { accountId, request }) {
      const job = requireWhole(requireJob(environment, accountId, job_id));
      // The counters of the job answer for a status alone.
      const list = isStatusAlone(view)
        ? undefined
        : await lists.read(job, view, whenClientLeaves(request));
      const page = readGridPage(environment, job, { limit, offset, status: view.status, list });
      const own = offset === 0 ? listOwnColumnsOf(job, environment.directoryDatabase) : [];
      const rowKind = kindOfRows(job.mapping);
      const own_columns = own.map(({ source, ...column }) => ({
        ...column,
        list: source,
        is_of_rows: column.kind === rowKind,
      }));
      return { ...page, own_columns };
    },
    outcomes(given, call) {
      const job = requireWhole(jobOf(given, call));
      return countOutcomes(readFacts(environment.database, job.id), job.codes);
    },
    providers: (given, call) => presentJobProviders(environment.database, jobOf(given, call).id),
  });
  serve(server, context, jobList, listHandlers(context));
  serve(server, context, jobsOfPerson, {
    list({ id }, { accountId }) {
      // An environment that is not open yet has no databases.
      const { database, directoryDatabase: directory } = environment;
      const person = requireRecord(directory, 'person', id);
      return findJobsOfPerson(database, accountId, person.uuid, personJobsRowsMax);
    },
  });
  addUploadRoutes(server, context);
  addExportRoutes(server, context, lists);
}

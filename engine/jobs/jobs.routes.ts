/** Answers the calls about jobs, under the paths of the REST API and of the app. */

import type { Endpoints } from '../contract/endpoints.ts';
import { jobRows } from '../contract/jobs/app-jobs.ts';
import { jobs } from '../contract/jobs/job.ts';
import { jobList } from '../contract/jobs/job-list.ts';
import { review } from '../contract/jobs/review.ts';
import { results, submissions } from '../contract/jobs/submission.ts';
import { personJobsRowsMax } from '../contract/limits/jobs.ts';
import { providerFieldNames } from '../contract/provider.ts';
import type { JobProviders } from '../contract/providers.ts';
import { jobsOfPerson } from '../contract/records/records.ts';
import { requireRecord } from '../directory/records/record-values.ts';
import { spendingOf } from '../http/approval-origin.ts';
import { whenClientLeaves } from '../http/client-presence.ts';
import { baseUrlOf } from '../http/guards.ts';
import { linkPages } from '../http/page-links.ts';
import { sendTexts } from '../http/responses.ts';
import type { ApiServer } from '../http/route-deps.ts';
import { sendExport } from '../http/send-export.ts';
import { type Call, type Handlers, serve } from '../http/serve.ts';
import { describeLayers } from '../ledger/price-job.ts';
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';
import { readPrices } from '../providers/installed/provider-money.table.ts';
import { listNotes } from '../providers/waterfall/provider-note.table.ts';
import {
  type JobFailures,
  listJobFailures,
  listJobSpending,
} from '../providers/waterfall/provider-request.table.ts';
import { toCredits } from '../providers/waterfall/provider-units.ts';
import { type JobField, listJobFields } from '../providers/waterfall/request-field.table.ts';
import { listJobs } from './job.table.ts';
import { countJobs, listJobPage } from './list/job-list.table.ts';
import { readQueue } from './list/job-queue.ts';
import { answerEstimate, submitRequest } from './parse-submit.ts';
import { presentJob } from './present-job.ts';
import { findJobsOfPerson } from './repeats/jobs-of-person.ts';
import { requireWhole } from './require-whole.ts';
import { offerRerun } from './rerun/rerun-job.ts';
import { requireFinished } from './results/export-result.ts';
import { addExportRoutes } from './results/exports.routes.ts';
import { readFacts } from './results/job-batch.table.ts';
import { countRows, readGridPage, readResultPage, requireJob } from './results/read-result.ts';
import { countOutcomes } from './results/view/row-facts.ts';
import { createRowLists, isStatusAlone } from './results/view/row-lists.ts';
import { readReviewPage } from './review/read-review.ts';
import type { JobRouteDeps } from './route-deps.ts';
import { addUploadRoutes } from './uploads.routes.ts';

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

const describeFailures = ({ rows, detail }: JobFailures): string =>
  [`${rows} ${rows === 1 ? 'row was' : 'rows were'} not answered.`, detail ?? ''].join(' ').trim();

/** The providers of a job, by id. A provider that was skipped before any request is included. */
export function presentJobProviders(database: ReadableDatabase, jobId: number): JobProviders {
  const spending = listJobSpending(database, jobId);
  const found = listJobFields(database, jobId);
  const prices = readPrices(database);
  const notes = new Map([
    ...listJobFailures(database, jobId).map(
      (one) => [one.provider, describeFailures(one)] as const,
    ),
    ...listNotes(database, jobId).map(({ provider, detail }) => [provider, detail] as const),
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

const jobHandlers = ({ environment }: JobRouteDeps): Handlers<typeof jobs> => ({
  layers: (_input, { accountId }) => describeLayers(environment.database, accountId),
  list(query, { accountId, request }) {
    const { count, jobs: page } = listJobs(environment.database, accountId, query);
    return { count, ...linkPages(request, query, count), results: page.map(presentJob) };
  },
  status: ({ job_id }, { accountId }) => presentJob(requireJob(environment, accountId, job_id)),
  cancel: ({ job_id: jobId }, { accountId }) => environment.writer.cancelJob({ accountId, jobId }),
  retry({ job_id: jobId }, { request }) {
    const spending = spendingOf(request, `POST /api/v1/data-enrichment/retry/${jobId}/`, {});
    return environment.writer.retryJob({ ...spending, jobId });
  },
  async setWhenOffline({ job_id: jobId, when_offline: whenOffline }, { accountId }) {
    await environment.writer.setWhenOffline({ accountId, jobId, whenOffline });
    return presentJob(requireJob(environment, accountId, jobId));
  },
  async checkNetwork() {
    await environment.writer.checkNetwork(null);
    return { checking: true };
  },
});

const resultHandlers = ({ environment }: JobRouteDeps): Handlers<typeof results> => ({
  read({ job_id, ...query }, { accountId, request, reply }) {
    const { status, format } = query;
    const job = requireFinished(requireJob(environment, accountId, job_id));
    if (format === 'csv') {
      const { preset: crm, record_id, id_list, records, own_lists, sources } = query;
      const command = {
        accountId,
        jobId: job.uuid,
        status: status ?? null,
        format,
        forExcel: false,
        protectAll: false,
        overwrite: null,
        preset: crm && { crm, record_id, id_list, records },
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

const listHandlers = ({ environment }: JobRouteDeps): Handlers<typeof jobList> => ({
  read(query, { accountId }) {
    const { jobs: page, next } = listJobPage(environment.database, accountId, query);
    const counts = countJobs(environment.database, accountId);
    return { jobs: page.map(presentJob), next, counts };
  },
  async rename({ job_id: jobId, title }, { accountId }) {
    await environment.writer.renameJob({ accountId, jobId, title });
    return presentJob(requireJob(environment, accountId, jobId));
  },
  remove: ({ job_ids: jobIds, cancel }, { accountId }) =>
    environment.writer.removeJobs({ accountId, jobIds, cancel }),
  restore: async ({ job_ids: jobIds }, { accountId }) => ({
    restored: await environment.writer.restoreJobs({ accountId, jobIds }),
  }),
  queue: (_input, { accountId }) => readQueue(environment.database, accountId),
  async move({ job_id: jobId, place }, { accountId }) {
    await environment.writer.moveJob({ accountId, jobId, place });
    return readQueue(environment.database, accountId);
  },
  async offerRerun({ job_id: jobId }, { accountId }) {
    const counts = await environment.reader.countRerun({ accountId, jobId });
    const { database, directoryDatabase: directory } = environment;
    return offerRerun({ database, directory }, { accountId, jobId }, counts);
  },
  rerun: ({ job_id: jobId, rows }, { accountId }) =>
    environment.writer.rerunJob({ accountId, jobId, rows, keyId: null }),
});

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
  const served = [
    [submissions, submissionHandlers(context)],
    [jobs, jobHandlers(context)],
    [results, resultHandlers(context)],
    [review, reviewHandlers(context)],
  ] as const;
  for (const [table, handlers] of served) serve(server, context, table, handlers);
  for (const [table, handlers] of served) serve(server, context, atOldPath(table), handlers);
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
      return readGridPage(environment, job, { limit, offset, status: view.status, list });
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

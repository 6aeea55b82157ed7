// list_jobs, review_list, decide_review and export_list. The cells of a file are never returned.
import { extname } from 'node:path';
import type { finishTools } from '../../contract/assistants/tools/finish-list.ts';
import type { ToolInput, ToolOutput } from '../../contract/assistants/tools.ts';
import { formatCredits } from '../../contract/credits.ts';
import { invalid } from '../../contract/errors.ts';
import type { CrmName } from '../../contract/exports/crm-export.ts';
import { describeRecords, explainNoIds } from '../../contract/exports/crm-presets.ts';
import { exportFormats } from '../../contract/exports/export-formats.ts';
import type { JobRow } from '../../jobs/job.table.ts';
import { listJobPage } from '../../jobs/list/job-list.table.ts';
import { presentJob } from '../../jobs/present-job.ts';
import { findRecordIds } from '../../jobs/results/crm-table.ts';
import { requireFinished } from '../../jobs/results/export-result.ts';
import { withInput } from '../../jobs/results/exports.routes.ts';
import { requireJob } from '../../jobs/results/read-result.ts';
import { readReviewPage } from '../../jobs/review/read-review.ts';
import { findNewFile } from '../open-list-file.ts';
import type { ToolCall } from './tool-call.ts';
import { countOf, sayCharged, type ToolHandlers } from './tool-handler.ts';

const findJob = ({ environment, caller }: ToolCall, jobId: string): JobRow =>
  requireFinished(requireJob(environment, caller.accountId, jobId));

function listJobs(
  { environment, caller }: ToolCall,
  args: ToolInput<'list_jobs'>,
): ToolOutput<'list_jobs'> {
  const { jobs, next } = listJobPage(environment.database, caller.accountId, args);
  return {
    jobs: jobs.map((job) => ({ ...presentJob(job), file_name: job.fileName })),
    next,
  };
}

async function reviewList(
  call: ToolCall,
  { job_id: jobId, ...page }: ToolInput<'review_list'>,
): Promise<ToolOutput<'review_list'>> {
  const job = findJob(call, jobId);
  const query = { status: 'waiting' as const, ...page };
  const read = await readReviewPage(call.environment, job, query, String, { isOwner: false });
  return {
    waiting: read.waiting,
    price_per_row: formatCredits(job.pricePerRowUnits),
    rows: read.results.map(({ row_index, reason, candidates }) => ({
      row_index,
      reason,
      candidates: candidates.map((candidate) => ({
        ...candidate,
        // An assistant chooses the columns of a file, and could name any of them.
        evidence: candidate.evidence.map(({ given, ...one }) => ({
          ...one,
          given: job.fileName === null ? given : '',
        })),
      })),
    })),
    next_after: read.next === null ? null : Number(read.next),
  };
}

const decideReview = (
  call: ToolCall,
  { job_id: jobId, picks }: ToolInput<'decide_review'>,
): Promise<ToolOutput<'decide_review'>> => {
  const { accountId, keyId } = call.caller;
  return call.spendAllowed((asking) =>
    call.environment.writer.applyPicks({ accountId, keyId, asking, jobId, picks }),
  );
};

const findNoIds = ({ environment }: ToolCall, job: JobRow, crm: CrmName): string[] => {
  const ids = withInput(environment, job, (rows) =>
    findRecordIds(job, rows, environment.directoryDatabase),
  );
  const said = explainNoIds(crm, ids);
  return said === null ? [] : [`${said} (import_list), and save it again.`];
};

async function exportList(
  call: ToolCall,
  { job_id: jobId, path: named, crm, sources }: ToolInput<'export_list'>,
): Promise<ToolOutput<'export_list'>> {
  const { environment, caller } = call;
  const job = findJob(call, jobId);
  const extension = extname(named).slice(1).toLowerCase();
  const format = exportFormats.find((one) => one === extension);
  if (!format) throw invalid(`path: the name must end in .${exportFormats.join(', .')}.`);
  const path = await findNewFile(environment, caller.accountId, named);
  const { rows, records } = await environment.reader.exportToFile({
    kind: 'result',
    accountId: caller.accountId,
    jobId: job.uuid,
    path,
    format,
    status: null,
    forExcel: false,
    protectAll: false,
    overwrite: null,
    preset: crm && { crm },
    hasSources: sources,
  });
  if (!crm || !records) return { path, rows };
  const outcome = [describeRecords(records, String), ...findNoIds(call, job, crm)].join(' ');
  return { path, rows, outcome };
}

export const finishHandlers: ToolHandlers<keyof typeof finishTools> = {
  list_jobs: {
    handle: async (call, args) => listJobs(call, args),
    summarize: ({ jobs, next }) =>
      `${countOf(jobs.length, 'job')}, newest first. ` +
      `${next === null ? '' : 'There are more. '}Free.`,
  },
  review_list: {
    handle: reviewList,
    summarize: ({ waiting, rows }) =>
      `Rows that wait for a decision: ${waiting}. In this answer: ${rows.length}. Free.`,
  },
  decide_review: {
    handle: decideReview,
    summarize: (answer) =>
      `${countOf(answer.applied, 'decision')} applied. ` +
      `Rows that still wait: ${answer.remaining}. ` +
      `${sayCharged(answer)} ${Number(answer.credits_refunded)} returned.`,
  },
  export_list: {
    handle: exportList,
    summarize: ({ path, rows, outcome }) =>
      [`${countOf(rows, 'row')} saved to ${path}.`, outcome, 'Free.'].filter(Boolean).join(' '),
  },
};

// Dependencies of the routes of enrichment jobs.
import type { ExportTickets, RouteDepsWith } from '../http/route-deps.ts';
import type { ExportCalls } from '../spreadsheet/export-calls.ts';
import type { JobCalls } from './create-job-commands.ts';
import type { JobReads } from './job-reads.ts';
import type { LeftOutExport } from './results/left-out-export.ts';
import type { ResultExport } from './results/result-export.ts';

export interface JobRouteDeps
  extends RouteDepsWith<JobCalls, JobReads & ExportCalls<ResultExport | LeftOutExport>> {
  readonly tickets: ExportTickets<ResultExport | LeftOutExport>;
}

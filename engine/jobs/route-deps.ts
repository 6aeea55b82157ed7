/** What the routes of enrichment jobs work with. */
import type { ExportTickets, RouteDepsWith } from '../http/route-deps.ts';
import type { ExportCalls } from '../spreadsheet/export.commands.ts';
import type { JobCalls, JobReads } from './jobs.commands.ts';
import type { ResultExport } from './results/result-export.ts';

/** Deps of the routes of jobs. */
export interface JobRouteDeps
  extends RouteDepsWith<JobCalls, JobReads & ExportCalls<ResultExport>> {
  readonly tickets: ExportTickets<ResultExport>;
}

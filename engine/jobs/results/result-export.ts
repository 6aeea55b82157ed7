/** The export of a job's result. */

import type { RowStatus } from '../../contract/jobs/job.ts';
import type { ExportOptions } from '../../spreadsheet/export-options.ts';

/** What the CSV of a job's result is to hold. */
export interface ResultExport extends ExportOptions {
  readonly jobId: string;
  readonly status: RowStatus | null;
}

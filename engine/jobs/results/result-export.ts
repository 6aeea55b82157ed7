/** Options of the export of a job's result. */

import type { RowStatus } from '../../contract/jobs/job.ts';
import type { ExportOptions } from '../../spreadsheet/export-options.ts';

/** Contents of the CSV of a job's result. */
export interface ResultExport extends ExportOptions {
  readonly jobId: string;
  readonly status: RowStatus | null;
}

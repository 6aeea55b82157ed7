/** The export of the findings of a Career Monitor job. */

import type { FindingStatus } from '../contract/monitors/career-monitor.ts';
import type { ExportOptions } from '../spreadsheet/export-options.ts';

/** What the CSV of a Career Monitor job's findings is to hold. */
export interface FindingsExport extends ExportOptions {
  readonly monitorJobId: number;
  readonly status: FindingStatus | null;
}

// Options of the export of a Career Monitor job's findings.
import type { FindingStatus } from '../contract/monitors/career-monitor.ts';
import type { ExportOptions } from '../spreadsheet/export-options.ts';

export interface FindingsExport extends ExportOptions {
  readonly kind: 'findings';
  readonly monitorJobId: number;
  readonly status: FindingStatus | null;
}

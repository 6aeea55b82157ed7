/** Options of every export. */
import type { ExportFormat } from '../contract/jobs/app-jobs.ts';

export interface ExportOptions {
  readonly accountId: number;
  readonly format: ExportFormat;
  readonly forExcel: boolean;
  readonly protectAll: boolean;
}

// Options of every export.
import type { ExportFormat } from '../contract/exports/export-formats.ts';

export interface ExportOptions {
  readonly accountId: number;
  readonly format: ExportFormat;
  readonly forExcel: boolean;
  readonly protectAll: boolean;
}

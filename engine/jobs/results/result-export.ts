// Options of the export of a job's result.
import type { CrmExport } from '../../contract/exports/crm-export.ts';
import type { Overwrite } from '../../contract/exports/overwrite.ts';
import type { RowStatus } from '../../contract/jobs/job.ts';
import type { ExportOptions } from '../../spreadsheet/export-options.ts';

export interface ResultExport extends ExportOptions {
  readonly kind: 'result';
  readonly jobId: string;
  readonly status: RowStatus | null;
  /** Numbers of the rows to write, in their order; omitted: all rows of the status, in order. */
  readonly list?: Uint32Array | undefined;
  /** Null: the user's own values stay unchanged. */
  readonly overwrite: Overwrite | null;
  /** The columns of the file in their order (JobExportSchema); undefined for every column. */
  readonly columns?: readonly string[] | undefined;
  /** Whether the columns of own lists are added; with a preset, whether kept columns are. */
  readonly ownLists?: boolean | undefined;
  /** Whether each found value comes with its source, day and confidence. */
  readonly hasSources?: boolean | undefined;
  /** Only what a CRM imports; undefined for every column. */
  readonly preset?: CrmExport | undefined;
  /** Whether no file is written: the records of the preset are counted. */
  readonly isCount?: boolean | undefined;
}

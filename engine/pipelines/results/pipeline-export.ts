/** The export of a pipeline. */

import type { ExportOptions } from '../../spreadsheet/export-options.ts';

/** What the CSV of a pipeline's contacts is to hold. */
export interface PipelineExport extends ExportOptions {
  readonly pipelineId: string;
}

// Options of the export of a pipeline.
import type { ExportOptions } from '../../spreadsheet/export-options.ts';

export interface PipelineExport extends ExportOptions {
  readonly kind: 'pipeline';
  readonly pipelineId: string;
}

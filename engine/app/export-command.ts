/** The exports of all capabilities. */

import type { ResultExport } from '../jobs/results/result-export.ts';
import type { FindingsExport } from '../monitors/findings-export.ts';
import type { PipelineExport } from '../pipelines/results/pipeline-export.ts';

/** What a CSV export is to hold. */
export type ExportCommand = ResultExport | FindingsExport | PipelineExport;

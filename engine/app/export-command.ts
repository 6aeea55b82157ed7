/** The exports of all capabilities. */

import type { AuditExport } from '../audit/export-audit.ts';
import type { LeftOutExport } from '../jobs/results/left-out-export.ts';
import type { ResultExport } from '../jobs/results/result-export.ts';
import type { FindingsExport } from '../monitors/findings-export.ts';
import type { PipelineExport } from '../pipelines/results/pipeline-export.ts';
import type { WalletExport } from '../wallet/export-wallet.ts';

export type ExportCommand =
  | ResultExport
  | LeftOutExport
  | FindingsExport
  | PipelineExport
  | AuditExport
  | WalletExport;

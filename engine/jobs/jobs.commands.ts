/** Commands about enrichment jobs, to the writer thread. */

import type { EstimateData, SubmitData } from '../contract/jobs/job.ts';
import type { LayerCode } from '../contract/jobs/layers.ts';
import type { ColumnMapping } from '../contract/jobs/row-input.ts';
import type { Spending } from '../ledger/approvals.commands.ts';
import type { IdempotencyUse } from '../ledger/idempotency-use.ts';
import type { PreparedInput } from '../spreadsheet/prepared-input.ts';

/** What POST /submit/ comes down to, once parsed. */
export interface SubmitCommand extends Spending {
  readonly codes: readonly LayerCode[];
  readonly title: string;
  readonly fileName: string | null;
  readonly input: PreparedInput;
  readonly mapping: ColumnMapping;
  readonly idempotency: IdempotencyUse | null;
}

/** `replayed`: an earlier request with the same idempotency key made this job. */
export interface SubmitAnswer {
  readonly data: SubmitData;
  readonly replayed: boolean;
}

/** What an estimate needs to answer beside the preview. */
export type EstimateWithoutPreview = Omit<EstimateData, 'preview'>;

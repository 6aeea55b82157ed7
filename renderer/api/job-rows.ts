// Rows of a job. Not needed before the first screen.
import { z } from 'zod';
import {
  GridPageSchema,
  type GridRow,
  GridRowSchema,
  jobRows,
} from '../../engine/contract/jobs/app-jobs.ts';
import type { RowView } from '../../engine/contract/jobs/row-view.ts';
import { ask } from './client.ts';

/** The first row of each status. */
function sampleRows(rows: readonly GridRow[]): GridRow[] {
  const byStatus = new Map<unknown, GridRow>();
  for (const row of rows) {
    const status = row?.result?.status;
    if (!byStatus.has(status)) byStatus.set(status, row);
  }
  return [...byStatus.values()];
}

/**
 * A page of which one row of each status is parsed. The engine writes all rows of a status in one
 * way, and a page is read 7 times a second while one scrolls (decision 073).
 */
export const SampledPageSchema = GridPageSchema.extend({
  rows: z.custom<GridRow[]>(
    (rows) =>
      Array.isArray(rows) && sampleRows(rows).every((row) => GridRowSchema.safeParse(row).success),
    'the rows are not those of a result',
  ),
});

const readPage = { ...jobRows.read, answer: SampledPageSchema };

export const readRows = (
  jobId: string,
  page: RowView & { limit: number; offset: number },
  signal: AbortSignal,
) => ask(readPage, { job_id: jobId, ...page }, { signal });

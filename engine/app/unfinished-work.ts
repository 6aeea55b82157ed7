/** Detects whether an environment has unfinished work, without opening it. */

import { nextRunnableJob, nextWaitingJob } from '../jobs/job-states.ts';
import { findNextRunAt } from '../monitors/monitor.table.ts';
import { nextOpenPipeline } from '../pipelines/pipeline.table.ts';
import { openStoreReadable } from '../platform/sqlite/open-store.ts';
import { nextOpenValidation } from '../validations/validation.table.ts';
import { listWebhooksWithWork } from '../webhooks/delivery.table.ts';

/**
 * Whether the environment in this folder has an unfinished job, email validation or pipeline, a
 * pending delivery, or an active monitor. False for an environment that was never opened, or cannot
 * be read: opening it reports why.
 */
export function hasUnfinishedWork(folder: string): boolean {
  try {
    const database = openStoreReadable(folder);
    try {
      return (
        nextRunnableJob(database) !== null ||
        nextWaitingJob(database) !== null ||
        nextOpenValidation(database, 0) !== null ||
        nextOpenPipeline(database, 0) !== null ||
        findNextRunAt(database) !== null ||
        listWebhooksWithWork(database).length > 0
      );
    } finally {
      database.close();
    }
  } catch {
    return false;
  }
}

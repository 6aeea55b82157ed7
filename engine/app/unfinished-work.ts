/** Tells whether an environment has work to go on with, without opening it. */

import { nextRunnableJob } from '../jobs/job.table.ts';
import { findNextRunAt } from '../monitors/monitor.table.ts';
import { nextOpenPipeline } from '../pipelines/pipeline.table.ts';
import { openStoreReadable } from '../platform/sqlite/open-store.ts';
import { nextOpenValidation } from '../validations/validation.table.ts';
import { listWebhooksWithWork } from '../webhooks/delivery.table.ts';

/**
 * Whether a job of the environment in this folder, a validation of emails or a pipeline waits to be
 * run, an event to be delivered, or a monitor for its time. False for an environment that was never
 * opened, and for one that cannot be read: who asks for it is told why.
 */
export function hasUnfinishedWork(folder: string): boolean {
  try {
    const database = openStoreReadable(folder);
    try {
      return (
        nextRunnableJob(database) !== null ||
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

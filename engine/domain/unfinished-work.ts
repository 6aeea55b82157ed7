/** Tells whether a world has work to go on with, without opening it. */
import { nextOpenValidation } from '../store/email-validation.ts';
import { nextRunnableJob } from '../store/job.ts';
import { findNextRunAt } from '../store/monitor.ts';
import { openStoreReadable } from '../store/open-store.ts';
import { nextOpenPipeline } from '../store/pipeline.ts';
import { listWebhooksWithWork } from '../store/webhook-delivery.ts';

/**
 * Whether a job of the world in this folder, a validation of emails or a pipeline waits to be run,
 * an event to be delivered, or a monitor for its time. False for a world that was never opened, and
 * for one that cannot be read: who asks for it is told why.
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

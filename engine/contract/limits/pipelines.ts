/** Limits of pipelines. */

/** People that one pipeline may name by filters or by UUIDs. */
export const pipelineContactsMax = 100_000;

/**
 * Contacts that one transaction of a pipeline looks up or unlocks; pipelines take turns by these.
 */
export const pipelineBatchContactsMax = 500;

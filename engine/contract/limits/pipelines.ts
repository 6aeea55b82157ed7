// Limits of pipelines.

/** People that one pipeline may select by filters or by UUIDs. */
export const pipelineContactsMax = 100_000;

/** Contacts that one transaction of a pipeline looks up or unlocks: one turn of a pipeline. */
export const pipelineBatchContactsMax = 500;

// Limits of the shared directory.

export const sharedAddressCharactersMax = 500;

/** How long a server may take to accept a connection. */
export const sharedConnectMs = 5_000;

/** The longest statement of a reader or a job, in milliseconds. */
export const sharedStatementMs = 30_000;

/** How long a statement waits for a lock of another login, in milliseconds. */
export const sharedLockMs = 10_000;

/** Connections of an engine or of a worker, at most. */
export const sharedConnectionsMax = 4;

/** The pause of a worker or an owner that waits for the queue: at first, and at most. */
export const queueWaitMs = { min: 20, max: 250 } as const;

/** The pause before a worker tries a server again that it could not reach. */
export const queueRetryMs = 500;

/** How long a worker may match one batch; then another takes it. */
export const queueSilenceMs = 60_000;

/** The most bytes of a batch that a worker reads. */
export const queueBatchBytesMax = 1 << 26;

/** How often a worker tells the server that it still matches its batch. */
export const queueBeatMs = 20_000;

/** How often a worker deletes what engines left in the queue. */
export const queueSweepMs = 3_600_000;

/** Workers of one program that may end while they match a batch; the next one refuses it. */
export const batchDeathsMax = 3;

/** How often an owner writes a batch again that is neither taken nor answered. */
export const queueRenewMs = 10_000;

/** Days after which a batch or an answer that no engine asks for is deleted. */
export const queueDaysMax = 1;

/** How long a job tries a server that it cannot reach before its rows wait for it. */
export const sharedPatienceMs = 10_000;

/** How long the queue may be without a worker before the rows of a job wait for one. */
export const sharedWorkerMs = 30_000;

/** How long a connection is silent before the system asks whether the server is still there. */
export const sharedKeepAliveMs = 10_000;

/** How long an answer to a query may take to arrive, in addition to the longest statement. */
export const sharedArrivalMs = 5_000;

/** How long a lookup of one contact, or a step of a pipeline, waits for a worker. */
export const sharedContactMs = 15_000;

/** Batches of a job in flight while it asks the shared directory, so that several workers work. */
export const sharedBatchesMax = 8;

/** Up to this number, the total of a search over the shared directory is exact. */
export const sharedTotalExactMax = 10_000;

/** The pause before a worker that ended is replaced: at first, and at most. It doubles. */
export const workerRestartMs = { min: 100, max: 1_000 } as const;

/** How long a worker runs before an end counts as the first one. */
export const workerStableMs = 60_000;

/** The pause of an engine before it starts a worker that was refused: its login, or its secret. */
export const workerRefusedMs = 10_000;

/** How long an engine that stops waits for its worker's batch; then another worker takes it. */
export const workerStopMs = 2_000;

/** Workers that one command starts, at most. */
export const workersMax = 64;

/** Buckets of a distributed directory: if no number is given, and at most. */
export const sharedBuckets = { usual: 32, max: 128 } as const;

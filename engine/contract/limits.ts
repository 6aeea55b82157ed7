/** Every bound of the product, named once; the specification's "Limits" table and decisions.md. */

/** Rows in one JSON submission. */
export const jsonRowsMax = 10_000;
/** Bytes of an uploaded spreadsheet: 100 MB. */
export const csvUploadBytesMax = 104_857_600;
/** Bytes of a JSON request body that are read. */
export const jsonBodyBytesMax = 32 * 1024 * 1024;
/** Characters in one cell of a caller's row. */
export const csvCellCharactersMax = 1_048_576;
/** Columns in one spreadsheet. */
export const csvColumnsMax = 1_000;
/** Rows of an upload that are shown at once. */
export const previewRowsMax = 100;
/** Characters of those rows, after which no further row is kept for showing. */
export const previewCharactersMax = 1_048_576;
/** Warnings that are kept about one spreadsheet. */
export const csvWarningsMax = 100;
/** Bytes of a workbook's XML parts once unpacked: 256 MiB, some 400,000 rows of eight cells. */
export const workbookXmlBytesMax = 268_435_456;
/** Rows between two entries of an input's offset index. */
export const inputIndexStride = 1_000;
/** Rows that one transaction of a running job writes at most. */
export const batchRowsMax = 2_000;
/** Rows that an estimate's dry run looks at, spread over the list. */
export const estimateSampleRowsMax = 1_000;
/** Characters in a job's title. */
export const titleCharactersMax = 200;
/** Characters in an idempotency key. */
export const idempotencyKeyCharactersMax = 255;
/** How long an idempotency key is remembered. */
export const idempotencyKeptMs = 24 * 60 * 60 * 1000;
/** How long an upload waits for its job. */
export const uploadKeptMs = 24 * 60 * 60 * 1000;
/** Requests per key in any one window. */
export const rateLimitRequestsMax = 60;
/** The sliding window of the rate limit. */
export const rateLimitWindowMs = 60_000;
/** Smallest and largest page, and the defaults of the result, jobs and ledger lists. */
export const pageLimitMin = 1;
export const pageLimitMax = 1_000;
export const pageLimitDefault = 50;
/** Candidates that are named for an ambiguous row. */
export const candidatesMax = 3;
/** The port of the loopback server unless told otherwise. */
export const portDefault = 43_117;
/** Credits that the first account of a new installation is granted. */
export const firstGrantCredits = 100_000;
/** Credits that one grant may hold: keeps every sum of units within exact integers. */
export const grantCreditsMax = 100_000_000;
/** Characters in the label of a key or the name of an account. */
export const labelCharactersMax = 120;
/** Match threads at most, whatever the machine has. */
export const matchThreadsMax = 4;
/** Batches that each match thread may hold at once. */
export const batchesInFlightPerThread = 2;
/** How long a one-time link of the interface can be redeemed. */
export const openLinkKeptMs = 5 * 60_000;
/** How long a download ticket can be redeemed. */
export const ticketKeptMs = 60_000;
/** Between two progress events of one job. */
export const progressEventIntervalMs = 200;
/** Times the desktop starts an engine again that ended by itself, within the window below. */
export const engineRestartsMax = 5;
/** The sliding window in which restarts are counted. */
export const engineRestartsWindowMs = 10 * 60_000;
/** The wait before the first restart; each further one waits twice as long. */
export const engineRestartDelayMinMs = 250;
/** How long the desktop waits for an engine that was asked to stop, before it kills it. */
export const engineStopMaxMs = 15_000;
/** Bytes of the list of files in a backup. */
export const backupManifestBytesMax = 64 * 1024 * 1024;
/** Free bytes under which `doctor` warns, and under which it says that work will soon stop. */
export const freeDiskWarningBytes = 1024 ** 3;
export const freeDiskWrongBytes = 100 * 1024 ** 2;
/** Rows that an estimate by count may ask for; with the next bound it keeps sums exact integers. */
export const estimateRowCountMax = 100_000_000;
/** Credits that one layer may cost per row. */
export const rateCreditsMax = 1_000;
/** Between two notes of the use of one API key. */
export const keyUseIntervalMs = 60_000;
/** Bytes of one field of a form, beside its files. */
export const formFieldBytesMax = 1_048_576;
/** Parts of a form that are read. */
export const formPartsMax = 50;
/** Tries to redeem a one-time link in any one window of the rate limit. */
export const openCodeTriesMax = 10;
/** One-time links or tickets that wait at once; the oldest gives way. */
export const oneTimeCodesMax = 1_000;
/** Between two sweeps of expired uploads. */
export const uploadSweepIntervalMs = 60 * 60_000;
/** Between two signs of life on the event stream. */
export const eventHeartbeatIntervalMs = 15_000;
/** Bytes that may wait for a slow reader of events before its stream is ended. */
export const eventBacklogBytesMax = 1_048_576;
/** How long a closing server waits for answers in hand. */
export const serverCloseMaxMs = 3_000;
/** Remarks that an import's report keeps. */
export const importRemarksMax = 1_000;
/** Bytes of one file that the directory imports: 4 GB. */
export const importFileBytesMax = 4_294_967_296;
/** Rows of an import that are read between two chances to cancel it. */
export const importSliceRows = 2_000;
/** Rows from which on a list is read on a thread of its own; starting one takes as long. */
export const importThreadRowsMin = 10_000;
/** Bytes from which on a CSV goes into an empty directory as it is read. */
export const importUnstagedBytesMin = 2_097_152;
/** Rows that the reading thread of an import hands over at a time: few, so that they die young. */
export const importBatchRows = 200;
/** Batches of them that may wait to be written. */
export const importBatchesMax = 8;
/** Megabytes of short-lived memory that the reading thread of an import may gather. */
export const importThreadYoungMegabytes = 12;
/** Imports that the directory's statistics name. */
export const importsListedMax = 100;
/** Arenas of the C library's allocator in an engine: each keeps freed memory back for itself. */
export const mallocArenasMax = 2;

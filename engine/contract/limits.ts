/** Every bound of the product, named once; the specification's "Limits" table and docs/rules.md. */

/** Rows in one JSON submission. */
export const jsonRowsMax = 10_000;
/** Rows that one transaction of a running job writes at most. */
export const batchRowsMax = 2_000;
/** Rows that an estimate's dry run looks at, spread over the list. */
export const estimateSampleRowsMax = 1_000;
/** Characters in a job's title. */
export const titleCharactersMax = 200;
/** Characters in the profile URL of a direct lookup. */
export const profileUrlCharactersMax = 2_048;
/** Characters in an idempotency key. */
export const idempotencyKeyCharactersMax = 255;
/** How long an idempotency key is remembered. */
export const idempotencyKeptMs = 24 * 60 * 60 * 1000;
/** How long an upload waits for its job. */
export const uploadKeptMs = 24 * 60 * 60 * 1000;
/** Requests of a key in any one window, unless the key has a limit of its own. */
export const rateLimitRequestsMax = 60;
/** The most requests in any one window that a key can be given: 100 a second. */
export const keyRequestsPerMinuteMax = 6_000;
/** Credits that a spending cap of a key may allow. */
export const keyCapCreditsMax = 100_000_000;
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
/** Credits that the staging world's first account is granted. */
export const stagingGrantCredits = 10_000;
/** Rows that the sandbox's upstream takes at once: few, so that slow rows show progress. */
export const sandboxRequestRowsMax = 25;
/** The waits before each further try of the sandbox's upstream: it wastes nobody's time. */
export const sandboxRetryDelaysMs: readonly number[] = [20, 40, 80];
/** How long the sandbox's upstream takes for a slow row. */
export const sandboxSlowRowMs = 1_000;
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
/** How long the file that leads the browser to a one-time link waits for it. */
export const openFileKeptMs = 30_000;
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
/** One-time links or tickets that wait at once; the oldest gives way. */
export const oneTimeCodesMax = 1_000;
/** Between two sweeps of expired uploads. */
export const uploadSweepIntervalMs = 60 * 60_000;
/** Between two signs of life on the event stream. */
export const eventHeartbeatIntervalMs = 15_000;
/** Bytes that may wait for a slow reader of events before its stream is ended. */
export const eventBacklogBytesMax = 1_048_576;
/**
 * The wait before a part of the engine that failed is tried again: a thread that ended, an index
 * that could not be built. It doubles with each failure in a row, up to the second bound.
 */
export const restartDelayMinMs = 100;
export const restartDelayMaxMs = 60_000;
/** How long a thread must run for its earlier ends to count no longer. */
export const threadStableMs = 60_000;
/** Ends of one thread in a row from which on the engine reports a fault until it is stable. */
export const threadEndsFault = 3;
/** How often one call may end the thread that works on it, before it is given up. */
export const callEndsMax = 3;
/** What Retry-After says while a part of the engine is being started again. */
export const unavailableRetrySeconds = 2;
/** How long a closing world waits for a thread to stop by itself, before it ends it. */
export const threadStopMaxMs = 8_000;
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
/** The page of the Career Monitor job list unless told otherwise. */
export const monitorPageLimitDefault = 10;
/** Monitors of one account at once. */
export const monitorsMax = 200;
/** The longest sleep of the clock of monitors: a machine's own sleep does not count for timers. */
export const monitorClockMaxMs = 30_000;
/** Different or equal addresses in one validation of emails. */
export const validationEmailsMax = 10_000;
/** Characters in one of them: more than any address has, so that it is told that it is too long. */
export const validationEmailCharactersMax = 1_000;
/** Addresses that one transaction of a validation judges; validations take turns by these. */
export const validationBatchEmailsMax = 250;
/** Domains that are looked up at the same time. */
export const domainLookupsMax = 64;
/** Domains whose lookup is remembered; the oldest gives way. */
export const domainsKeptMax = 100_000;
/** How long a source that verified an address, or saw a catch-all, is believed. */
export const verifiedKeptDays = 180;
/** How long a source that saw an address bounce is believed: mailboxes seldom come back. */
export const bounceKeptDays = 365;
/** The least trust of a source whose word on an address counts. */
export const reportTrustMin = 0.5;
/** The page of a search over the directory, unless told otherwise, and the largest. */
export const searchLimitDefault = 25;
export const searchLimitMax = 100;
/** Values that one filter of a search may take. */
export const searchFilterValuesMax = 100;
/** Characters in one value of a filter. */
export const searchTextCharactersMax = 200;
/** How long a search right after the start waits for the index. */
export const searchWaitMaxMs = 10_000;
/** Values that a refusal of an unknown one names. */
export const searchValuesNamedMax = 100;
/** Requests of a key to the tool server in any one window: a window of its own. */
export const toolRequestsMax = 600;
/** Assistants of an account that may come over the local socket, each with a key of its own. */
export const stdioClientsMax = 100;
/** Characters of the name that a client gives itself; what is longer is cut. */
export const stdioNameCharactersMax = 100;
/** How long calls are waited for that were begun before the end of standard input. */
export const stdioDrainMaxMs = 30_000;
/** How long a host waits for a guest to let go of the folder, and how often both look. */
export const folderHandoverMaxMs = 30_000;
export const folderLookIntervalMs = 200;
/** Sessions of the tool server that are kept at once; the longest unused gives way. */
export const toolSessionsMax = 256;
/** Ended sessions whose ids are remembered, so that they stay ended. */
export const endedToolSessionsMax = 4_096;
/** Messages in one batch of JSON-RPC. */
export const toolBatchMessagesMax = 25;
/** Between two signs of life on a silent stream of the tool server. */
export const toolStreamHeartbeatMs = 15_000;
/** Contacts that one call of unlock_contacts may name. */
export const unlockContactsMax = 1_000;
/** Contacts that are read between two reports of progress. */
export const unlockSliceContacts = 100;
/** Characters in one argument that names a person or a company. */
export const toolTextCharactersMax = 500;
/** Former and other employments that a profile lists. */
export const workHistoryMax = 50;
/** People that one pipeline may name by filters or by UUIDs. */
export const pipelineContactsMax = 100_000;
/**
 * Contacts that one transaction of a pipeline looks up or unlocks; pipelines take turns by these.
 */
export const pipelineBatchContactsMax = 500;
/** The page of a validation's results, unless a tool is told otherwise. */
export const verdictLimitDefault = 100;
/** How long a program has to redeem its code. */
export const codeKeptMs = 60_000;
/** How long a used code is remembered, so that a second use is known for what it is. */
export const codeRememberedMs = 24 * 60 * 60_000;
/** Programs that registered and were never allowed anything: the newest are kept. */
export const oauthClientsMax = 200;
/** Programs that may register in any one window of the rate limit. */
export const registrationsMax = 60;
/** Bytes of what the authorization server reads, and of a client's metadata document. */
export const oauthBodyBytesMax = 16_384;
/** How long a person has to answer a program that asks. */
export const consentKeptMs = 10 * 60_000;
/** Programs that may wait for an answer at once; the oldest gives way. */
export const consentsMax = 100;
/** How long a waiting page is held before it asks again. */
export const consentWaitMs = 25_000;
/** Characters in the name of a program, and addresses that it may register. */
export const clientNameCharactersMax = 80;
export const redirectUrisMax = 10;
/** Characters in one of these addresses, and in the state of a request. */
export const redirectCharactersMax = 2_048;
/** How long the fetch of a client's metadata document may take, and how long it is believed. */
export const clientDocumentMaxMs = 5_000;
export const clientDocumentKeptMs = 60 * 60_000;
/** Documents that are remembered; the oldest gives way. */
export const clientDocumentsMax = 100;
/**
 * Wrong passwords of anybody in a window, behind which each further check waits: as long as the
 * first wait, then twice as long each time, up to the last. Nobody is locked out.
 */
export const loginFreeTries = 5;
export const loginDelayMinMs = 1_000;
export const loginDelayMaxMs = 10_000;
export const loginWindowMs = 15 * 60_000;
/** Pages that wait for the check of a password: as many as may wait for an answer. */
export const loginTriesWaitingMax = 100;
/** Logins at an identity provider that one page may begin in a window. */
export const loginBeginsMax = 20;
/** How long an identity provider may take for all that one step of a login asks of it. */
export const identityAnswerMaxMs = 10_000;
/** Bytes of one answer of an identity provider; the keys of a large one take some 20 KB. */
export const identityAnswerBytesMax = 262_144;
/** How long a person may take to log in at an identity provider. */
export const identityLoginKeptMs = 5 * 60_000;
/** People who may be logging in at once; the oldest gives way. */
export const identityLoginsMax = 100;
/** Emails, and subjects, that one account may name. */
export const allowedPeopleMax = 100;
/** Characters in a subject (OpenID Connect Core, 2), and in a client's id or secret. */
export const subjectCharactersMax = 255;
export const identityClientCharactersMax = 2_000;
/** Characters in a password. */
export const passwordCharactersMin = 8;
export const passwordCharactersMax = 200;
/** Characters in the address of a webhook. */
export const webhookUrlCharactersMax = 2_048;
/** Webhooks of one account at once. */
export const webhooksMax = 100;
/** Hosts of private networks that one account may name for its webhooks. */
export const webhookHostsMax = 100;
/** The waits before each further attempt of a delivery, each give or take the share below. */
export const webhookRetryDelaysMs: readonly number[] = [
  5_000,
  5 * 60_000,
  30 * 60_000,
  2 * 60 * 60_000,
  5 * 60 * 60_000,
  10 * 60 * 60_000,
  10 * 60 * 60_000,
];
export const webhookRetrySpread = 0.1;
/** The longest wait that a receiver may ask for by Retry-After. */
export const webhookRetryAfterMaxMs = 24 * 60 * 60_000;
/** How long a receiver may take to answer an attempt. */
export const webhookAttemptMaxMs = 10_000;
/** Attempts under way at once, of all webhooks together; each webhook has one at a time. */
export const webhookAttemptsInFlightMax = 8;
/** Bytes of a receiver's answer that are read, and characters of it that are kept. */
export const webhookAnswerBytesMax = 4_096;
export const webhookExcerptCharactersMax = 500;
/** How long the former secret of a webhook signs beside the new one. */
export const webhookSecretOverlapMs = 24 * 60 * 60_000;
/** How long a delivery that has ended is kept, and how many are cleared away at a time. */
export const webhookDeliveryKeptMs = 30 * 24 * 60 * 60_000;
export const webhookSweepDeliveries = 500;
/**
 * The longest sleep of the clock of deliveries: a machine's own sleep does not count for timers.
 */
export const webhookClockMaxMs = 30_000;
/** How long a command waits for an attempt: longer than it takes where the keychain hangs, too. */
export const webhookCommandWaitMs = 20_000;
/** How long the system's keychain may take to answer, and when one that did not is asked again. */
export const keychainAnswerMaxMs = 5_000;
export const keychainRetryMs = 60_000;
/** Calls of tools that are remembered, of all accounts together; the oldest give way. */
export const toolCallsKeptMax = 10_000;
/** Characters of a call's arguments that are remembered. */
export const toolArgumentsCharactersMax = 500;
/** Offences in the arguments of one call that are named. */
export const toolIssuesMax = 3;
/** Unknown keys of an object that are named. */
export const unknownNamesMax = 3;
/** Calls on one page of the activity of assistants. */
export const toolCallsPageMax = 100;
/** How long a call waits for a person: less than the minute after which clients give up. */
export const approvalWaitMaxMs = 45_000;
/** How long a question can be answered, and how long the answer then holds for the same request. */
export const approvalKeptMs = 10 * 60_000;
/** Questions of one key that wait at once; the oldest gives way. */
export const approvalsMax = 100;
/** Rows of one enrich_list. */
export const toolListRowsMax = 1_000;
/** Rows on one page of check_enrich_list, and unless it is told otherwise. */
export const toolResultRowsMax = 100;
export const toolResultRowsDefault = 25;
/** Folders from which one account may let assistants have lists enriched. */
export const listFoldersMax = 100;
/** Characters in the path of a list, or of such a folder. */
export const listPathCharactersMax = 4_096;

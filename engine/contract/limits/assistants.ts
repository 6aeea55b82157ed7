/** Limits of the tool server and of its clients. */

/** Requests of a key to the tool server in any one window: a window of its own. */
export const toolRequestsMax = 600;

/** Characters of the name that a client gives itself; what is longer is cut. */
export const stdioNameCharactersMax = 100;

/** How long calls are waited for that were begun before the end of standard input. */
export const stdioDrainMaxMs = 30_000;

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

/** Calls of tools that are remembered, of all accounts together; the oldest give way. */
export const toolCallsKeptMax = 10_000;

/** Characters of a call's arguments that are remembered. */
export const toolArgumentsCharactersMax = 500;

/** Offences in the arguments of one call that are named. */
export const toolIssuesMax = 3;

/** Calls on one page of the activity of assistants. */
export const toolCallsPageMax = 100;

/** Rows of one enrich_list. */
export const toolListRowsMax = 1_000;

/** Rows on one page of check_enrich_list, and unless it is told otherwise. */
export const toolResultRowsMax = 100;

export const toolResultRowsDefault = 25;

/** Folders from which one account may let assistants have lists enriched. */
export const listFoldersMax = 100;

/** Characters in the path of a list, or of such a folder. */
export const listPathCharactersMax = 4_096;

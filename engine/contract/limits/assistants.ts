// Limits of the tool server and of its clients.

/** Requests of a key to the tool server in any one window, counted apart from REST. */
export const toolRequestsMax = 600;

/** Characters of the name that a client reports; longer names are cut. */
export const stdioNameCharactersMax = 100;

/** How long to wait for calls in progress after standard input ends. */
export const stdioDrainMaxMs = 30_000;

/** Sessions of the tool server that are kept at once; the least recently used is dropped. */
export const toolSessionsMax = 256;

/** Ended sessions whose ids are remembered, so that they cannot be resumed. */
export const endedToolSessionsMax = 4_096;

export const toolBatchMessagesMax = 25;

export const toolStreamHeartbeatMs = 15_000;

export const unlockContactsMax = 1_000;

/** Contacts that are read between two progress reports. */
export const unlockSliceContacts = 100;

/** Characters in one argument that identifies a person or a company. */
export const toolTextCharactersMax = 500;

/** Tool calls that are kept, over all accounts; the oldest are deleted. */
export const toolCallsKeptMax = 10_000;

/** Characters of a call's arguments that are kept. */
export const toolArgumentsCharactersMax = 500;

/** Problems with the arguments of one call that are reported. */
export const toolIssuesMax = 3;

export const toolCallsPageMax = 100;

export const toolListRowsMax = 1_000;

/** Rows on one page of check_enrich_list: the maximum, and the default. */
export const toolResultRowsMax = 100;

export const toolResultRowsDefault = 25;

/** Folders of lists that one account may allow assistants to read. */
export const listFoldersMax = 100;

/** Characters in the path of a list or of such a folder. */
export const listPathCharactersMax = 4_096;

/** Characters of one text in an answer of a tool; the rest is cut. */
export const toolValueCharactersMax = 1_000;

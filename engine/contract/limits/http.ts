/** Every bound of the HTTP server: its connections, headers and bodies. */

/** Bytes of a JSON request body that are read. */
export const jsonBodyBytesMax = 32 * 1024 * 1024;
/** Bytes of a JSON body up to which the HTTP thread reads it; a larger one waits for a thread. */
export const jsonInlineBytesMax = 262_144;
/** Values in a larger body that may be a list: 10,000 rows of some 100 fields. */
export const jsonListValuesMax = 1_000_000;
/** Values in a larger body of any other route, and in a larger message to the tool server. */
export const jsonValuesMax = 10_000;
export const toolMessageValuesMax = 100_000;
/** Larger bodies that are received, wait or are read at once; another is told to come back. */
export const largeBodiesMax = 16;
/** How long a larger body may wait for those before it. */
export const largeBodyWaitMaxMs = 30_000;
/** What a caller is told to wait who comes when there are too many. */
export const busyRetrySeconds = 5;
/** How long a client may take to send a JSON body. */
export const jsonReceiveMaxMs = 60_000;
/** Megabytes of memory of the thread that reads larger bodies, and how long it waits for more. */
export const bodyThreadMegabytes = 512;
export const bodyThreadIdleMs = 5_000;
/** Characters of what a schema says, and of the path at which it says it. */
export const issueCharactersMax = 600;
/** Bytes of one field of a form; files do not count. */
export const formFieldBytesMax = 1_048_576;
/** Parts of a form that are read. */
export const formPartsMax = 50;
/** How long a client may take to send a request's headers. */
export const headersReceiveMaxMs = 30_000;
/** How long a client may take to send a whole request; the largest import takes a few minutes. */
export const requestReceiveMaxMs = 30 * 60_000;
/** How long a connection may wait for its next request. */
export const connectionIdleMaxMs = 60_000;
/** Between two looks for requests that take too long. */
export const connectionCheckIntervalMs = 10_000;
/** How long a connection may stand still in the middle of a body, or of an answer. */
export const connectionStallMaxMs = 120_000;
/** How long a refused connection stays for its client to read the answer. */
export const connectionLingerMaxMs = 2_000;
/** How long, and how many bytes, the body of a refused request is read so that it is heard. */
export const drainMaxMs = 30_000;
export const drainBytesMax = 512 * 1024 * 1024;
/** Bytes of a request's headers, its path included. */
export const headersBytesMax = 16_384;
/** How long a closing server waits for unfinished answers. */
export const serverCloseMaxMs = 3_000;

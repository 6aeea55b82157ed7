// Limits of the HTTP server: its connections, headers and bodies.

export const jsonBodyBytesMax = 32 * 1024 * 1024;
/** Bytes of a JSON body up to which the HTTP thread parses it. The body thread parses others. */
export const jsonInlineBytesMax = 262_144;
/** Values in a larger body that may contain a list: 10,000 rows of about 100 fields. */
export const jsonListValuesMax = 1_000_000;
/** Values in a larger body of any other route, and in a larger message to the tool server. */
export const jsonValuesMax = 10_000;
export const toolMessageValuesMax = 100_000;
/** Larger bodies that may be received, waiting or parsed at once; further ones get `busy`. */
export const largeBodiesMax = 16;
/** How long a larger body may wait for its turn. */
export const largeBodyWaitMaxMs = 30_000;
/** Retry-After of a `busy` answer. */
export const busyRetrySeconds = 5;
export const jsonReceiveMaxMs = 60_000;
/** Megabytes of memory of the body thread, and how long it stays idle before it ends. */
export const bodyThreadMegabytes = 512;
export const bodyThreadIdleMs = 5_000;
/** Characters of a schema's message, and of the path it is about. */
export const issueCharactersMax = 600;
/** Bytes of one form field; files do not count. */
export const formFieldBytesMax = 1_048_576;
export const formPartsMax = 50;
/** Time limit to receive a request's headers. */
export const headersReceiveMaxMs = 30_000;
/** Time limit to receive a whole request. The largest import takes a few minutes. */
export const requestReceiveMaxMs = 30 * 60_000;
export const connectionIdleMaxMs = 60_000;
/** Interval of checks for requests that exceed their time limit. */
export const connectionCheckIntervalMs = 10_000;
/** How long a connection may make no progress while a body is received or an answer is sent. */
export const connectionStallMaxMs = 120_000;
/** How long a refused connection stays open so that the client can read the answer. */
export const connectionLingerMaxMs = 2_000;
/** Limits of reading the body of a refused request, after which the client reads the answer. */
export const drainMaxMs = 30_000;
export const drainBytesMax = 512 * 1024 * 1024;
/** Bytes of a request's headers, including its path. */
export const headersBytesMax = 16_384;
export const serverCloseMaxMs = 3_000;

// Limits of the HTTP server besides connections and bodies: rates, links, event streams.

/** Requests of a key in any one window, unless the key has its own limit. */
export const rateLimitRequestsMax = 60;

export const rateLimitWindowMs = 60_000;

export const openLinkKeptMs = 5 * 60_000;

/** How long a browser that is not used keeps its session. */
export const browserSessionUnusedMs = 30 * 86_400_000;

/** How often the use of a browser's session is recorded at most, because each record is a write. */
export const browserSessionTouchMs = 3_600_000;

/** How long the file that redirects the browser to a one-time link is kept. */
export const openFileKeptMs = 30_000;

export const ticketKeptMs = 60_000;

/** One-time links or tickets that are kept at once; the oldest is dropped. */
export const oneTimeCodesMax = 1_000;

export const eventHeartbeatIntervalMs = 15_000;

/** Bytes that may be buffered for a slow reader of events before its stream is closed. */
export const eventBacklogBytesMax = 1_048_576;

/** Requests of programs that are kept in memory for Connections, for each environment. */
export const loggedRequestsMax = 500;

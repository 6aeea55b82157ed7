/**
 * Limits of the HTTP server other than those of connections and bodies: rates, links, event
 * streams.
 */

/** Requests of a key in any one window, unless the key has a limit of its own. */
export const rateLimitRequestsMax = 60;

/** The sliding window of the rate limit. */
export const rateLimitWindowMs = 60_000;

/** How long a one-time link of the interface can be redeemed. */
export const openLinkKeptMs = 5 * 60_000;

/** How long the file that leads the browser to a one-time link waits for it. */
export const openFileKeptMs = 30_000;

/** How long a download ticket can be redeemed. */
export const ticketKeptMs = 60_000;

/** One-time links or tickets that wait at once; the oldest gives way. */
export const oneTimeCodesMax = 1_000;

/** Between two signs of life on the event stream. */
export const eventHeartbeatIntervalMs = 15_000;

/** Bytes that may wait for a slow reader of events before its stream is ended. */
export const eventBacklogBytesMax = 1_048_576;

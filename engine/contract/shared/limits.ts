/** Limits of the shared directory. */

/** Characters of an address. */
export const sharedAddressCharactersMax = 500;

/** How long a server may take to accept a connection. */
export const sharedConnectMs = 5_000;

/** The longest statement of a reader or a job, in milliseconds. */
export const sharedStatementMs = 30_000;

/** Connections of an engine or of a worker, at most. */
export const sharedConnectionsMax = 4;

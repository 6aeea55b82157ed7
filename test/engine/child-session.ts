// The session of an engine in a separate process, shared with its test.
/** The token of the session. */
export const sessionToken = 'a session of the engine in a process';

// The session of an engine in a process of its own, known to it and to the test that asks it.
/** The token of the session. */
export const sessionToken = 'a session of the engine in a process';

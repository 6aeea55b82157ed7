// The session of an engine that may open few files, known to it and to the test that asks it.
/** The token of the session. */
export const sessionToken = 'a session of the limited engine';

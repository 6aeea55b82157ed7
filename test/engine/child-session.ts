// The session of an engine in a separate process, shared with its test.
export const sessionToken = 'a session of the engine in a process';

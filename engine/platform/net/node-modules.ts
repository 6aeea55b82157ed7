// Node's modules of HTTP and TLS, without the cost of their import. Importing `node:http` as an ES
// module reads its getters, which loads `fetch` and `WebSocket`: 70 ms of CPU time in every process
// and thread. `node:https` and `node:tls` cost 30 ms, and most commands and threads use neither.

/** The module `node:http`. */
export const http = process.getBuiltinModule('node:http');

/** The module `node:https`, loaded at its first use. */
export const loadHttps = () => process.getBuiltinModule('node:https');

/** The module `node:tls`, loaded at its first use. */
export const loadTls = () => process.getBuiltinModule('node:tls');

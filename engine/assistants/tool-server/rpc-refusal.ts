/** How the tool server says no outside of a tool: JSON-RPC errors with an HTTP status. */

/** Codes of JSON-RPC, and those of the protocol's own range that are used here. */
export const rpcCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  refused: -32000,
  sessionUnknown: -32001,
} as const;

/** A JSON-RPC error that answers no request in particular. */
export const refuseRpc = (
  status: number,
  code: (typeof rpcCodes)[keyof typeof rpcCodes],
  message: string,
): Response => Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status });

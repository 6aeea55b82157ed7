// The JSON-RPC error with which the tool server refuses a request before it reaches a tool.

/** A JSON-RPC error without a request id. `data.error` is a code of errors.ts. */
export interface ToolFailure {
  readonly jsonrpc: '2.0';
  readonly error: {
    readonly code: number;
    readonly message: string;
    readonly data: { readonly error: string };
  };
  readonly id: null;
}

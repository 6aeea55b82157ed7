/** How the tool server refuses outside of a tool: a JSON-RPC error. */

/** A JSON-RPC error that answers no request in particular; `data.error` is a code of errors.ts. */
export interface ToolFailure {
  readonly jsonrpc: '2.0';
  readonly error: {
    readonly code: number;
    readonly message: string;
    readonly data: { readonly error: string };
  };
  readonly id: null;
}

/** Commands about the browsers that use the app, served by the writer of the live environment. */

/** Each may reject with an EngineError. */
export interface SessionCalls {
  /** Opens a session for a browser; returns its token, which is stored only as a hash. */
  openBrowserSession(command: {
    readonly browser: string;
    /** The wall clock in milliseconds. */
    readonly nowMs: number;
  }): Promise<{ token: string }>;
  /** Records that a session is in use. */
  touchBrowserSession(command: { readonly id: string; readonly nowMs: number }): Promise<void>;
  /** Rejects with `not_found` if there is no such session. */
  closeBrowserSession(command: { readonly id: string; readonly nowMs: number }): Promise<void>;
}

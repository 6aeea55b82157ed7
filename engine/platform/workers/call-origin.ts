// Who caused the current work: set once a request is authenticated, sent with every call to another
// thread, and read by the audit log. Work of a scheduler has no origin.
import { AsyncLocalStorage } from 'node:async_hooks';

export interface CallOrigin {
  readonly channel: 'app' | 'command_line' | 'key';
  /** The id of the API key; null unless the channel is `key`. */
  readonly keyId: string | null;
  readonly accountId: number | null;
}

const origins = new AsyncLocalStorage<CallOrigin | null>();

/** The origin of the work that runs now; null if no request caused it. */
export const currentOrigin = (): CallOrigin | null => origins.getStore() ?? null;

export const runWithOrigin = <Result>(origin: CallOrigin | null, work: () => Result): Result =>
  origins.run(origin, work);

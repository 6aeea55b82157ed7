/** The sessions of browsers, as the server checks them. */
import { hashKey } from '../accounts/api-keys.ts';
import { browserSessionTouchMs } from '../contract/limits/http-server.ts';
import { logFailure } from '../platform/log-failure.ts';
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';
import {
  type BrowserSessionRow,
  findBrowserSession,
  listBrowserSessions,
} from './browser-session.table.ts';
import { unusedSince } from './create-session-commands.ts';
import type { SessionCalls } from './sessions.commands.ts';

/** The sessions of all browsers. The live environment keeps them for all environments. */
export interface BrowserSessions {
  /** The id of a token's session, which counts as used; null without a valid session. */
  find(token: string): string | null;
  /** The valid sessions, the last used first. */
  list(): BrowserSessionRow[];
  /** Opens a session; returns its token. */
  open(browser: string): Promise<string>;
  /** Rejects with `not_found`. */
  close(id: string): Promise<void>;
}

/** @param now wall clock in milliseconds */
export function createBrowserSessions(
  { database, writer }: { database: ReadableDatabase; writer: SessionCalls },
  now: () => number,
): BrowserSessions {
  const isValid = ({ lastUsedAt }: BrowserSessionRow) => lastUsedAt >= unusedSince(now());
  return {
    find(token) {
      const session = findBrowserSession(database, hashKey(token));
      if (!session || !isValid(session)) return null;
      if (now() - Date.parse(session.lastUsedAt) > browserSessionTouchMs)
        writer
          .touchBrowserSession({ id: session.id, nowMs: now() })
          .catch((error: unknown) => logFailure('recording the use of a browser failed', error));
      return session.id;
    },
    list: () => listBrowserSessions(database).filter(isValid),
    open: async (browser) => (await writer.openBrowserSession({ browser, nowMs: now() })).token,
    close: (id) => writer.closeBrowserSession({ id, nowMs: now() }),
  };
}

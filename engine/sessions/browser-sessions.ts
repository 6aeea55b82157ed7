// The sessions of browsers, as the server checks them.
import { randomBytes, randomUUID } from 'node:crypto';
import { hashKey } from '../accounts/api-keys.ts';
import { EngineError } from '../contract/errors.ts';
import { browserSessionTouchMs } from '../contract/limits/http-server.ts';
import { logFailure } from '../platform/log-failure.ts';
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';
import {
  type BrowserSessionRow,
  findBrowserSession,
  listBrowserSessions,
} from './browser-session.table.ts';
import { type SessionCalls, unusedSince } from './create-session-commands.ts';

/** The sessions of all browsers. The live environment keeps them for all environments. */
export interface BrowserSessions {
  /** The id of a token's session, which counts as used; null without a valid session. */
  find(token: string): string | null;
  list(): BrowserSessionRow[];
  open(browser: string): Promise<string>;
  /** Rejects with `not_found`. */
  close(id: string): Promise<void>;
}

/** @param now wall clock in milliseconds */
export function createBrowserSessions(
  { database, writer }: { database: ReadableDatabase; writer: SessionCalls },
  now: () => number,
): BrowserSessions {
  // Opened while nothing can be written; they end with the engine.
  const passing = new Map<string, BrowserSessionRow>();
  const openPassing = (browser: string): string => {
    const token = randomBytes(32).toString('base64url');
    const [id, at] = [randomUUID(), new Date(now()).toISOString()];
    passing.set(hashKey(token), { id, browser, openedAt: at, lastUsedAt: at });
    return token;
  };
  const isValid = ({ lastUsedAt }: BrowserSessionRow) => lastUsedAt >= unusedSince(now());
  return {
    find(token) {
      const hash = hashKey(token);
      const session = passing.get(hash) ?? findBrowserSession(database, hash);
      if (!session || !isValid(session)) return null;
      if (passing.has(hash)) return session.id;
      // A time ahead of the clock was noted before the clock was set back.
      if (Math.abs(now() - Date.parse(session.lastUsedAt)) > browserSessionTouchMs)
        writer
          .touchBrowserSession({ id: session.id, nowMs: now() })
          .catch((error: unknown) => logFailure('recording the use of a browser failed', error));
      return session.id;
    },
    list: () => [...passing.values(), ...listBrowserSessions(database).filter(isValid)],
    async open(browser) {
      try {
        return (await writer.openBrowserSession({ browser, nowMs: now() })).token;
      } catch (error) {
        if (!(error instanceof EngineError) || error.code !== 'read_only') throw error;
        return openPassing(browser);
      }
    },
    async close(id) {
      const [hash] = [...passing].find(([, session]) => session.id === id) ?? [];
      if (hash === undefined) await writer.closeBrowserSession({ id, nowMs: now() });
      else passing.delete(hash);
    },
  };
}

// The commands about browser sessions, on the writing connection.
import { randomBytes, randomUUID } from 'node:crypto';
import { hashKey } from '../accounts/api-keys.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { notFound } from '../contract/errors.ts';
import { browserSessionUnusedMs } from '../contract/limits/http-server.ts';
import type { WritableDatabase } from '../platform/sqlite/open-database.ts';
import { inTransaction } from '../platform/sqlite/transaction.ts';
import { trustedTime } from '../platform/trusted-clock.ts';
import {
  deleteBrowserSession,
  deleteUnusedSessions,
  insertBrowserSession,
  touchBrowserSession,
} from './browser-session.table.ts';

/** The earliest last use of a session that is still valid. */
export const unusedSince = (nowMs: number): string =>
  new Date(nowMs - browserSessionUnusedMs).toISOString();

/** A session, and the wall clock in milliseconds. */
interface SessionUse {
  readonly id: string;
  readonly nowMs: number;
}

export const createSessionCommands = (database: WritableDatabase) => ({
  /** Opens a session for a browser; returns its token, which is stored only as a hash. */
  async openBrowserSession({ browser, nowMs }: { browser: string; nowMs: number }) {
    const token = randomBytes(32).toString('base64url');
    const [id, at] = [randomUUID(), new Date(nowMs).toISOString()];
    inTransaction(database, () => {
      // A wrong clock refuses sessions, and they are valid again when it is right.
      const trustedMs = trustedTime(database, new Date(nowMs)).getTime();
      deleteUnusedSessions(database, unusedSince(trustedMs));
      insertBrowserSession(database, {
        id,
        hash: hashKey(token),
        browser,
        openedAt: at,
        lastUsedAt: at,
      });
      const note = { action: 'session_opened', at, accountId: null, subject: id } as const;
      recordAudit(database, { ...note, details: { browser } });
    });
    return { token };
  },
  async touchBrowserSession({ id, nowMs }: SessionUse) {
    touchBrowserSession(database, id, new Date(nowMs).toISOString());
  },
  /** Rejects with `not_found` if there is no such session. */
  async closeBrowserSession({ id, nowMs }: SessionUse) {
    inTransaction(database, () => {
      const browser = deleteBrowserSession(database, id);
      if (browser === undefined) throw notFound('This browser is closed already. Reload the list.');
      const note = { action: 'session_closed', accountId: null, subject: id } as const;
      recordAudit(database, { ...note, at: new Date(nowMs).toISOString(), details: { browser } });
    });
  },
});

export type SessionCalls = ReturnType<typeof createSessionCommands>;

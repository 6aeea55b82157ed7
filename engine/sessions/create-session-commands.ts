/** The commands about browser sessions, on the writing connection. */
import { randomBytes, randomUUID } from 'node:crypto';
import { hashKey } from '../accounts/api-keys.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { EngineError } from '../contract/errors.ts';
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
import type { SessionCalls } from './sessions.commands.ts';

/** The earliest last use of a session that is still valid. */
export const unusedSince = (nowMs: number): string =>
  new Date(nowMs - browserSessionUnusedMs).toISOString();

export const createSessionCommands = (database: WritableDatabase): SessionCalls => ({
  async openBrowserSession({ browser, nowMs }) {
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
  async touchBrowserSession({ id, nowMs }) {
    touchBrowserSession(database, id, new Date(nowMs).toISOString());
  },
  async closeBrowserSession({ id, nowMs }) {
    inTransaction(database, () => {
      const browser = deleteBrowserSession(database, id);
      if (browser === undefined)
        throw new EngineError('not_found', 'This browser is closed already. Reload the list.');
      const note = { action: 'session_closed', accountId: null, subject: id } as const;
      recordAudit(database, { ...note, at: new Date(nowMs).toISOString(), details: { browser } });
    });
  },
});

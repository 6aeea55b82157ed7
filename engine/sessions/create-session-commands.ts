/** The commands about browser sessions, on the writing connection. */
import { randomBytes, randomUUID } from 'node:crypto';
import { hashKey } from '../accounts/api-keys.ts';
import { EngineError } from '../contract/errors.ts';
import { browserSessionUnusedMs } from '../contract/limits/http-server.ts';
import type { WritableDatabase } from '../platform/sqlite/open-database.ts';
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

/** Creates the handlers. */
export const createSessionCommands = (database: WritableDatabase): SessionCalls => ({
  async openBrowserSession({ browser, nowMs }) {
    const token = randomBytes(32).toString('base64url');
    const at = new Date(nowMs).toISOString();
    deleteUnusedSessions(database, unusedSince(nowMs));
    insertBrowserSession(database, {
      ...{ id: randomUUID(), hash: hashKey(token), browser },
      ...{ openedAt: at, lastUsedAt: at },
    });
    return { token };
  },
  async touchBrowserSession({ id, nowMs }) {
    touchBrowserSession(database, id, new Date(nowMs).toISOString());
  },
  async closeBrowserSession({ id }) {
    if (!deleteBrowserSession(database, id))
      throw new EngineError('not_found', 'This browser is closed already. Reload the list.');
  },
});

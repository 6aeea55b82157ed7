// The table `browser_session`: the browsers that redeemed a one-time link.
import type { ReadableDatabase, WritableDatabase } from '../platform/sqlite/open-database.ts';
import { statement } from '../platform/sqlite/statement.ts';

export interface BrowserSessionRow {
  readonly id: string;
  /** Name and system, from its User-Agent header. */
  readonly browser: string;
  readonly openedAt: string;
  /** At most an hour old while the browser is in use. */
  readonly lastUsedAt: string;
}

const selectSession = `
  SELECT id, browser, opened_at AS openedAt, last_used_at AS lastUsedAt FROM browser_session`;

export function insertBrowserSession(
  database: WritableDatabase,
  session: BrowserSessionRow & { readonly hash: string },
): void {
  statement(
    database,
    `INSERT INTO browser_session (id, hash, browser, opened_at, last_used_at)
     VALUES (@id, @hash, @browser, @openedAt, @lastUsedAt)`,
  ).run(session);
}

/** The session of a token. @param hash SHA-256 of the token in lower-case hex */
export const findBrowserSession = (
  database: ReadableDatabase,
  hash: string,
): BrowserSessionRow | null =>
  statement<BrowserSessionRow>(database, `${selectSession} WHERE hash = ?`).get(hash) ?? null;

/** All sessions, the last used first. */
export const listBrowserSessions = (database: ReadableDatabase): BrowserSessionRow[] =>
  statement<BrowserSessionRow>(
    database,
    `${selectSession} ORDER BY last_used_at DESC, rowid DESC`,
  ).all();

export function touchBrowserSession(database: WritableDatabase, id: string, at: string): void {
  statement(database, 'UPDATE browser_session SET last_used_at = ? WHERE id = ?').run(at, id);
}

export const deleteBrowserSession = (database: WritableDatabase, id: string): string | undefined =>
  statement<{ browser: string }>(
    database,
    'DELETE FROM browser_session WHERE id = ? RETURNING browser',
  ).get(id)?.browser;

export function deleteUnusedSessions(database: WritableDatabase, since: string): void {
  statement(database, 'DELETE FROM browser_session WHERE last_used_at < ?').run(since);
}

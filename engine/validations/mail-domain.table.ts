// The table `mail_domain`: cached outcomes of domain lookups with their expiry. The oldest are
// deleted, so that the table stays small.
import { domainsKeptMax } from '../contract/limits/validations.ts';
import type { ReadableDatabase, WritableDatabase } from '../platform/sqlite/open-database.ts';
import { statement } from '../platform/sqlite/statement.ts';

export interface DomainFinding {
  /** In lower case; internationalised domains in their xn-- form. */
  readonly domain: string;
  readonly outcome: string;
  /** ISO 8601 in UTC. */
  readonly keptUntil: string;
}

/** The cached finding about a domain, also if it is too old; null if there is none. */
export const findDomain = (database: ReadableDatabase, domain: string): DomainFinding | null =>
  statement<DomainFinding>(
    database,
    'SELECT domain, outcome, kept_until AS keptUntil FROM mail_domain WHERE domain = ?',
  ).get(domain) ?? null;

/** Stores findings as the newest, and deletes those beyond the limit. */
export function keepDomainFindings(
  database: WritableDatabase,
  findings: readonly DomainFinding[],
): void {
  const insert = statement(
    database,
    'INSERT OR REPLACE INTO mail_domain (domain, outcome, kept_until) VALUES (?, ?, ?)',
  );
  for (const { domain, outcome, keptUntil } of findings) insert.run(domain, outcome, keptUntil);
  // Ids only increase, so the limit needs no counting.
  statement(
    database,
    'DELETE FROM mail_domain WHERE id <= (SELECT max(id) FROM mail_domain) - ?',
  ).run(domainsKeptMax);
}

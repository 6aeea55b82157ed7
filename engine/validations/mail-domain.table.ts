// The table `mail_domain`: what was found out of each domain, and until when it is believed. The
// oldest give way, so that it stays small whatever is validated.
import { domainsKeptMax } from '../contract/limits/validations.ts';
import type { ReadableDatabase, WritableDatabase } from '../platform/sqlite/open-database.ts';
import { statement } from '../platform/sqlite/statement.ts';

/** What was found out of a domain. */
export interface DomainFinding {
  /** In lower case, other scripts as their xn-- form. */
  readonly domain: string;
  readonly outcome: string;
  /** ISO 8601 in UTC. */
  readonly keptUntil: string;
}

/** What is still believed of a domain at a time; null where nothing is. */
export const findDomainOutcome = (
  database: ReadableDatabase,
  domain: string,
  at: string,
): string | null =>
  statement<{ outcome: string }>(
    database,
    'SELECT outcome FROM mail_domain WHERE domain = ? AND kept_until > ?',
  ).get(domain, at)?.outcome ?? null;

/** Keeps findings, each as the newest of all, and drops those beyond the bound. */
export function keepDomainFindings(
  database: WritableDatabase,
  findings: readonly DomainFinding[],
): void {
  const insert = statement(
    database,
    'INSERT OR REPLACE INTO mail_domain (domain, outcome, kept_until) VALUES (?, ?, ?)',
  );
  for (const { domain, outcome, keptUntil } of findings) insert.run(domain, outcome, keptUntil);
  // Ids only grow, so that the bound needs no counting.
  statement(
    database,
    'DELETE FROM mail_domain WHERE id <= (SELECT max(id) FROM mail_domain) - ?',
  ).run(domainsKeptMax);
}

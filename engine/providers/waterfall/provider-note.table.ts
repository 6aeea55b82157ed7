// The table `provider_note`: providers that the rest of a job did not ask, with the reason.
import type { ReadableDatabase, WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';

export interface ProviderNote {
  readonly provider: string;
  /** A ProviderFailure, 'cap' or 'off'; of the team's directory a TeamFailure. */
  readonly failure: string;
  /** A sentence for the user: what happened, and what to do. */
  readonly detail: string;
  readonly at: string;
}

/** Stores a note. A newer one of the same provider replaces it. */
export function insertNote(
  database: WritableDatabase,
  { jobId, provider, failure, detail, at }: ProviderNote & { readonly jobId: number },
): void {
  statement(
    database,
    `INSERT OR REPLACE INTO provider_note (job_id, provider, failure, detail, at)
     VALUES (?, ?, ?, ?, ?)`,
  ).run(jobId, provider, failure, detail, at);
}

export function deleteNote(database: WritableDatabase, jobId: number, provider: string): void {
  statement(database, 'DELETE FROM provider_note WHERE job_id = ? AND provider = ?').run(
    jobId,
    provider,
  );
}

export const listNotes = (database: ReadableDatabase, jobId: number): ProviderNote[] =>
  statement<ProviderNote>(
    database,
    `SELECT provider, failure, detail, at FROM provider_note WHERE job_id = ? ORDER BY provider`,
  ).all(jobId);

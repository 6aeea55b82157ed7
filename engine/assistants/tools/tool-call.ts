/**
 * One call of a tool: who calls, what of the environment it may use, and how it speaks meanwhile.
 */

import type { EnvironmentName } from '../../contract/ids.ts';
import type { Provider } from '../../contract/provider.ts';
import type { SearchCalls } from '../../directory/search/search-directory.ts';
import type { JobCalls, JobReads } from '../../jobs/jobs.commands.ts';
import type { ApprovalCalls, Asking } from '../../ledger/approvals.commands.ts';
import type { LedgerCalls } from '../../ledger/unlock.commands.ts';
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import type { PreparedInput } from '../../spreadsheet/prepared-input.ts';
import type { ValidationCalls } from '../../validations/validations.commands.ts';
import type { OpenedFile } from '../open-list-file.ts';

/** What of an environment the tools use. */
export interface ToolEnvironment {
  readonly name: EnvironmentName;
  readonly folder: string;
  readonly database: ReadableDatabase;
  readonly directoryDatabase: ReadableDatabase;
  readonly provider: Provider | null;
  readonly reader: Pick<JobReads, 'matchContact'>;
  readonly writer: JobCalls & LedgerCalls & ValidationCalls & ApprovalCalls;
  readonly search: SearchCalls;
}

/** Who calls, and pays. */
export interface ToolCaller {
  readonly accountId: number;
  /** The API key, whose caps count; null for the app and the local socket. */
  readonly keyId: string | null;
  /** What idempotency keys and limits go by: the key's id, or "app:<account uuid>". */
  readonly keyScope: string;
}

/** Surroundings of one call. */
export interface ToolCall {
  readonly environment: ToolEnvironment;
  readonly caller: ToolCaller;
  /** Aborted where nobody waits for the answer any more: nothing is charged from then on. */
  readonly signal: AbortSignal;
  readonly now: () => Date;
  /** Tells how far a long call is. */
  readonly onProgress: (done: number, total: number) => Promise<void>;
  /** Writes rows as a table, uses it, and removes it. */
  readonly withRows: <Result>(
    table: { headers: readonly string[]; rows: readonly (readonly string[])[] },
    use: (input: PreparedInput) => Promise<Result>,
  ) => Promise<Result>;
  /** Copies an open file, closes it, uses the table in it, and removes the copy. */
  readonly withFile: <Result>(
    file: OpenedFile,
    use: (input: PreparedInput) => Promise<Result>,
  ) => Promise<Result>;
  /**
   * Runs a command that spends; where a person has to allow it, waits for their answer and runs it
   * again. Throws what it throws, EngineError `spending_cap_reached` where they say no,
   * `approval_required` where they do not answer, and the signal's reason.
   * @param spend the command, with the way in which it is to ask
   */
  readonly spendAllowed: <Result>(
    spend: (asking: Asking | null) => Promise<Result>,
  ) => Promise<Result>;
}

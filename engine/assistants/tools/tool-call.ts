/**
 * One call of a tool: who calls, what of the environment it may use, and how it speaks meanwhile.
 */

import type { Environment } from '../../app/environment.ts';
import type { Asking } from '../../ledger/approvals.commands.ts';
import type { PreparedInput } from '../../spreadsheet/prepared-input.ts';
import type { OpenedFile } from '../open-list-file.ts';

/** What of an environment the tools use. */
export type ToolEnvironment = Pick<
  Environment,
  'name' | 'database' | 'directoryDatabase' | 'folder' | 'provider' | 'reader' | 'writer' | 'search'
>;

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

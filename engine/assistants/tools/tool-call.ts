// One tool call: the caller, the parts of the environment it may use, progress and approvals.
import type { EnvironmentName } from '../../contract/ids.ts';
import type { DirectoryCalls } from '../../directory/route-deps.ts';
import type { SearchCalls } from '../../directory/search/search-directory.ts';
import type { JobCalls } from '../../jobs/create-job-commands.ts';
import type { JobReads } from '../../jobs/job-reads.ts';
import type { ResultExport } from '../../jobs/results/result-export.ts';
import type { Asking } from '../../ledger/approve-spending.ts';
import type { UnlockCalls } from '../../ledger/create-unlock-commands.ts';
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import type { ProviderCalls } from '../../providers/installed/change-providers.ts';
import type { SharedCalls } from '../../shared/settings/team-directory.ts';
import type { ExportCalls } from '../../spreadsheet/export-calls.ts';
import type { PreparedInput } from '../../spreadsheet/prepared-input.ts';
import type { ValidationCalls } from '../../validations/validate-emails.ts';
import type { AssistantCalls } from '../create-assistant-commands.ts';
import type { OpenedFile } from '../open-list-file.ts';

export interface ToolEnvironment {
  readonly name: EnvironmentName;
  readonly folder: string;
  readonly database: ReadableDatabase;
  readonly directoryDatabase: ReadableDatabase;
  readonly reader: Pick<JobReads, 'compareNames' | 'matchContact' | 'previewRows'> &
    Pick<DirectoryCalls, 'directoryStats' | 'importDirectory'> &
    Pick<ExportCalls<ResultExport>, 'exportToFile'>;
  readonly writer: JobCalls &
    UnlockCalls &
    ProviderCalls &
    ValidationCalls &
    Pick<AssistantCalls, 'answerApproval'> &
    Pick<SharedCalls, 'readTeamPeople'>;
  readonly search: SearchCalls;
}

export interface ToolCaller {
  readonly accountId: number;
  /** The API key, whose caps apply; null for the app and the local socket. */
  readonly keyId: string | null;
  /** The scope of idempotency keys and limits: the key's id, or "app:<account uuid>". */
  readonly keyScope: string;
}

export interface ToolCall {
  readonly environment: ToolEnvironment;
  readonly caller: ToolCaller;
  /** Aborted when the client no longer waits for the answer; nothing is charged after that. */
  readonly signal: AbortSignal;
  readonly now: () => Date;
  readonly onProgress: (done: number, total: number) => Promise<void>;
  /** Writes rows to a table, passes it to `use`, and removes it. */
  readonly withRows: <Result>(
    table: { headers: readonly string[]; rows: readonly (readonly string[])[] },
    use: (input: PreparedInput) => Promise<Result>,
  ) => Promise<Result>;
  /** Copies an open file, closes it, passes its table to `use`, and removes the copy. */
  readonly withFile: <Result>(
    file: OpenedFile,
    use: (input: PreparedInput) => Promise<Result>,
  ) => Promise<Result>;
  /** Copies an open file, closes it, passes the path of the copy to `use`, and removes it. */
  readonly withCopy: <Result>(
    file: OpenedFile,
    use: (path: string) => Promise<Result>,
  ) => Promise<Result>;
  /**
   * Runs a command that spends; if it needs approval, waits for the answer and runs it again.
   * Throws what the command throws, EngineError `spending_cap_reached` if a person denies it,
   * `approval_required` if no person answers, and the signal's reason.
   * @param spend the command, called with how to ask for approval
   */
  readonly spendAllowed: <Result>(
    spend: (asking: Asking | null) => Promise<Result>,
  ) => Promise<Result>;
}

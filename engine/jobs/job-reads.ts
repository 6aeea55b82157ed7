// Reads for jobs and single rows. The reader thread has the directory's index.
import { type AccountRow, getAccountById } from '../accounts/account.table.ts';
import type { LayerCode } from '../contract/jobs/layers.ts';
import type { ColumnMapping } from '../contract/jobs/row-input.ts';
import type { RowView } from '../contract/jobs/row-view.ts';
import type { ProviderRow } from '../contract/provider.ts';
import type { NamePair, NameVerdicts } from '../directory/match/compare-names.ts';
import { priceSelection } from '../ledger/price-job.ts';
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';
import type { DirectoryProvider } from '../providers/directory-provider.ts';
import { describeTeam } from '../shared/search/both-directories.ts';
import { inspectRows, type RowsInspection } from '../spreadsheet/inspect-rows.ts';
import { sampleRows } from '../spreadsheet/sample-rows.ts';
import { readSuppressionList } from '../suppression/suppression-list.ts';
import type { Matched, MatchOrder } from './matching/create-match-worker.ts';
import { matchContact } from './matching/match-contact.ts';
import { previewRows } from './preview/preview-rows.ts';
import { tryRows } from './preview/try-rows.ts';
import { countRerun } from './rerun/rerun-job.ts';

export function requireAccount(store: ReadableDatabase, accountId: number): AccountRow {
  const account = getAccountById(store, accountId);
  if (!account) throw new Error(`no account ${accountId}`);
  return account;
}

interface SampleCommand {
  readonly accountId: number;
  readonly dir: string;
  readonly mapping: ColumnMapping;
  readonly codes: readonly LayerCode[];
}

/** What is counted in the whole list before a sample of it is priced. */
type ListRepeats = Pick<RowsInspection, 'duplicateRows' | 'sampleRepeats'>;

interface PreviewCommand extends SampleCommand {
  /** Counted in the list if omitted. */
  readonly repeats?: ListRepeats | undefined;
  /** UUID of a completed job of the account; rows about its people are skipped. */
  readonly newSince?: string | undefined;
  /** The time, ISO 8601: the end of the window within which earlier jobs have paid. */
  readonly at: string;
  /** The answers of a match thread to the sample, if it had any. */
  readonly matched?: Matched | null;
}

interface ReadDeps {
  readonly store: ReadableDatabase;
  readonly directory: ReadableDatabase;
  /** Throws `not_ready` until the directory has been indexed. */
  readonly requireProvider: (remedy: string) => DirectoryProvider;
  readonly requireJoined: () => ReadableDatabase;
  /** Null while there is no index. */
  readonly compareName: (pair: NamePair) => NameVerdicts | null;
}

/** Creates the reads of the reader thread. Each may reject with an EngineError. */
export const createJobReads = ({
  store,
  directory,
  requireProvider,
  requireJoined,
  compareName,
}: ReadDeps) => ({
  /** The rows of a dry run, as they are matched. */
  async readSample({ accountId, dir, mapping }: SampleCommand): Promise<MatchOrder> {
    const { matchThreshold: threshold } = requireAccount(store, accountId);
    return { bytes: sampleRows(dir).bytes, mapping, threshold };
  },
  /** A dry run over up to 1,000 rows spread over the table. Stores nothing. */
  async previewRows(command: PreviewCommand) {
    const { accountId, dir, mapping, codes, newSince, at, repeats, matched } = command;
    const account = requireAccount(store, accountId);
    const remedy = 'The price is exact. Try the preview again in a few seconds.';
    const { answer, generation } = requireProvider(remedy);
    const { duplicateRows, sampleRepeats } = repeats ?? (await inspectRows(dir, mapping));
    const { chargePolicy, freeRepeatDays } = account;
    const isCurrent = matched?.generation === generation;
    const preview = previewRows(requireJoined(), isCurrent ? () => matched.batch : answer, {
      dir,
      mapping,
      duplicateRows,
      sampleRepeats,
      threshold: account.matchThreshold,
      list: readSuppressionList(store, directory),
      rule: { codes, chargePolicy, ...priceSelection(store, accountId, codes) },
      repeats: {
        accountId,
        freeRepeatDays,
        newSince: newSince ?? null,
        retryOf: null,
        createdAt: at,
      },
    });
    return { ...preview, ...describeTeam(store) };
  },
  /** Up to ten rows spread over a table, as a job would answer them. Stores nothing. */
  async tryRows(command: SampleCommand) {
    const threshold = requireAccount(store, command.accountId).matchThreshold;
    const { answer } = requireProvider('Try again in a few seconds.');
    return tryRows(requireJoined(), answer, {
      ...command,
      threshold,
      list: readSuppressionList(store, directory),
    });
  },
  /** Identifies the person of one row, with the matcher and threshold of the account's jobs. */
  async matchContact({ accountId, row }: { accountId: number; row: ProviderRow }) {
    const account = requireAccount(store, accountId);
    const remedy = 'Nothing was charged. Try again in a few seconds.';
    const list = readSuppressionList(store, directory);
    return matchContact(directory, requireProvider(remedy), row, account.matchThreshold, list);
  },
  /** Counts the rows that an ended job can process again. Throws `not_found` and `not_ready`. */
  countRerun: async (command: { accountId: number; jobId: string }) => countRerun(store, command),
  /**
   * Compares names as the matcher does, in the order of the pairs. Null for a person that the index
   * does not have, and for all while there is no index.
   */
  compareNames: async ({ pairs }: { pairs: readonly NamePair[] }) => pairs.map(compareName),
});

export type JobReads = ReturnType<typeof createJobReads> & {
  /**
   * Row numbers of a view of a completed job, in its order. When the signal is aborted, the work
   * stops soon and rejects with its reason. Throws `not_found`, `not_ready`, `job_cancelled`, the
   * job's own error, and `validation_error` for a column that the job does not have.
   */
  listRows(
    command: { accountId: number; jobId: string; view: RowView },
    signal?: AbortSignal,
  ): Promise<Uint32Array>;
};

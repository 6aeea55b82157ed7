/** Calls for duplicates. Each may reject with an EngineError. */
import type { DuplicateKind } from '../../contract/duplicates/duplicates.ts';

export interface MergeCommand {
  readonly kind: DuplicateKind;
  /** UUIDs of the record that is kept, and of the other. */
  readonly survivor: string;
  readonly other: string;
  readonly choices: Readonly<Record<string, string>>;
  readonly acrossLegalForms: boolean;
  readonly author: string;
}

/** Changes of the directory. Each is answered once every read of people follows it. */
export interface DuplicateCalls {
  /** Returns the id of the merge. */
  mergeRecords(command: MergeCommand): Promise<number>;
  /** Returns the id of the merge. */
  undoMerge(command: { mergeId: number; author: string }): Promise<number>;
  /** Dismisses a pair, or opens it again. Returns whether anything changed. */
  dismissDuplicate(command: {
    pairId: number;
    author: string;
    isDismissed: boolean;
  }): Promise<boolean>;
  /**
   * Searches, or continues a stopped search. Resolves when it has ended or was stopped. Rejects
   * with `busy` if one runs already.
   */
  searchDuplicates(command: { restart: boolean }, signal?: AbortSignal): Promise<void>;
  /** Stops the search that runs. Returns whether there was one. */
  stopDuplicateSearch(): boolean;
  isSearchingDuplicates(): boolean;
}

/** What the writer does after a merge. */
export interface MergeFollowerCalls {
  /** Makes what was paid for and decided about merged people hold for their survivors. */
  followMerges(command: null): Promise<void>;
}

/**
 * The commands that start and cancel a pipeline, to the writer thread. Each may refuse with an
 * EngineError.
 */

import type { CreditUnits } from '../contract/credits.ts';
import type { ColumnMapping } from '../contract/jobs/row-input.ts';
import type { PipelinePreview } from '../contract/pipelines/app-pipelines.ts';
import type {
  CancelledPipeline,
  PipelineKind,
  StartedPipeline,
} from '../contract/pipelines/pipeline.ts';
import type { Spending } from '../ledger/approvals.commands.ts';

/** Whom a pipeline is about. */
export type PipelineSubject =
  | {
      readonly source: 'contacts';
      /** The prepared table. */
      readonly input: { readonly dir: string; readonly rowCount: number };
      readonly mapping: ColumnMapping;
    }
  | { readonly source: 'uuids'; readonly uuids: readonly string[] }
  /** person.id of the directory, as a search found them. */
  | { readonly source: 'people'; readonly personIds: readonly number[] };

/** What POST /pipeline/ comes down to, once parsed. */
export interface PipelineCommand extends Spending {
  readonly title: string;
  readonly subject: PipelineSubject;
  /** In the order in which credits are spent on a contact. */
  readonly kinds: readonly PipelineKind[];
  readonly verifyEmails: boolean;
  /** Whose the idempotency key is, and the key. */
  readonly idempotency: { readonly keyScope: string; readonly key: string } | null;
  /** SHA-256 of all that a repeat must have in common with the first. */
  readonly fingerprint: string;
}

/** `replayed`: an earlier request with the same idempotency key started this pipeline. */
export interface PipelineAnswer {
  readonly data: StartedPipeline;
  readonly replayed: boolean;
}

/** What pipelines ask of the writer thread. */
export interface PipelineCalls {
  /**
   * Queues a pipeline, where its key may spend the most that it can cost. Nothing is held until it
   * is all looked up.
   */
  startPipeline(command: PipelineCommand): Promise<PipelineAnswer>;
  /** Ends one that has not ended. Throws `not_found` and `already_finished`. */
  cancelPipeline(command: { accountId: number; pipelineId: string }): Promise<CancelledPipeline>;
}

/** What a dry run is asked. */
export interface PipelinePreviewRequest {
  readonly accountId: number;
  readonly subject: PipelineSubject;
  readonly kinds: readonly PipelineKind[];
  /** What an email costs that is verified as well; 0 where none is. */
  readonly verifyPriceUnits: CreditUnits;
  /** From what certainty on a match counts. */
  readonly threshold: number;
}

/** Calls to the reader thread. Each may refuse with an EngineError. */
export interface PipelineReads {
  /** A dry run over the contacts of a pipeline, by what a pipeline unlocks. Stores nothing. */
  previewPipeline(command: Omit<PipelinePreviewRequest, 'threshold'>): Promise<PipelinePreview>;
}

/**
 * The commands that start and cancel a pipeline, to the writer thread. Each may reject with an
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

/** A person, and which values are known. */
export interface KnownContact {
  readonly uuid: string;
  readonly has: Readonly<Record<PipelineKind, boolean>>;
}

export type PipelineSubject =
  | {
      readonly source: 'contacts';
      /** The decoded table. */
      readonly input: { readonly dir: string; readonly rowCount: number };
      readonly mapping: ColumnMapping;
    }
  | {
      readonly source: 'uuids';
      readonly uuids: readonly string[];
      /** Those of a dry run's sample that only the team's directory has. */
      readonly team?: readonly KnownContact[];
    }
  /** person.id of the directory, from a search. */
  | { readonly source: 'people'; readonly personIds: readonly number[] };

/** A parsed POST /pipeline/. */
export interface PipelineCommand extends Spending {
  readonly title: string;
  readonly subject: PipelineSubject;
  /** In the order in which credits are spent on a contact. */
  readonly kinds: readonly PipelineKind[];
  readonly verifyEmails: boolean;
  /** The idempotency key and its scope. */
  readonly idempotency: { readonly keyScope: string; readonly key: string } | null;
  /** SHA-256 of everything that must be identical in a repeat. */
  readonly fingerprint: string;
}

/** `replayed`: an earlier request with the same idempotency key started this pipeline. */
export interface PipelineAnswer {
  readonly data: StartedPipeline;
  readonly replayed: boolean;
}

/** Calls about pipelines to the writer thread. */
export interface PipelineCalls {
  /**
   * Queues a pipeline if its key may spend the maximum cost. Nothing is held until all contacts are
   * looked up.
   */
  startPipeline(command: PipelineCommand): Promise<PipelineAnswer>;
  /** Cancels an unfinished pipeline. Throws `not_found` and `already_finished`. */
  cancelPipeline(command: { accountId: number; pipelineId: string }): Promise<CancelledPipeline>;
}

/** Input of a dry run. */
export interface PipelinePreviewRequest {
  readonly accountId: number;
  readonly subject: PipelineSubject;
  readonly kinds: readonly PipelineKind[];
  /** Price of verifying an email; 0 if emails are not verified. */
  readonly verifyPriceUnits: CreditUnits;
  /** The lowest confidence at which a match counts. */
  readonly threshold: number;
}

/** Calls to the reader thread. Each may reject with an EngineError. */
export interface PipelineReads {
  /** A dry run over the contacts of a pipeline, for the values it would unlock. Stores nothing. */
  previewPipeline(command: Omit<PipelinePreviewRequest, 'threshold'>): Promise<PipelinePreview>;
}

/** What the steps of a pipeline share: the environment around it, and what each hands back. */
import type { ColumnMapping } from '../contract/jobs/row-input.ts';
import type { MatchBatch } from '../directory/index/match-batch.ts';
import type { WritableDatabase } from '../platform/sqlite/open-database.ts';
import type { Upstream } from '../providers/upstream-client.ts';
import type { EmailValidator } from '../validations/email-validator.ts';

/** What running a pipeline needs of the environment around it. */
export interface PipelineDeps {
  /** The writing connection, with the directory attached as `directory`. */
  readonly database: WritableDatabase;
  readonly folder: string;
  /** The provider behind the directory, where the environment has one. */
  readonly upstream?: Upstream | undefined;
  readonly validator: EmailValidator;
  match(
    bytes: Uint8Array,
    mapping: ColumnMapping,
    threshold: number,
  ): Promise<{ batch: MatchBatch }>;
  /** Generation of the directory as the writing connection sees it now. */
  readGeneration(): number;
  whenGeneration(generation: number): Promise<void>;
  now(): Date;
  /** True when the engine is to stop: the pipeline stays as it is and goes on at the next start. */
  isStopping(): boolean;
}

/** Writes what a batch came to, with the counters of its step. Inside a transaction. */
export type WriteBatch = () => void;

/** What the steps of a pipeline share: the world around it, and what each hands back. */
import type { ColumnMapping } from '../contract/row-input.ts';
import type { MatchBatch } from '../directory/match-batch.ts';
import type { Upstream } from '../providers/ask-provider.ts';
import type { WritableDatabase } from '../sqlite/open.ts';
import type { EmailJudge } from './judge-emails.ts';

/** What running a pipeline needs of the world around it. */
export interface PipelineSurroundings {
  /** The writing connection, with the directory attached as `directory`. */
  readonly database: WritableDatabase;
  readonly folder: string;
  /** The provider behind the directory, where the world has one. */
  readonly upstream?: Upstream | undefined;
  readonly judge: EmailJudge;
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

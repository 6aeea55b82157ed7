// Types that the steps of a pipeline share: their dependencies and results.
import type { ColumnMapping } from '../contract/jobs/row-input.ts';
import type { MatchBatch } from '../directory/index/match-batch.ts';
import type { WritableDatabase } from '../platform/sqlite/open-database.ts';
import type { Waterfall } from '../providers/waterfall/waterfall-run.ts';
import type { SharedRun } from '../shared/queue/ask-shared.ts';
import type { SharedCalls } from '../shared/settings/team-directory.ts';
import type { EmailValidator } from '../validations/email-validator.ts';

export interface PipelineDeps {
  /** The writing connection, with the directory attached as `directory`. */
  readonly database: WritableDatabase;
  readonly folder: string;
  readonly waterfall?: Waterfall | undefined;
  readonly shared?: SharedRun | undefined;
  readonly validator: EmailValidator;
  readTeamPeople: SharedCalls['readTeamPeople'];
  match(
    bytes: Uint8Array,
    mapping: ColumnMapping,
    threshold: number,
  ): Promise<{ batch: MatchBatch }>;
  readGeneration(): number;
  whenGeneration(generation: number): Promise<void>;
  now(): Date;
  /** True when the engine is stopping: the pipeline continues at the next start. */
  isStopping(): boolean;
}

export type WriteBatch = () => void;

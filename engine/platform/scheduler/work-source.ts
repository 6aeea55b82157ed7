// The interface between the scheduler and a capability, whose work is in the database.
import type { EngineError, ErrorMessage } from '../../contract/errors.ts';

/** An item of work. Its id is unique in its source; an item has at most one step in flight. */
export interface WorkItem {
  readonly id: number | string;
}

export interface Poll<Id> {
  /** Wall clock. */
  readonly at: Date;
  /** The id that had the last turn; null before the first. */
  readonly afterId: Id | null;
  /** Whether an id has a step in flight, or rests after a failure. */
  isBusy(id: Id): boolean;
}

/** The item to run now, or the next due time. Null if nothing is due before a wake. */
export type NextWork<Item> = { readonly item: Item } | { readonly dueAt: Date } | null;

export interface Turn {
  /** Wall clock of the poll that started the step. */
  readonly at: Date;
  /** True when the scheduler is stopping: the step then leaves its work for the next start. */
  isStopping(): boolean;
  /**
   * Repeats a write until it does not fail for a shortage. Resolves when it is written, or without
   * writing if the scheduler is stopping. Rejects with every other error.
   */
  write(work: () => void): Promise<void>;
  /** Waits for an answer from outside; meanwhile another item has the room of the step. */
  waitOutside<Answer>(answer: Promise<Answer>): Promise<Answer>;
}

export interface WorkSource<Item extends WorkItem> {
  readonly name: string;
  readonly inFlightMax: number;
  /** Finds a due item; in round-robin order if items take turns. Skips busy ids. */
  next(poll: Poll<Item['id']>): NextWork<Item>;
  /** Runs one step: a batch, an attempt, or a whole job. May throw any error. */
  run(item: Item, turn: Turn): Promise<void>;
  /**
   * Called after a step threw a refusal or a bug. Ends the item, or leaves it to rest. A bug has
   * already been logged under the id in `failure.detail`.
   */
  fail(item: Item, failure: ErrorMessage): void;
  /** Called after a step failed for a shortage. The source is polled again after a pause. */
  waiting?(item: Item, shortage: EngineError): void;
  /** Corrects due times that were set while the clock was ahead. Also called at the start. */
  realign?(at: Date): void;
  /** Removes old records. Called at every poll. */
  tidy?(at: Date): void;
  onWake?(): void;
  /** Aborts the waits of the steps in flight, because the scheduler is stopping. */
  abandon?(): void;
}

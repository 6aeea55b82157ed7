/** The interface between the scheduler and a capability: its work in the database, as functions. */
import type { EngineError, ErrorMessage } from '../../contract/errors.ts';

/** A piece of work. Its id is unique in its source, and has at most one step in flight. */
export interface WorkItem {
  readonly id: number | string;
}

/** The state of the scheduler at a poll. */
export interface Poll<Id> {
  /** Wall clock. */
  readonly at: Date;
  /** The id that had the last turn; null before the first. */
  readonly afterId: Id | null;
  /** Whether an id has a step in flight, or rests after a failure. */
  isBusy(id: Id): boolean;
}

/** What to run now, or when something is due next. Null if nothing is due before a wake. */
export type NextWork<Item> = { readonly item: Item } | { readonly dueAt: Date } | null;

/** What a step gets from the scheduler. */
export interface Turn {
  /** Wall clock of the poll that began the step. */
  readonly at: Date;
  /** True once the scheduler is to stop: the step then leaves its work for the next start. */
  isStopping(): boolean;
  /**
   * Repeats a write until the machine has room for it. Resolves when it is written, or unwritten
   * once the scheduler is to stop. Rejects with any error but a shortage.
   */
  write(work: () => void): Promise<void>;
}

/** Work of one kind. The database has all that a restart needs. */
export interface WorkSource<Item extends WorkItem> {
  /** What one item is called in the log. */
  readonly name: string;
  /** Steps in flight at once. */
  readonly inFlightMax: number;
  /** Finds what is due, in round-robin order where items take turns. Skips busy ids. */
  next(poll: Poll<Item['id']>): NextWork<Item>;
  /** Runs one step: a batch, an attempt, or a whole job. May throw anything. */
  run(item: Item, turn: Turn): Promise<void>;
  /**
   * Ends an item, or leaves it to rest, after its step threw a refusal or a bug. The log already
   * has a bug, under the id that `failure.detail` names.
   */
  fail(item: Item, failure: ErrorMessage): void;
  /** The step lacked something of the machine; the source is polled again after a pause. */
  waiting?(item: Item, shortage: EngineError): void;
  /** Corrects due times that a clock set which ran ahead. Called at the start, too. */
  realign?(at: Date): void;
  /** Removes what is old. Called with every poll. */
  tidy?(at: Date): void;
  /** Called with every wake. */
  onWake?(): void;
  /** Ends the waits of the steps in flight, because the scheduler is to stop. */
  abandon?(): void;
}

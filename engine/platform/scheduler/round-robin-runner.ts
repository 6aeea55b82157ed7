/**
 * Runs work of one kind in parallel with the jobs of an environment, in turns of a batch each: the
 * waits are for others, the writes as short as any command's.
 *
 *   idle ──wake──> a batch ──more to do──> a batch of the next
 *     ^                │ ──disk full──> waiting ──> the batch again
 *     └───nothing open─┘ ──stop──> stopped (what was not written is done again)
 */
import { randomUUID } from 'node:crypto';
import { setImmediate as yieldThread } from 'node:timers/promises';
import { EngineError, type ErrorCode } from '../../contract/errors.ts';
import { findShortage, findSystemRefusal } from '../sqlite/system-refusal.ts';

/** Why a piece of work cannot go on. */
export interface TurnFailure {
  readonly code: ErrorCode;
  /** What happened, as a whole sentence. */
  readonly detail: string;
}

/** Work of one kind, kept in a table. */
export interface Runner {
  /** What a piece of it is called in the log. */
  readonly name: string;
  /** What is open: the first behind an id, else the first of all; null where nothing is. */
  next(afterId: number): { readonly id: number; readonly accountId: number } | null;
  /** The next batch of one. Rejects for a bug, and where nothing can be written. */
  step(id: number): Promise<'open' | 'ended'>;
  /** Ends one that met a damaged file, or a bug, which the log names by `id` in its detail. */
  fail(id: number, failure: TurnFailure): void;
  /** After each batch of one. */
  onStep(id: number, outcome: 'open' | 'ended', accountId: number): void;
  /** Ends the waits of the batch in hand. */
  abandon(): void;
  /** How long to wait before a full disk is tried again. */
  readonly storageRetryMs: number;
}

/** Work that is being done. */
export interface RunningTurns {
  /** There may be something to do. */
  wake(): void;
  /** Resolves when nothing is being done any longer. */
  stop(): Promise<void>;
}

function explainFailure(name: string, id: number, error: unknown): TurnFailure {
  const refusal = error instanceof EngineError ? error : findSystemRefusal(error);
  if (refusal) return { code: refusal.code, detail: refusal.detail };
  const bug = randomUUID();
  console.error(`bug ${bug} in ${name} ${id}`, error);
  return { code: 'internal_error', detail: `The engine met a bug of its own (${bug}).` };
}

/** Begins with what an earlier run of the engine left open. */
export function runInTurns(work: Runner): RunningTurns {
  let isStopping = false;
  let isAwake = false;
  let wake: () => void = () => undefined;
  const sleep = async (waitMs?: number): Promise<void> => {
    if (isStopping || isAwake) return;
    const timer = Promise.withResolvers<void>();
    const clock = waitMs === undefined ? undefined : setTimeout(timer.resolve, waitMs);
    wake = timer.resolve;
    await timer.promise;
    clearTimeout(clock);
  };
  const step = (id: number): Promise<'open' | 'ended'> =>
    work.step(id).catch((error) => {
      if (isStopping || findShortage(error)) throw error;
      work.fail(id, explainFailure(work.name, id, error));
      return 'ended';
    });
  const run = async (): Promise<void> => {
    let lastId = 0;
    while (!isStopping) {
      isAwake = false;
      const next = work.next(lastId);
      lastId = next?.id ?? 0;
      try {
        if (!next) await sleep();
        else work.onStep(next.id, await step(next.id), next.accountId);
        // A batch may wait for nobody: commands are to be heard all the same.
        await yieldThread();
      } catch (error) {
        if (isStopping) return;
        if (!findShortage(error)) throw error;
        await sleep(work.storageRetryMs);
      }
    }
  };
  const running = run();
  return {
    wake() {
      isAwake = true;
      wake();
    },
    async stop() {
      isStopping = true;
      work.abandon();
      wake();
      await running;
    },
  };
}

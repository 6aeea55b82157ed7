// What the run and the preview know of a kind: what is due, what is kept, how it is deleted.
import type { KeptReason } from '../contract/retention/retention.ts';
import type { JobKinds } from '../jobs/job-kind.ts';
import type { ReadableDatabase, WritableDatabase } from '../platform/sqlite/open-database.ts';

export interface DueScope {
  /** The account; the first one for a kind of the folder. */
  readonly accountId: number;
  /** Everything that ended before this time is due, ISO 8601 in UTC. */
  readonly before: string;
  /** Wall clock, ISO 8601 in UTC. */
  readonly at: string;
}

export interface Due {
  readonly items: number;
  /** About how many bytes; null if it is not known. */
  readonly bytes: number | null;
  readonly oldest: string | null;
  readonly newest: string | null;
  readonly kept: readonly { readonly reason: KeptReason; readonly items: number }[];
}

export interface DeletionDeps {
  readonly database: WritableDatabase;
  readonly folder: string;
  readonly kinds: JobKinds;
  /** Counts deleted items. Call it in the transaction that deletes them. */
  readonly count: (items: number) => void;
}

export interface KindRules {
  /** Finds what is due, without changing it. */
  find(database: ReadableDatabase, folder: string, scope: DueScope): Due;
  /** Deletes what is due; yields after each transaction, so that other work goes on. */
  remove(deps: DeletionDeps, scope: DueScope): Generator<void>;
}

export interface FoundItem {
  readonly at: string;
  readonly bytes: number | null;
  readonly kept: KeptReason | null;
}

export function sumFound(items: readonly FoundItem[]): Due {
  const due = items.filter(({ kept }) => kept === null);
  const times = due.map(({ at }) => at).sort();
  const reasons = new Map<KeptReason, number>();
  for (const { kept } of items) if (kept !== null) reasons.set(kept, (reasons.get(kept) ?? 0) + 1);
  return {
    items: due.length,
    bytes: due.some(({ bytes }) => bytes === null)
      ? null
      : due.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0),
    oldest: times[0] ?? null,
    newest: times.at(-1) ?? null,
    kept: [...reasons].map(([reason, count]) => ({ reason, items: count })),
  };
}

/** Puts what an event tells into the query cache, before answers that are still on their way. */
import type { QueryClient, QueryFilters, QueryKey } from '@tanstack/react-query';

/** Sets a value that an event brought: an answer that was asked for earlier may be older. */
export function cacheEvent<T>(client: QueryClient, queryKey: QueryKey, value: T): void {
  void client.cancelQueries({ queryKey, exact: true });
  client.setQueryData<T>(queryKey, value);
}

/**
 * Asks again for every query whose key begins with one of `names`.
 * The library leaves a first answer that is on its way as it is, though it may have been written
 * before what the event tells of: such are asked for once more.
 */
export async function invalidate(client: QueryClient, ...names: readonly string[]): Promise<void> {
  await Promise.all(names.map((name) => invalidateFor(client, { queryKey: [name] })));
}

/** Asks again for everything. */
export const invalidateAll = (client: QueryClient): Promise<void> => invalidateFor(client, {});

async function invalidateFor(client: QueryClient, filter: QueryFilters): Promise<void> {
  void client.cancelQueries(filter);
  await client.invalidateQueries(filter);
}

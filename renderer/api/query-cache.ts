// Writes event data to the query cache ahead of responses that are still in flight.
import type { QueryClient, QueryFilters, QueryKey } from '@tanstack/react-query';
import { dropEarly } from './transport/early.ts';

/** Sets a value from an event. A response that is on its way may be older: it is cancelled. */
export function cacheEvent<T>(client: QueryClient, queryKey: QueryKey, value: T): void {
  void client.cancelQueries({ queryKey, exact: true });
  client.setQueryData<T>(queryKey, value);
}

/**
 * Refetches every query whose key begins with one of `names`. The library keeps an initial request
 * that is in flight, although its response may be older than the event; such queries are fetched
 * again.
 */
export async function invalidate(client: QueryClient, ...names: readonly string[]): Promise<void> {
  await Promise.all(names.map((name) => invalidateFor(client, { queryKey: [name] })));
}

export const invalidateAll = (client: QueryClient): Promise<void> => invalidateFor(client, {});

async function invalidateFor(client: QueryClient, filter: QueryFilters): Promise<void> {
  dropEarly();
  void client.cancelQueries(filter);
  await client.invalidateQueries(filter);
}

// Adds a person to the list that a data service refuses for legal reasons.
import type { ProviderRow } from '../contract/provider.ts';
import type { SuppressionKind } from '../contract/suppression/suppression.ts';
import type { WritableDatabase } from '../platform/sqlite/open-database.ts';
import { runWithOrigin } from '../platform/workers/call-origin.ts';
import { recordSuppressions } from './change-suppressions.ts';
import { insertEntry } from './suppression.table.ts';
import { readValueKey } from './value-keys.ts';

const reason = 'The service refused the person for legal reasons.';

function listIdentifiers(row: ProviderRow): [SuppressionKind, string][] {
  const name = `${row.first_name ?? ''} ${row.last_name ?? ''}`.trim();
  const employers = [row.company_name, row.company_domain].filter(Boolean);
  return [
    ['email', row.email ?? ''],
    ['profile_url', row.profile_url ?? ''],
    ['phone', row.phone ?? ''],
    ...(name === '' ? [] : employers).map((employer): [SuppressionKind, string] => [
      'person',
      `${name} | ${employer}`,
    ]),
  ];
}

const listeners = new WeakMap<WritableDatabase, () => void>();

/** Sets the listener that is called after a refusal has changed the list of a connection. */
export const onRefusal = (database: WritableDatabase, listener: () => void): void =>
  void listeners.set(database, listener);

/**
 * Adds the identifiers of a row. Call inside the transaction that records the refusal.
 * @param job the UUID of the job that asked; null for other work
 */
export function storeRefusal(
  database: WritableDatabase,
  row: ProviderRow,
  provider: string,
  job: string | null,
  at: string,
): void {
  const added: { kind: SuppressionKind; key: string }[] = [];
  for (const [kind, value] of listIdentifiers(row)) {
    const key = readValueKey(kind, value);
    if (key === '') continue;
    const by = { source: 'refusal', author: provider, job, at } as const;
    const entry = { kind, key, value, reason, ...by };
    if (insertEntry(database, entry)) added.push(entry);
  }
  // The service refused, not the caller whose request asked it.
  runWithOrigin(null, () =>
    recordSuppressions(database, 'suppression_added', added, { source: 'refusal', at }),
  );
  const listener = listeners.get(database);
  // Transactions never stay open across turns of the event loop.
  if (added.length > 0 && listener) setImmediate(listener);
}

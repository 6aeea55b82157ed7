// The user's keys at data services. A key is in the system's keychain alone; where no keychain
// responds, it is in engine.db, sealed by engine.key. It is kept for its provider and for the hosts
// of the definition: it is not sent to the hosts of another definition with the same name.
//
//   no key ──set──> keychain ──locked──> unavailable (read again) ──> keychain
//      │               └──entry lost, or another machine──> missing ──set──> keychain
//      └──set, no keychain──> file ──set, keychain responds──> keychain
//
// A key that was read stays in memory until the engine stops.
import { keychainRetryMs } from '../../contract/limits/secrets.ts';
import { ProviderError } from '../../contract/provider.ts';
import type { KeyPlace } from '../../contract/providers.ts';
import { queueWork } from '../../platform/queue-work.ts';
import { inTransaction } from '../../platform/sqlite/transaction.ts';
import {
  type KeepDeps,
  type KeptSecret,
  keepSecret,
  readKeptSecret,
} from '../../secrets/kept-secret.ts';
import { listUnusedEntries, markUnused, unmarkUnused } from '../../secrets/unused-entry.table.ts';
import { deleteKey, listKeys, type ProviderKeyRow, putKey } from './provider-key.table.ts';

export interface ProviderKeyDeps extends KeepDeps {
  now(): Date;
}

export interface KeyOwner {
  readonly id: string;
  readonly hosts: readonly string[];
}

export interface ProviderKeys {
  /**
   * Reads the key of a provider; null if it has none for these hosts. Throws ProviderError:
   * `unavailable` while the keychain or engine.key is out of reach, `bad_key` if the key is lost.
   */
  read(owner: KeyOwner): Promise<string | null>;
  /**
   * Stores a key. Throws `secrets_unavailable`, and leaves the key before it as it is.
   * @param prepare called in the transaction of the row, before it; the provider must have settings
   * then
   */
  store(owner: KeyOwner, key: string, prepare: () => void): Promise<void>;
  /**
   * Removes a key. Its entry of the keychain is deleted now, or when the keychain responds again.
   * @param finish called in the transaction of the row, after it
   */
  remove(id: string, finish: () => void): Promise<void>;
  /** Where every key is, by its provider. Asks the keychain for those that were not read yet. */
  describe(): Promise<ReadonlyMap<string, KeyPlace>>;
  forgetFailures(): void;
}

type Reading =
  | { readonly key: string }
  | { readonly problem: 'missing' | 'unavailable'; readonly detail: string };

const sortedHosts = ({ hosts }: KeyOwner): string[] => [...new Set(hosts)].sort();

const identityOf = (owner: KeyOwner): string =>
  `provider_key:${JSON.stringify([owner.id, sortedHosts(owner)])}`;

export const isKeyOf = (row: ProviderKeyRow | undefined, owner: KeyOwner): boolean =>
  row !== undefined && JSON.stringify(row.hosts) === JSON.stringify(sortedHosts(owner));

const enterAgain = (id: string) => `Enter the key again: desk providers add ${id}`;

const missingDetails = {
  other_key: 'Its key was encrypted with another engine.key.',
  no_entry: 'The keychain of this machine has no key of it, and backups contain none.',
} as const;

async function readKept(
  deps: ProviderKeyDeps,
  kept: KeptSecret,
  owner: KeyOwner,
): Promise<Reading> {
  const found = await readKeptSecret(deps, kept, identityOf(owner));
  if ('text' in found) return { key: found.text };
  const { problem, reason, detail } = found;
  if (reason === 'other_key' || reason === 'no_entry')
    return { problem, detail: `${missingDetails[reason]} ${enterAgain(owner.id)}` };
  if (reason === 'engine_key') return { problem, detail };
  return {
    problem,
    detail: 'The system keychain is locked or does not respond. Unlock it, and run the job again.',
  };
}

/** Reads entries once, and those that could not be read again after a while. */
function openReadings(deps: ProviderKeyDeps) {
  const readings = new Map<string, { result: Promise<Reading>; failedAtMs: number | null }>();
  const isOld = (atMs: number | null) =>
    atMs !== null && Math.abs(deps.now().getTime() - atMs) >= keychainRetryMs;
  return {
    read(entry: string, owner: KeyOwner): Promise<Reading> {
      const known = readings.get(entry);
      if (known && !isOld(known.failedAtMs)) return known.result;
      const result = readKept(deps, { entry, sealed: null }, owner);
      const reading = { result, failedAtMs: null as number | null };
      readings.set(entry, reading);
      void result.then((found) => {
        if ('problem' in found) reading.failedAtMs = deps.now().getTime();
      });
      return result;
    },
    put: (entry: string, key: string) =>
      void readings.set(entry, { result: Promise.resolve({ key }), failedAtMs: null }),
    delete: (entry: string) => void readings.delete(entry),
    forgetFailures() {
      for (const [entry, { failedAtMs }] of readings)
        if (failedAtMs !== null) readings.delete(entry);
    },
  };
}

async function keep(deps: ProviderKeyDeps, owner: KeyOwner, key: string): Promise<ProviderKeyRow> {
  const kept = await keepSecret(deps, {
    name: `key of ${owner.id}`,
    identity: identityOf(owner),
    text: key,
    before: listKeys(deps.database).get(owner.id)?.entry ?? null,
    refusal: keychainRefusal,
  });
  return { provider: owner.id, hosts: sortedHosts(owner), ...kept };
}

const keychainRefusal =
  'The system keychain is locked or does not respond, so the key was not stored. ' +
  'Unlock the keychain, then try again.';

function openSweeper({ database, keychain, now }: ProviderKeyDeps) {
  let failedAtMs: number | null = null;
  return {
    isDue: () =>
      listUnusedEntries(database).length > 0 &&
      (failedAtMs === null || Math.abs(now().getTime() - failedAtMs) >= keychainRetryMs),
    async run(): Promise<void> {
      failedAtMs = null;
      for (const entry of listUnusedEntries(database)) {
        try {
          await keychain.delete(entry);
        } catch {
          failedAtMs = now().getTime();
          return;
        }
        unmarkUnused(database, entry);
      }
    },
    forgetFailure() {
      failedAtMs = null;
    },
  };
}

/** Creates the access to the keys. The keychain is not asked before the first use. */
export function createProviderKeys(deps: ProviderKeyDeps): ProviderKeys {
  const { database, now } = deps;
  const readings = openReadings(deps);
  const sweeper = openSweeper(deps);
  const inTurn = queueWork();
  const readRow = ({ entry, sealed }: ProviderKeyRow, owner: KeyOwner) =>
    entry === null ? readKept(deps, { entry, sealed }, owner) : readings.read(entry, owner);
  const dropEntry = (id: string, kept: string | null) => {
    const entry = listKeys(database).get(id)?.entry ?? null;
    if (entry === null || entry === kept) return;
    markUnused(database, entry);
    readings.delete(entry);
  };
  return {
    async read(owner) {
      const row = listKeys(database).get(owner.id);
      if (!row || !isKeyOf(row, owner)) return null;
      const reading = await readRow(row, owner);
      if ('key' in reading) return reading.key;
      const failure = reading.problem === 'missing' ? 'bad_key' : 'unavailable';
      throw new ProviderError(failure, reading.detail);
    },
    store: (owner, key, prepare) =>
      inTurn(async () => {
        const row = await keep(deps, owner, key);
        inTransaction(database, () => {
          prepare();
          dropEntry(owner.id, row.entry);
          putKey(database, { ...row, at: now().toISOString() });
          if (row.entry !== null) unmarkUnused(database, row.entry);
        });
        if (row.entry !== null) readings.put(row.entry, key);
        await sweeper.run();
      }),
    remove: (id, finish) =>
      inTurn(async () => {
        inTransaction(database, () => {
          dropEntry(id, null);
          deleteKey(database, id);
          finish();
        });
        await sweeper.run();
      }),
    async describe() {
      if (sweeper.isDue()) await inTurn(sweeper.run);
      const places = [...listKeys(database)].map(async ([id, row]) => {
        const reading = await readRow(row, { id, hosts: row.hosts });
        const place = row.entry === null ? 'file' : 'keychain';
        return [id, 'key' in reading ? place : reading.problem] as const;
      });
      return new Map(await Promise.all(places));
    },
    forgetFailures() {
      readings.forgetFailures();
      sweeper.forgetFailure();
    },
  };
}

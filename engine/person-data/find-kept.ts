/** Finds what names a person and is kept: the suppression list, users of this desk, backups. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { asidePrefix } from '../platform/data-files.ts';
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';
import { statement } from '../platform/sqlite/statement.ts';
import type { FoundEntry } from './found-entry.ts';
import { ownPlaces } from './places.ts';
import type { Matcher } from './subject.ts';

/** The suppression list and the users of one environment. */
function findRecords(store: ReadableDatabase, matcher: Matcher): FoundEntry[] {
  return (['suppressed', 'users'] as const).flatMap((place) =>
    Object.entries<readonly string[]>(ownPlaces[place].columns).flatMap(([table, columns]) =>
      statement<Record<string, unknown>>(
        store,
        `SELECT row_number() OVER () AS number, ${columns.join()} FROM main.${table}`,
      )
        .all()
        .filter((row) => columns.some((name) => matcher.names(String(row[name] ?? ''))))
        .map(({ number, ...values }): FoundEntry => {
          return { place, key: [table, number], record: `${table} ${number}`, values };
        }),
    ),
  );
}

/** Archives and former databases in the folder: they may have the person, and cannot be changed. */
function findBackups(folder: string): FoundEntry[] {
  const names = readdirSync(folder).filter(
    (name) => name.startsWith(asidePrefix) || /\.(tar\.gz|tgz|zip)$/.test(name),
  );
  return names.map((name) => {
    const day = statSync(join(folder, name)).mtime.toISOString().slice(0, 10);
    return { place: 'backups', key: [name], record: `${name} of ${day}`, values: { day } };
  });
}

/** What is kept, with the records that name the person. */
export const findKept = (
  { folder, store }: { readonly folder: string; readonly store: ReadableDatabase },
  matcher: Matcher,
): FoundEntry[] => [...findRecords(store, matcher), ...findBackups(folder)];

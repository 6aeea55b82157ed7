/**
 * Finds what names a person and is kept: suppressions, users of this desk, webhooks, the log,
 * titles with only the name, and backups.
 */
import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { asidePrefix, automaticBackupsFolder, restoredSuffix } from '../platform/data-files.ts';
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';
import { statement } from '../platform/sqlite/statement.ts';
import type { FoundEntry } from './found-entry.ts';
import { ownPlaces } from './places.ts';
import type { Matcher } from './subject.ts';

type Row = Record<string, unknown>;

function* findRows(store: ReadableDatabase, sql: string, isFound: (row: Row) => boolean) {
  for (const row of statement<Row>(store, sql).iterate()) if (isFound(row)) yield row;
}

/** The suppression list, the users, the webhooks and the audit log of one environment. */
function findRecords(store: ReadableDatabase, matcher: Matcher): FoundEntry[] {
  return (['suppressed', 'users', 'webhooks', 'audit'] as const).flatMap((place) =>
    Object.entries<readonly string[]>(ownPlaces[place].columns).flatMap(([table, columns]) =>
      [
        ...findRows(
          store,
          `SELECT row_number() OVER () AS number, ${columns.join()} FROM main.${table}`,
          (row) =>
            columns.some((name) => {
              const text = String(row[name] ?? '');
              // A webhook of a person has no employer next to the name.
              return matcher.names(text) || (place === 'webhooks' && matcher.hasName(text));
            }),
        ),
      ].map(({ number, ...values }): FoundEntry => {
        return { place, key: [table, number], record: `${table} ${number}`, values };
      }),
    ),
  );
}

/** Titles and file names, which a user writes. */
const titles: Readonly<Record<string, readonly string[]>> = {
  job: ['title', 'file_name'],
  monitor: ['title', 'file_name'],
  pipeline: ['title'],
  list_template: ['name'],
};

/** Titles and file names that have the name of the person and nothing else that identifies. */
const findTitles = (store: ReadableDatabase, matcher: Matcher): FoundEntry[] =>
  Object.entries(titles).flatMap(([table, columns]) =>
    statement<Row>(store, `SELECT id, ${columns.join()} FROM main.${table}`)
      .all()
      .flatMap(({ id, ...values }) =>
        columns.flatMap((name): FoundEntry[] => {
          const text = String(values[name] ?? '');
          if (!matcher.hasName(text) || matcher.names(text)) return [];
          const record = `${table} ${id} ${name.replace('_', ' ')}`;
          return [{ place: 'namesakes', key: [table, id, name], record, values: { [name]: text } }];
        }),
      ),
  );

function list(dir: string, isCopy: (name: string) => boolean): string[] {
  try {
    return readdirSync(dir)
      .filter(isCopy)
      .map((name) => join(dir, name));
  } catch {
    // The folder above may be closed to this user.
    return [];
  }
}

/**
 * Archives and former databases: in the folder, next to it, and where the desk wrote a backup. They
 * may have the person, and cannot be changed.
 */
function findBackups(folder: string, store: ReadableDatabase): FoundEntry[] {
  const inFolder = list(
    folder,
    (name) => name.startsWith(asidePrefix) || /\.(tar\.gz|tgz|zip)$/.test(name),
  );
  const automatic = list(join(folder, automaticBackupsFolder), (name) => name.endsWith('.tar.gz'));
  const nextToIt = list(dirname(folder), (name) =>
    name.startsWith(`${basename(folder)}${restoredSuffix}`),
  );
  const written = statement<{ path: string }>(store, 'SELECT path FROM main.backup_file').all();
  return [
    ...new Set([...inFolder, ...automatic, ...nextToIt, ...written.map(({ path }) => path)]),
  ].flatMap((path): FoundEntry[] => {
    const found = statSync(path, { throwIfNoEntry: false });
    if (!found) return [];
    const day = found.mtime.toISOString().slice(0, 10);
    const name = path.startsWith(join(folder, sep)) ? relative(folder, path) : path;
    return [{ place: 'backups', key: [name], record: `${name} of ${day}`, values: { day } }];
  });
}

/** What is kept, with the records that name the person. */
export const findKept = (
  { folder, store }: { readonly folder: string; readonly store: ReadableDatabase },
  matcher: Matcher,
): FoundEntry[] => [
  ...findRecords(store, matcher),
  ...findTitles(store, matcher),
  ...findBackups(folder, store),
];

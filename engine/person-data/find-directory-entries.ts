// Finds the records of a directory about a person, for the list of what is held.
import { recordNames } from '../directory/normalize/record-fields.ts';
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';
import { statement } from '../platform/sqlite/statement.ts';
import { findIds, knownIdsSql } from './directory-person.ts';
import type { FoundEntry } from './found-entry.ts';
import { findMergeEntries } from './merge-entries.ts';
import type { OwnPlaceName } from './places.ts';
import type { Matcher, Subject } from './subject.ts';

const from = `(SELECT source FROM source_import i WHERE i.id = t.import_id) AS source,
  t.observed_on, t.import_id`;
const fromImport = '(SELECT source FROM source_import i WHERE i.id = t.import_id) AS source';

const queries: readonly (readonly [OwnPlaceName, table: string, sql: string])[] = [
  ['directory', 'person', `SELECT t.*, ${from} FROM person t WHERE t.id = @id`],
  [
    'employments',
    'employment',
    `SELECT t.*, (SELECT name FROM company c WHERE c.id = t.company_id) AS company, ${from}
     FROM employment t WHERE t.person_id = @id`,
  ],
  ...(['person_name', 'person_key', 'person_phone', 'person_listing'] as const).map(
    (table) =>
      [
        'facts',
        table,
        `SELECT t.*, ${fromImport} FROM ${table} t WHERE t.person_id = @id`,
      ] as const,
  ),
  [
    'facts',
    'value_claim',
    `SELECT t.*, ${fromImport} FROM value_claim t
     WHERE (t.record = ${recordNames.indexOf('person')} AND t.record_id = @id)
       OR (t.record = ${recordNames.indexOf('employment')}
         AND t.record_id IN (SELECT id FROM employment WHERE person_id = @id))`,
  ],
];

interface NamedImport {
  readonly id: number;
  readonly source: string;
  readonly name: string | null;
  readonly report: string;
}

export const findImports = (directory: ReadableDatabase, matcher: Matcher): NamedImport[] =>
  statement<NamedImport>(directory, 'SELECT id, source, name, report FROM source_import')
    .all()
    .filter(({ source, name, report }) =>
      [source, name ?? '', report].some((text) => matcher.names(text)),
    );

export const findKept = (
  directory: ReadableDatabase,
  table: 'person_listing' | 'company_listing',
  matcher: Matcher,
): { readonly id: number; readonly kept: string }[] =>
  statement<{ id: number; kept: string }>(
    directory,
    `SELECT id, kept FROM ${table} WHERE kept <> '{}'`,
  )
    .all()
    .filter(({ kept }) => matcher.names(kept));

export function findDirectoryEntries(
  directory: ReadableDatabase,
  subject: Subject,
  matcher: Matcher,
): { readonly entries: FoundEntry[]; readonly ids: number[] } {
  const ids = findIds(directory, subject);
  const records = ids.flatMap((id) =>
    queries.flatMap(([place, table, sql]) =>
      statement<Record<string, unknown>>(directory, sql)
        .all({ id })
        .map((values): FoundEntry => {
          const key = [table, values.id ?? values.record_id];
          return { place, key, record: key.join(' '), values };
        }),
    ),
  );
  const imports = findImports(directory, matcher).map(({ id, source, name }): FoundEntry => {
    return { place: 'imports', key: [id], record: `import ${id}`, values: { source, name } };
  });
  const kept = (['person_listing', 'company_listing'] as const).flatMap((table) =>
    findKept(directory, table, matcher).map((row): FoundEntry => {
      const key = [table, row.id];
      return { place: 'facts', key, record: key.join(' '), values: { kept: row.kept } };
    }),
  );
  const known = statement<{ id: number }>(directory, knownIdsSql('main', '@uuids')).all({
    uuids: JSON.stringify(subject.uuids),
  });
  return {
    entries: [
      ...records,
      ...kept.filter(({ record }) => !records.some((one) => one.record === record)),
      ...findMergeEntries(directory, subject, matcher),
      ...imports,
    ],
    ids: known.map(({ id }) => id),
  };
}

// Finds every entry of an environment about a person, by the table of places.
import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { type LayerCode, layerByCode } from '../contract/jobs/layers.ts';
import { fieldKeys } from '../directory/normalize/field-keys.ts';
import { findPaidHashes } from '../jobs/repeats/paid-person.table.ts';
import { asidePrefix, automaticBackupsFolder, restoredSuffix } from '../platform/data-files.ts';
import { hashText } from '../platform/hash-text.ts';
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';
import { statement } from '../platform/sqlite/statement.ts';
import { fieldSubject, rowSubject } from '../providers/waterfall/row-subject.ts';
import { completeSubject } from './directory-person.ts';
import { findDirectoryEntries } from './find-directory-entries.ts';
import { findInputs, type OwnRows } from './find-inputs.ts';
import type { FoundEntries, FoundEntry } from './found-entry.ts';
import { type OwnPlaceName, ownPlaces, type TextPlace, textPlaces } from './places.ts';
import {
  createMatcher,
  emptySubject,
  type Matcher,
  mergeSubjects,
  type Subject,
} from './subject.ts';

type Row = Record<string, unknown>;

function* findRows(store: ReadableDatabase, sql: string, isFound: (row: Row) => boolean) {
  for (const row of statement<Row>(store, sql).iterate()) if (isFound(row)) yield row;
}

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

const findKept = (
  { folder, store }: { readonly folder: string; readonly store: ReadableDatabase },
  matcher: Matcher,
): FoundEntry[] => [
  ...findRecords(store, matcher),
  ...findTitles(store, matcher),
  ...findBackups(folder, store),
];

/** Display name → value, of either form of `result.fields`. */
function readStoredFields(stored: string): Record<string, string> {
  const open = stored.indexOf('[');
  if (stored.startsWith('{') || open < 0)
    return JSON.parse(stored === '' ? '{}' : stored) as Record<string, string>;
  const names = stored
    .slice(0, open)
    .split(',')
    .flatMap((layer) => {
      const [code, count] = layer.split(':');
      return layerByCode[code as LayerCode].fields.slice(0, Number(count));
    });
  const values = JSON.parse(stored.slice(open)) as (string | number | null)[];
  return Object.fromEntries(
    values.flatMap((value, at) => (value === null ? [] : [[names[at] ?? '', String(value)]])),
  );
}

const filled = (values: readonly string[]) => values.filter((value) => value !== '');

function readIdentifiers(fields: Readonly<Record<string, string>>): Subject {
  const texts = (...names: string[]) => names.map((name) => fields[name] ?? '');
  const phones = texts('Mobile phone', 'Direct phone').map((text) => fieldKeys.phone(text, null));
  return {
    ...emptySubject,
    emails: filled(texts('Email', 'New email').map(fieldKeys.email)),
    profiles: filled(texts('Profile URL').map(fieldKeys.profile_url)),
    phones: filled(phones),
  };
}

export interface SearchedEnvironment {
  readonly folder: string;
  readonly store: ReadableDatabase;
  readonly directory: ReadableDatabase;
}

function findTexts(store: ReadableDatabase, matcher: Matcher, place: TextPlace): FoundEntry[] {
  const { table, key, columns, byIdentifier } = place;
  const names = Object.keys(columns);
  const all = [...new Set([...key, ...names])];
  const test = byIdentifier ? matcher.hasIdentifier : matcher.names;
  const entries: FoundEntry[] = [];
  const rows = statement<Record<string, unknown>>(store, `SELECT ${all.join()} FROM ${table}`);
  for (const row of rows.iterate()) {
    const hits = names.filter((name) => {
      const text = row[name];
      return typeof text === 'string' && text !== '' && test(text);
    });
    if (hits.length === 0) continue;
    entries.push({
      place: table,
      key: key.map((name) => row[name]),
      record: `${table} ${key.map((name) => row[name]).join(' ')}`,
      values: Object.fromEntries(hits.map((name) => [name, row[name]])),
    });
  }
  return entries;
}

interface StoredResult {
  readonly id: number;
  readonly uuid: string | null;
  readonly fields: string | null;
  readonly candidates: string | null;
  readonly others: string;
}

function findResults(store: ReadableDatabase, subject: Subject, matcher: Matcher) {
  const uuids = new Set(subject.uuids);
  const own = new Map<number, StoredResult>();
  const candidates: FoundEntry[] = [];
  const rows = statement<StoredResult>(
    store,
    `SELECT id, contact_uuid AS uuid, fields, candidates,
       ifnull(error, '') || ifnull(inferred, '') AS others FROM result`,
  );
  for (const row of rows.iterate()) {
    const isOwn =
      (row.uuid !== null && uuids.has(row.uuid)) ||
      (row.fields !== null && matcher.hasIdentifier(row.fields)) ||
      (row.others !== '' && matcher.hasIdentifier(row.others));
    if (isOwn) own.set(row.id, row);
    else if (row.candidates !== null && matcher.hasIdentifier(row.candidates))
      candidates.push({
        place: 'candidates',
        key: [row.id],
        record: `result ${row.id}`,
        values: { candidates: row.candidates },
      });
  }
  return { own, candidates };
}

function findContacts(store: ReadableDatabase, subject: Subject, matcher: Matcher) {
  const uuids = new Set(subject.uuids);
  const rows = statement<Record<string, string | number | null>>(
    store,
    `SELECT pipeline_id, position, person_uuid, facts, email, phone, error FROM pipeline_contact`,
  );
  const own = new Map<number, Set<number>>();
  const entries: FoundEntry[] = [];
  for (const row of rows.iterate()) {
    const { pipeline_id: pipeline, position, ...values } = row;
    const text = ['facts', 'email', 'phone', 'error'].map((name) => row[name] ?? '').join(' ');
    if (!uuids.has(String(row.person_uuid)) && !matcher.names(text)) continue;
    const positions = own.get(Number(pipeline)) ?? new Set();
    own.set(Number(pipeline), positions.add(Number(position)));
    const key = [pipeline, position];
    entries.push({ place: 'contacts', key, record: `list ${key.join(' row ')}`, values });
  }
  return { own, entries };
}

function findDependents(
  store: ReadableDatabase,
  subject: Subject,
  resultIds: readonly number[],
): FoundEntry[] {
  const values = { uuids: JSON.stringify(subject.uuids), ids: JSON.stringify(resultIds) };
  const isPerson = (column: string) => `${column} IN (SELECT value FROM json_each(@uuids))`;
  // The results of a deleted job are gone; its decisions name the person.
  const isRow = `(EXISTS (SELECT 1 FROM job j JOIN json_each(@ids) i
      ON i.value = j.result_base + t.row_index AND t.row_index < j.total_rows WHERE j.id = t.job_id)
    OR EXISTS (SELECT 1 FROM review_pick p
      WHERE (p.job_id, p.row_index) = (t.job_id, t.row_index) AND ${isPerson('p.contact_uuid')}))`;
  const list = (place: OwnPlaceName, sql: string) =>
    statement<Record<string, unknown>>(store, sql)
      .all(values)
      .map(
        (row): FoundEntry => ({
          place,
          key: Object.values(row),
          record: `${place} ${Object.values(row).join(' ')}`,
          values: row,
        }),
      );
  return [
    ...findPaidHashes(store, subject.uuids).map(
      ({ accountId, personHash, rows }): FoundEntry => ({
        place: 'remembered',
        key: [accountId, personHash],
        record: `account ${accountId}`,
        values: { rows },
      }),
    ),
    ...list(
      'owned',
      `SELECT account_id, person_uuid, kind FROM owned WHERE ${isPerson('person_uuid')}`,
    ),
    ...list(
      'merges',
      `SELECT 'merged_person' AS copy, uuid, survivor_uuid FROM merged_person
       WHERE ${isPerson('uuid')} OR ${isPerson('survivor_uuid')}`,
    ),
    ...list('ledger', `SELECT id, subject_id FROM ledger_entry WHERE ${isPerson('subject_id')}`),
    ...list(
      'reviews',
      `SELECT 'pick' AS what, job_id, row_index, contact_uuid FROM review_pick t
       WHERE ${isPerson('contact_uuid')}
       UNION ALL SELECT iif(${isRow}, 'memory', 'offered'), job_id, row_index, NULL
       FROM review_memory t
       WHERE ${isRow} OR EXISTS (SELECT 1 FROM json_each(offered) o WHERE ${isPerson('o.value')})`,
    ),
    ...list(
      'findings',
      `SELECT id, changes FROM monitor_finding WHERE changes IS NOT NULL
         AND (id IN (SELECT value FROM json_each(@ids))
           OR known_id IN (SELECT value FROM json_each(@ids)))`,
    ),
  ];
}

/** Stored answers of data services about the person, also misses. */
function findAnswers(
  store: ReadableDatabase,
  subject: Subject,
  matcher: Matcher,
  rowSubjects: readonly string[],
): FoundEntry[] {
  const subjects = new Set([
    ...rowSubjects,
    ...subject.emails.flatMap((email) => [
      rowSubject({ email }),
      fieldSubject('email_status', { email }, ''),
    ]),
    ...subject.profiles.map((url) => rowSubject({ profile_url: url })),
  ]);
  const rows = statement<{ subject: string; answer: string | null }>(
    store,
    'SELECT DISTINCT subject, answer FROM provider_answer',
  );
  for (const { subject: hash, answer } of rows.iterate())
    if (answer !== null && matcher.names(answer)) subjects.add(hash);
  return statement<Record<string, unknown>>(
    store,
    `SELECT subject, field, provider, answer FROM provider_answer
     WHERE subject IN (SELECT value FROM json_each(?))`,
  )
    .all(JSON.stringify([...subjects]))
    .map((row) => ({
      place: 'answers',
      key: [row.subject, row.field, row.provider],
      record: `${row.provider} ${row.field}`,
      values: { answer: row.answer },
    }));
}

/** Batches of pipelines that ended before the person was looked up. */
const findSubjects = (store: ReadableDatabase, matcher: Matcher, ids: readonly number[]) =>
  statement<{ pipeline_id: number; first_position: number; subjects: string }>(
    store,
    'SELECT pipeline_id, first_position, subjects FROM pipeline_subjects',
  )
    .all()
    .flatMap(({ pipeline_id: pipeline, first_position: first, subjects }): FoundEntry[] => {
      const isIn =
        matcher.hasIdentifier(subjects) ||
        (JSON.parse(subjects) as unknown[]).some((one) => ids.includes(Number(one)));
      const record = `list ${pipeline} from row ${first}`;
      const values = { subjects };
      return isIn
        ? [{ place: 'contacts', key: [pipeline, first, 'subjects'], record, values }]
        : [];
    });

const entryOf = ({ id, uuid, fields }: StoredResult): FoundEntry => ({
  place: 'results',
  key: [id],
  record: `result ${id}`,
  values: { contact_uuid: uuid, ...(fields === null ? {} : readStoredFields(fields)) },
});

function listOwnRows(
  store: ReadableDatabase,
  results: ReadonlyMap<number, unknown>,
  contacts: OwnRows['pipelines'],
): OwnRows {
  return {
    results: new Set(results.keys()),
    pipelines: contacts,
    contactOf: (id) =>
      statement<{ uuid: string | null }>(
        store,
        'SELECT contact_uuid AS uuid FROM result WHERE id = ?',
      ).get(id)?.uuid ?? null,
  };
}

/** Every entry about a person. Rows about the person make results and answers entries too. */
export function findEntries(
  { folder, store, directory }: SearchedEnvironment,
  given: Subject,
): FoundEntries {
  const subject = completeSubject(directory, given);
  const matcher = createMatcher(subject);
  const { own, candidates } = findResults(store, subject, matcher);
  const contacts = findContacts(store, subject, matcher);
  const inputs = findInputs(
    { folder, store },
    { subject, matcher, own: listOwnRows(store, own, contacts.own) },
  );
  for (const row of statement<StoredResult>(
    store,
    `SELECT id, contact_uuid AS uuid, fields, candidates, '' AS others FROM result
     WHERE id IN (SELECT value FROM json_each(?))`,
  ).all(JSON.stringify(inputs.resultIds)))
    own.set(row.id, row);
  const others = candidates.filter(({ key }) => !own.has(Number(key[0])));
  const found = [...own.values()].map(({ fields }) =>
    fields === null ? inputs.subject : readIdentifiers(readStoredFields(fields)),
  );
  const directoryEntries = findDirectoryEntries(directory, subject, matcher);
  const known = new Set(contacts.entries.map(({ key }) => key.join()));
  return {
    entries: [
      ...directoryEntries.entries,
      ...inputs.entries,
      ...[...own.values()].map(entryOf),
      ...others,
      ...findDependents(store, subject, [...own.keys()]),
      ...contacts.entries,
      ...inputs.contacts.filter(({ key }) => !known.has(key.join())),
      ...findSubjects(store, matcher, directoryEntries.ids),
      ...findAnswers(store, subject, matcher, inputs.rowSubjects),
      ...textPlaces.flatMap((place) => findTexts(store, matcher, place)),
      ...findKept({ folder, store }, matcher),
    ],
    subject: completeSubject(
      directory,
      found.reduce(mergeSubjects, mergeSubjects(subject, inputs.subject)),
    ),
  };
}

/** Keys of the person in `job_person`. */
export const personKeys = ({ uuids }: Subject): number[] => uuids.map(hashText);

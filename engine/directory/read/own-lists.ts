// What the directory keeps of the user's own lists in addition to its values: the id of the record
// in each list, and the columns that its import kept (docs/rules.md, "Own lists").
import { type ImportKind, importKinds, keptField } from '../../contract/directory.ts';
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import { rememberUntilCommit, statement } from '../../platform/sqlite/statement.ts';
import { sampleSource } from '../import/sample.ts';
import { countryCode } from '../normalize/country-code.ts';
import { normalizeEmail } from '../normalize/normalize-email.ts';
import { profileUrlKey } from '../normalize/normalize-url.ts';
import { readPhones } from '../normalize/read-cell.ts';
import { parseReport } from '../stats.ts';

export interface OwnList {
  readonly kind: ImportKind;
  readonly source: string;
  /** The source, or its own file if the source is named after the import's other file. */
  readonly name: string;
  readonly idHeader: string | null;
  /** Headers of the kept columns, in the order of the list. */
  readonly kept: readonly string[];
}

export interface OwnEntry {
  /** '' if the list gives none; the first of its newest import that has the record. */
  readonly id: string;
  /** Ids that the list gives the record as well: it has the record more than once. */
  readonly otherIds: readonly string[];
  /** Of a record with several ids, cells that are empty for the first are those of the others. */
  readonly kept: Readonly<Record<string, string>>;
  /** What the list says of the record under each id; null with one id. */
  readonly said: SaidById | null;
}

export interface OwnRecord {
  /** person.id, or company.id of a row about a company. */
  readonly recordId: number;
  /** Of a row about a company; null for a person. */
  readonly companyName: string | null;
  /** By kind, then by source. The companies are those of the contact's current employer. */
  readonly entries: Readonly<Record<ImportKind, ReadonlyMap<string, OwnEntry>>>;
}

/** The own lists, the one that was imported last first. The sample is no list of the user. */
export function listOwnLists(db: ReadableDatabase): OwnList[] {
  const imports = statement<{ source: string; report: string }>(
    db,
    `SELECT source, report FROM source_import WHERE status = 'completed' AND source <> ?
       AND part_of IS NULL ORDER BY id DESC`,
  ).all(sampleSource);
  const lists = new Map<string, { list: OwnList; kept: Set<string> }>();
  for (const { source, report } of imports) {
    const columns = parseReport(report)?.columns ?? [];
    for (const kind of importKinds) {
      const own = columns.filter((column) => column.kind === kind);
      const idHeader = own.find(({ field }) => field === 'id')?.header ?? null;
      const kept = own.flatMap(({ field, header }) => (field === keptField ? [header.trim()] : []));
      if (idHeader === null && kept.length === 0) continue;
      const file = columns.some((column) => column.file === source) ? own[0]?.file : undefined;
      const key = `${kind} ${source}`;
      const known = lists.get(key) ?? {
        list: { kind, source, name: file ?? source, idHeader: null, kept: [] },
        kept: new Set<string>(),
      };
      for (const header of kept) known.kept.add(header);
      const list = {
        ...known.list,
        idHeader: known.list.idHeader ?? idHeader,
        kept: [...known.kept],
      };
      lists.set(key, { list, kept: known.kept });
    }
  }
  return [...lists.values()].map(({ list }) => list);
}

const recordOf = { people: 'person', companies: 'company' } as const;

/** Some ids that a list gives, in no order. */
export function readSomeIds(
  db: ReadableDatabase,
  kind: ImportKind,
  source: string,
  count: number,
): string[] {
  const record = recordOf[kind];
  return statement<{ id: string }>(
    db,
    `WITH own AS (SELECT id FROM source_import WHERE source = @source AND status = 'completed')
     SELECT given_id AS id FROM ${record}
       WHERE import_id IN (SELECT id FROM own) AND given_id IS NOT NULL
     UNION SELECT given_id FROM ${record}_listing
       WHERE import_id IN (SELECT id FROM own) AND given_id <> ''
     LIMIT @count`,
  )
    .all({ source, count })
    .map(({ id }) => id);
}

/** An id in the row counts for more than all values that it may share. */
const keysMax = 1_000;
const nothingKept: OwnEntry['kept'] = {};
const noTexts: readonly string[] = [];

interface Said {
  readonly kept: OwnEntry['kept'];
  /** Emails, pages and phones that the person has from the rows of this id alone. */
  readonly keys: readonly string[];
}

/** What a list says of a record under each id, in the order of the list. */
type SaidById = Map<string, Said>;

/** What one row of a list says is said of the record of its id, without one of the first. */
function addSaid(said: SaidById, { givenId, kept, keys }: Row): void {
  const [first = ''] = said.keys();
  const id = givenId || first;
  const cells = kept === '{}' ? nothingKept : JSON.parse(kept);
  const before = said.get(id) ?? (first === '' ? said.get('') : undefined);
  if (first === '' && id !== '') said.delete('');
  said.set(id, {
    kept: before ? { ...before.kept, ...cells } : cells,
    keys:
      keys === '[]' ? (before?.keys ?? noTexts) : [...(before?.keys ?? []), ...JSON.parse(keys)],
  });
}

/** The ids of the newest import that gives any come first, and the others have no say. */
function putNewestFirst(rows: readonly Row[], said: SaidById): SaidById {
  const newest = rows.findLast(({ givenId }) => givenId !== '')?.importId;
  const ids = new Set(rows.flatMap((row) => (row.importId === newest ? row.givenId : [])));
  const isNow = ([id]: [string, Said]) => id === '' || ids.has(id);
  const all = [...said];
  const now = all.filter(isNow);
  if (now.length === all.length) return said;
  const silent: Said = { kept: nothingKept, keys: noTexts };
  const former = all.filter((one) => !isNow(one)).map(([id]): [string, Said] => [id, silent]);
  return new Map([...now, ...former]);
}

function readEntry(said: SaidById): OwnEntry {
  const [first, ...others] = said;
  const [id = '', { kept } = { kept: nothingKept }] = first ?? [];
  const cells = { ...kept };
  for (const [, more] of others)
    for (const [header, cell] of Object.entries(more.kept))
      if ((cells[header] ?? '') === '') cells[header] = cell;
  return {
    id,
    otherIds: others.map(([other]) => other),
    kept: cells,
    said: others.length > 0 ? said : null,
  };
}

function listRowKeys(cells: readonly string[], country: string): string[] {
  const code = countryCode(country);
  return cells.flatMap((cell) => {
    if (cell.trim() === '') return [];
    const texts = [cell.trim(), normalizeEmail(cell) ?? '', profileUrlKey(cell)];
    return [...texts.map((text) => text.toLowerCase()), ...readPhones(cell, code).numbers];
  });
}

/** The entry of a row: its id is the one whose own values, or which itself, the row has. */
function chooseId(entry: OwnEntry, rowKeys: ReadonlySet<string>): OwnEntry {
  if (!entry.said) return entry;
  const countOf = ([id, { keys }]: [string, Said]) =>
    (rowKeys.has(id.toLowerCase()) ? keysMax : 0) + keys.filter((key) => rowKeys.has(key)).length;
  const ranked = [...entry.said].toSorted((one, other) => countOf(other) - countOf(one));
  const [first] = ranked;
  return first?.[0] === entry.id ? entry : readEntry(new Map(ranked));
}

/** An own record as a row means it, if a list has the record more than once. */
export function recordOfRow(
  record: OwnRecord | undefined,
  cells: readonly string[],
  country: string,
): OwnRecord | undefined {
  const { people } = record?.entries ?? {};
  if (!record || !people || [...people.values()].every(({ said }) => said === null)) return record;
  const keys = new Set(listRowKeys(cells, country));
  const chosen = new Map([...people].map(([list, entry]) => [list, chooseId(entry, keys)]));
  return { ...record, entries: { ...record.entries, people: chosen } };
}

/** What the rows of a list say of a record: most records have one. */
function readRows(rows: readonly Row[]): OwnEntry {
  const [row] = rows;
  if (row && rows.length === 1) {
    const kept = row.kept === '{}' ? nothingKept : JSON.parse(row.kept);
    return { id: row.givenId, otherIds: noTexts, kept, said: null };
  }
  const said: SaidById = new Map();
  for (const one of rows) addSaid(said, one);
  return readEntry(putNewestFirst(rows, said));
}

const noRows: readonly Row[] = [];

/** What lists say of a record by source. @param rows the oldest first */
function readEntries(
  sources: ReadonlyMap<number, string>,
  rows: readonly Row[],
): ReadonlyMap<string, OwnEntry> {
  const lists = new Map<string, Row[]>();
  for (const row of rows) {
    const source = sources.get(row.importId) ?? '';
    const before = lists.get(source);
    if (before) before.push(row);
    else lists.set(source, [row]);
  }
  const entries = new Map<string, OwnEntry>();
  for (const [source, ofList] of lists) entries.set(source, readRows(ofList));
  return entries;
}

/** What one row of a list says of a record. */
interface Row {
  readonly importId: number;
  readonly givenId: string;
  readonly kept: string;
  readonly keys: string;
}

/** A record with the id that its own import gave it, and so its employer. */
interface Held {
  readonly uuid: string;
  readonly recordId: number;
  readonly companyName: string | null;
  readonly personId: number | null;
  readonly personGiven: string | null;
  readonly personImport: number | null;
  readonly companyId: number | null;
  readonly companyGiven: string | null;
  readonly companyImport: number | null;
}

/** The id of a record that has, or had before a merge, a UUID. */
const survivorSql = (record: 'person' | 'company'): string =>
  `ifnull((SELECT id FROM ${record} WHERE uuid = w.value),
    (SELECT survivor_id FROM merged_record WHERE uuid = w.value AND kind = '${record}'))`;

const companySql = `c.id AS companyId, c.given_id AS companyGiven, c.import_id AS companyImport`;
const peopleSql = `SELECT w.value AS uuid, p.id AS recordId, NULL AS companyName, p.id AS personId,
    p.given_id AS personGiven, p.import_id AS personImport, ${companySql}
  FROM json_each(@uuids) w JOIN person p ON p.id = ${survivorSql('person')}
  LEFT JOIN employment e ON e.id = iif(p.has_left, NULL, p.employment_id)
  LEFT JOIN company c ON c.id = e.company_id`;
const companiesSql = `SELECT w.value AS uuid, c.id AS recordId, c.name AS companyName,
    NULL AS personId, NULL AS personGiven, NULL AS personImport, ${companySql}
  FROM json_each(@uuids) w JOIN company c ON c.id = ${survivorSql('company')}`;

/** What further lists, and further rows of a list, say of records; the oldest first. */
function readListings(
  db: ReadableDatabase,
  kind: ImportKind,
  ids: ReadonlySet<number | null>,
): ReadonlyMap<number, readonly Row[]> {
  const record = recordOf[kind];
  const rows = new Map<number, Row[]>();
  // CROSS JOIN, because SQLite would read the whole listing for a page of contacts.
  const listed = statement<Row & { id: number }>(
    db,
    `SELECT t.${record}_id AS id, t.import_id AS importId, t.given_id AS givenId, t.kept,
       ${kind === 'people' ? 't.keys' : "'[]'"} AS keys
     FROM json_each(@ids) w CROSS JOIN ${record}_listing t ON t.${record}_id = w.value
     ORDER BY t.import_id, t.id`,
  ).all({ ids: JSON.stringify([...ids]) });
  for (const row of listed) {
    const before = rows.get(row.id);
    if (before) before.push(row);
    else rows.set(row.id, [row]);
  }
  return rows;
}

const readSources = (db: ReadableDatabase): ReadonlyMap<number, string> =>
  rememberUntilCommit(db, 'sources', () => {
    const imports = statement<{ id: number; source: string }>(
      db,
      'SELECT id, source FROM source_import',
    ).all();
    return new Map(imports.map(({ id, source }) => [id, source]));
  });

/** People with a number on file that is not their own (import/derive.ts). */
export const listSharedPhones = (
  db: ReadableDatabase,
  uuids: readonly string[],
): ReadonlySet<string> =>
  new Set(
    statement<{ uuid: string }>(
      db,
      `SELECT p.uuid FROM json_each(?) asked JOIN person p ON p.uuid = asked.value
       WHERE EXISTS (SELECT 1 FROM person_phone t WHERE t.person_id = p.id
         AND iif(t.kind = 'mobile', p.mobile_phone, p.direct_phone) IS NULL)`,
    )
      .all(JSON.stringify(uuids))
      .map(({ uuid }) => uuid),
  );

/** The records of contacts by UUID; none of a contact that the directory does not have. */
export function readOwnRecords(
  db: ReadableDatabase,
  uuids: readonly string[],
): ReadonlyMap<string, OwnRecord> {
  const records = new Map<string, OwnRecord>();
  const sources = readSources(db);
  const read = (sql: string, asked: readonly string[]) => {
    if (asked.length === 0) return;
    const held = statement<Held>(db, sql).all({ uuids: JSON.stringify(asked) });
    const listedPeople = readListings(db, 'people', new Set(held.map((one) => one.personId)));
    const listed = readListings(db, 'companies', new Set(held.map((one) => one.companyId)));
    const entriesOf = (
      given: string | null,
      importId: number | null,
      further: readonly Row[] = noRows,
    ): ReadonlyMap<string, OwnEntry> => {
      if (given === null || importId === null) return readEntries(sources, further);
      const own = { importId, givenId: given, kept: '{}', keys: '[]' };
      const older = further.filter((row) => row.importId < importId);
      return readEntries(sources, [...older, own, ...further.slice(older.length)]);
    };
    for (const one of held) {
      const { uuid, recordId, companyName, personId, companyId } = one;
      const furtherOfPerson = listedPeople.get(personId ?? 0);
      const people = entriesOf(one.personGiven, one.personImport, furtherOfPerson);
      const further = listed.get(companyId ?? 0);
      const companies = entriesOf(one.companyGiven, one.companyImport, further);
      records.set(uuid, { recordId, companyName, entries: { people, companies } });
    }
  };
  read(peopleSql, uuids);
  // A contact that no list of people knows may be a company.
  read(
    companiesSql,
    uuids.filter((uuid) => !records.has(uuid)),
  );
  return records;
}

// What is fetched from the shared directory: the records of the people that a batch accepted or may
// mean, and nothing of anyone else. They are in a scratch database with the tables of a directory,
// where the suppression list and the projection treat them like the user's own.
import type { PoolClient } from 'pg';
import type { MatchBatch } from '../../directory/index/match-batch.ts';
import { companyNameKey } from '../../directory/normalize/normalize-company.ts';
import { normalizeEmail } from '../../directory/normalize/normalize-email.ts';
import { normalizePhone } from '../../directory/normalize/normalize-phone.ts';
import { profileUrlKey } from '../../directory/normalize/normalize-url.ts';
import { recordNames } from '../../directory/normalize/record-fields.ts';
import { migrationsDir } from '../../platform/paths.ts';
import { migrate } from '../../platform/sqlite/migrate.ts';
import type { WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { openScratch } from '../../platform/sqlite/open-scratch.ts';
import { statement } from '../../platform/sqlite/statement.ts';
import { inTransaction } from '../../platform/sqlite/transaction.ts';
import {
  type Bucket,
  layoutOf,
  type SharedLayout,
  splitBy,
  within,
} from '../layout/shared-layout.ts';

type Row = Readonly<Record<string, unknown>>;

/** The tables that are fetched, and the column by which the rows of people are found. */
const byPerson = ['person_name', 'person_key', 'person_phone', 'employment'] as const;
const fetchedTables = [
  'source_import',
  'company',
  'company_alias',
  'person',
  ...byPerson,
  'value_claim',
] as const;
type FetchedTable = (typeof fetchedTables)[number];

/** The column by which the rows of people are found, and which chooses their bucket. */
const personColumns: Readonly<Partial<Record<FetchedTable, string>>> = {
  person: 'id',
  ...Object.fromEntries(byPerson.map((table) => [table, 'person_id'])),
};

export type FetchedRecords = Readonly<Partial<Record<FetchedTable, readonly Row[]>>>;

export function openFetched(): WritableDatabase {
  const fetched = openScratch();
  migrate(fetched, migrationsDir('directory'));
  // Records come in any order, and without those of companies that are not shown.
  fetched.pragma('foreign_keys = OFF');
  return fetched;
}

interface Column {
  readonly name: string;
  readonly type: string;
}

const columnsByTable = new Map<FetchedTable, readonly Column[]>();

/** The stored columns of a table of a directory. Every scratch database has the same ones. */
function listColumns(fetched: WritableDatabase, table: FetchedTable): readonly Column[] {
  const known = columnsByTable.get(table);
  if (known) return known;
  const columns = statement<Column>(
    fetched,
    'SELECT name, type FROM pragma_table_xinfo(?) WHERE hidden = 0 ORDER BY cid',
  ).all(table);
  columnsByTable.set(table, columns);
  return columns;
}

const idsOf = (rows: readonly Row[], column: string): number[] => [
  ...new Set(rows.map((row) => Number(row[column] ?? 0)).filter((id) => id > 0)),
];

export async function readFetchedRecords(
  client: PoolClient,
  fetched: WritableDatabase,
  batch: Pick<MatchBatch, 'personIds' | 'companyIds' | 'candidates'>,
): Promise<FetchedRecords> {
  const layout = await layoutOf(client);
  const read = async (table: FetchedTable, column: string, ids: readonly number[]) => {
    if (ids.length === 0) return [];
    const columns = listColumns(fetched, table).map(({ name }) => name);
    const read: Row[] = [];
    const isOfPeople = column === personColumns[table];
    for (const [bucket, own] of isOfPeople
      ? splitBy(layout, ids, layout.bucketOfPerson)
      : ([[null, ids]] as const)) {
      const { rows } = await client.query<Row>(
        `SELECT ${columns.join(', ')} FROM ${table} WHERE ${within(bucket)}${column} = ANY($1)`,
        [own],
      );
      for (const row of rows) read.push(row);
    }
    return read;
  };
  const named = [...batch.personIds, ...batch.candidates.flatMap(({ personIds }) => personIds)];
  const people = idsOf(
    named.map((id) => ({ id })),
    'id',
  );
  const person = await read('person', 'id', people);
  const [names, keys, phones, employment] = [
    await read('person_name', 'person_id', people),
    await read('person_key', 'person_id', people),
    await read('person_phone', 'person_id', people),
    await read('employment', 'person_id', people),
  ];
  const matched = Array.from(batch.companyIds, (id) => ({ company_id: id }));
  const companies = idsOf([...employment, ...matched], 'company_id');
  const company = await read('company', 'id', companies);
  // The suppression list may name a company by an alias.
  const aliases = await read('company_alias', 'company_id', companies);
  const claims: Row[] = [];
  for (const [record, rows] of [person, employment, company].entries())
    for (const row of await read(
      'value_claim',
      `record = ${recordNames.indexOf(recordNames[record] ?? 'person')} AND record_id`,
      idsOf(
        rows.filter((one) => Number(one.is_mixed) === 1),
        'id',
      ),
    ))
      claims.push(row);
  const records = {
    person,
    employment,
    company,
    company_alias: aliases,
    value_claim: claims,
    person_name: names,
    person_key: keys,
    person_phone: phones,
  };
  const imports = idsOf(Object.values(records).flat(), 'import_id');
  return { ...records, source_import: await read('source_import', 'id', imports) };
}

const shownPeople = (bucket: Bucket): string[] =>
  Object.entries(personColumns).map(
    ([table, column]) =>
      `SELECT '${table}' AS name, to_json(t) AS content FROM ${table} t
       WHERE ${within(bucket)}${column} = ANY($1)`,
  );
const shownCompanies = (ids: string): string[] =>
  [
    ['company', 'id'],
    ['company_alias', 'company_id'],
  ].map(
    ([table, column]) => `SELECT '${table}' AS name, to_json(t) AS content FROM ${table} t
      WHERE ${column} ${ids}`,
  );
const union = (selects: readonly string[]): string => selects.join(' UNION ALL ');

const shownSql = union([
  ...shownPeople(null),
  ...shownCompanies('IN (SELECT company_id FROM employment WHERE person_id = ANY($1))'),
]);

const shownCompaniesSql = union(shownCompanies('= ANY($1)'));

interface ShownRow {
  readonly name: FetchedTable;
  readonly content: Row;
}

/** The same by buckets, and then their companies. */
async function readShownParts(
  client: PoolClient,
  layout: SharedLayout,
  personIds: readonly number[],
): Promise<ShownRow[]> {
  const all: ShownRow[] = [];
  for (const [bucket, own] of splitBy(layout, personIds, layout.bucketOfPerson)) {
    const { rows } = await client.query<ShownRow>({
      name: `desk-shown${bucket}`,
      text: union(shownPeople(bucket)),
      values: [own],
    });
    for (const row of rows) all.push(row);
  }
  const jobs = all.filter(({ name }) => name === 'employment');
  const companies = idsOf(
    jobs.map(({ content }) => content),
    'company_id',
  );
  const { rows } = await client.query<ShownRow>({
    name: 'desk-shown-companies',
    text: shownCompaniesSql,
    values: [companies],
  });
  return [...all, ...rows];
}

function groupRows(rows: readonly ShownRow[]): FetchedRecords {
  const records: Partial<Record<FetchedTable, Row[]>> = {};
  for (const { name, content } of rows) {
    const known = records[name];
    if (known) known.push(content);
    else records[name] = [content];
  }
  return records;
}

export async function readShownCompanies(
  client: PoolClient,
  companyIds: readonly number[],
): Promise<FetchedRecords> {
  if (companyIds.length === 0) return {};
  const { rows } = await client.query<ShownRow>({
    name: 'desk-shown-companies',
    text: shownCompaniesSql,
    values: [companyIds],
  });
  return groupRows(rows);
}

/** Reads what a list shows of people, and what suppresses them: in one query, or one a bucket. */
export async function readShownPeople(
  client: PoolClient,
  personIds: readonly number[],
): Promise<FetchedRecords> {
  if (personIds.length === 0) return {};
  const layout = await layoutOf(client);
  const rows = layout.buckets
    ? await readShownParts(client, layout, personIds)
    : (
        await client.query<ShownRow>({
          name: 'desk-shown',
          text: shownSql,
          values: [personIds],
        })
      ).rows;
  return groupRows(rows);
}

const storedPhone = /^\+\d{7,15}(?: x\d+)?$/;
const text = (value: unknown): string => String(value ?? '');
const readEmail = (value: unknown) => value && normalizeEmail(text(value));
const readPhone = (value: unknown) =>
  value && !storedPhone.test(text(value)) ? normalizePhone(text(value), null) : value;

/**
 * The values that an import derives or normalises. Any program with the right to load may have
 * written others, which would equal neither an entry of the suppression list nor a row.
 */
const storedForms: Readonly<Partial<Record<FetchedTable, (row: Row) => Row>>> = {
  person: (row) => ({
    profile_key: profileUrlKey(text(row.profile_url)) || null,
    mobile_phone: readPhone(row.mobile_phone),
    direct_phone: readPhone(row.direct_phone),
  }),
  employment: (row) => ({ email: readEmail(row.email) }),
  person_phone: (row) => ({ number: readPhone(row.number) ?? text(row.number) }),
  person_key: (row) => ({
    value:
      (row.kind === 'email' ? normalizeEmail(text(row.value)) : profileUrlKey(text(row.value))) ||
      text(row.value),
  }),
  company: (row) => ({ name_key: companyNameKey(text(row.name)) }),
};

/** Replaces what was fetched before by the records of a batch. */
export function fillFetched(fetched: WritableDatabase, records: FetchedRecords): void {
  inTransaction(fetched, () => {
    for (const table of fetchedTables) {
      statement(fetched, `DELETE FROM ${table}`).run();
      const rows = records[table] ?? [];
      if (rows.length === 0) continue;
      const columns = listColumns(fetched, table);
      const names = columns.map(({ name }) => name);
      const insert = statement(
        fetched,
        `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
      );
      for (const row of rows) {
        const stored = { ...row, ...storedForms[table]?.(row) };
        insert.run(...columns.map((column) => readCell(stored[column.name], column)));
      }
    }
    statement(fetched, 'UPDATE generation SET suppression_version = 0').run();
  });
}

/** PostgreSQL sends large numbers as text. */
const readCell = (value: unknown, { type }: Column): unknown => {
  if (value === null || value === undefined) return null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  return type === 'INTEGER' || type === 'REAL' ? Number(value) : value;
};

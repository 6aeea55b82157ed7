// Derives `person.listed` and `company.listed` of directory.db from the suppression list, so that
// every read of people honours the list with the column it already tests.
import { fieldKeys } from '../directory/normalize/field-keys.ts';
import { emailDomain } from '../directory/normalize/normalize-email.ts';
import type { ReadableDatabase, WritableDatabase } from '../platform/sqlite/open-database.ts';
import { statement } from '../platform/sqlite/statement.ts';
import { inTransaction } from '../platform/sqlite/transaction.ts';
import { writeWhenFree } from '../platform/sqlite/write-when-free.ts';
import { listKeys, readVersion } from './suppression.table.ts';
import { readSuppressionList, type SuppressionList } from './suppression-list.ts';

type Ids = Set<number>;

function addFound(db: ReadableDatabase, ids: Ids, sql: string, ...values: unknown[]): void {
  for (const { id } of statement<{ id: number }>(db, sql).iterate(...values)) ids.add(id);
}

const personBy = {
  uuid: [
    'SELECT id FROM person WHERE uuid = ?',
    "SELECT survivor_id AS id FROM merged_record WHERE uuid = ? AND kind = 'person'",
  ],
  email: [
    'SELECT person_id AS id FROM employment WHERE email = ?',
    "SELECT person_id AS id FROM person_key WHERE kind = 'email' AND value = ?",
  ],
  profile: [
    'SELECT id FROM person WHERE profile_key = ?',
    "SELECT person_id AS id FROM person_key WHERE kind = 'profile_url' AND value = ?",
  ],
  // The same mailbox with tags. The range has the index of the addresses.
  tagged: [
    `SELECT person_id AS id FROM employment
     WHERE email BETWEEN ? AND ? AND email LIKE ? ESCAPE '\\'`,
    `SELECT person_id AS id FROM person_key
     WHERE kind = 'email' AND value BETWEEN ? AND ? AND value LIKE ? ESCAPE '\\'`,
  ],
  // A stored number may be followed by an extension.
  phone: 'SELECT person_id AS id FROM person_phone WHERE number = ? OR number BETWEEN ? AND ?',
};
const companyByName = [
  'SELECT id FROM company WHERE name_key = ?',
  "SELECT survivor_id AS id FROM merged_record WHERE name_key = ? AND kind = 'company'",
];

/** The people with a name who work for an employer now, by "name|employer". */
function addNamed(db: ReadableDatabase, people: Ids, key: string): void {
  const [name = '', employer = ''] = key.split('|');
  const found = statement<{ id: number; first: string; last: string }>(
    db,
    // The names of people who were merged are other names of the survivor.
    `WITH employer AS (SELECT id FROM company WHERE name_key = @employer OR domain = @employer
       UNION SELECT survivor_id FROM merged_record
         WHERE kind = 'company' AND (name_key = @employer OR domain = @employer)),
     staff AS (SELECT e.person_id AS id FROM employment e
       WHERE e.company_id IN (SELECT id FROM employer) AND e.is_current)
     SELECT p.id, p.first_name AS first, p.last_name AS last
     FROM staff JOIN person p ON p.id = staff.id
     UNION ALL SELECT n.person_id, n.first_name, n.last_name
     FROM staff JOIN merged_record m ON m.kind = 'person' AND m.survivor_id = staff.id
     JOIN person_name n ON n.person_id = staff.id`,
  ).all({ employer });
  for (const { id, first, last } of found)
    if (fieldKeys.name(`${first} ${last}`) === name) people.add(id);
}

/** Companies with a suppressed name or domain. Domains have no index by their ends: one scan. */
function findCompanies(
  db: ReadableDatabase,
  entries: ReturnType<typeof listKeys>,
  list: SuppressionList,
): Ids {
  const companies: Ids = new Set();
  for (const { kind, key } of entries)
    if (kind === 'company') for (const sql of companyByName) addFound(db, companies, sql, key);
  if (list.kinds.has('company')) {
    const aliases = statement<{ id: number; name: string }>(
      db,
      'SELECT company_id AS id, name FROM company_alias',
    );
    for (const { id, name } of aliases.iterate()) if (list.hasCompany(name)) companies.add(id);
  }
  if (list.kinds.has('domain')) {
    const domains = statement<{ id: number; domain: string }>(
      db,
      `SELECT id, domain FROM company WHERE domain IS NOT NULL
       UNION ALL SELECT survivor_id, domain FROM merged_record WHERE domain IS NOT NULL`,
    );
    for (const { id, domain } of domains.iterate()) if (list.hasHost(domain)) companies.add(id);
  }
  return companies;
}

function findPeople(
  db: ReadableDatabase,
  entries: ReturnType<typeof listKeys>,
  list: SuppressionList,
  companies: Ids,
): Ids {
  const people: Ids = new Set();
  for (const { kind, key } of entries) {
    if (kind === 'person' && key.includes('|')) addNamed(db, people, key);
    else if (kind === 'person') for (const sql of personBy.uuid) addFound(db, people, sql, key);
    else if (kind === 'email') {
      for (const sql of personBy.email) addFound(db, people, sql, key);
      const at = key.lastIndexOf('@');
      const local = key.slice(0, at);
      const ending = `%${key.slice(at).replace(/[%_\\]/g, '\\$&')}`;
      for (const sql of personBy.tagged)
        addFound(db, people, sql, `${local}+`, `${local}+\u{10ffff}`, ending);
    } else if (kind === 'profile_url')
      for (const sql of personBy.profile) addFound(db, people, sql, key);
    else if (kind === 'phone') addFound(db, people, personBy.phone, key, `${key} x`, `${key} x:`);
  }
  for (const company of companies)
    addFound(
      db,
      people,
      'SELECT person_id AS id FROM employment WHERE company_id = ? AND is_current',
      company,
    );
  if (!list.kinds.has('domain')) return people;
  const emails = statement<{ id: number; email: string }>(
    db,
    `SELECT person_id AS id, email FROM employment WHERE email IS NOT NULL AND is_current
     UNION ALL SELECT person_id, value FROM person_key WHERE kind = 'email'`,
  );
  // The addresses of an employer have few domains.
  const verdicts = new Map<string, boolean>();
  for (const { id, email } of emails.iterate()) {
    const domain = emailDomain(email);
    let isCovered = verdicts.get(domain);
    if (isCovered === undefined) {
      isCovered = list.hasHost(domain);
      if (verdicts.size < 100_000) verdicts.set(domain, isCovered);
    }
    if (isCovered) people.add(id);
  }
  return people;
}

/** Sets `listed` of a table's records to whether they are among the ids. Returns the changes. */
function writeListed(db: WritableDatabase, table: 'person' | 'company', ids: Ids): number {
  // The query has the condition of the partial index of each table.
  const where = table === 'person' ? 'opted_out | listed' : 'listed';
  const before = statement<{ id: number }>(
    db,
    `SELECT id FROM ${table} WHERE (${where}) AND listed = 1`,
  ).all();
  const set = statement(db, `UPDATE ${table} SET listed = ? WHERE id = ?`);
  const known = new Set(before.map(({ id }) => id));
  let changes = 0;
  for (const id of known) if (!ids.has(id)) changes += set.run(0, id).changes;
  for (const id of ids) if (!known.has(id)) changes += set.run(1, id).changes;
  return changes;
}

/**
 * Applies the current list to the directory. An index of an older generation is outdated if this
 * changes anything.
 * @param store a connection to engine.db
 * @param entries those of the list that may name anyone, for a directory of a few people; all if
 *   omitted. Domains, and names of companies by their aliases, are looked up in the whole list
 */
export function applySuppressions(
  directory: WritableDatabase,
  store: ReadableDatabase,
  entries: ReturnType<typeof listKeys> = listKeys(store),
): void {
  const list = readSuppressionList(store, null);
  inTransaction(directory, () => {
    const companies = findCompanies(directory, entries, list);
    const people = findPeople(directory, entries, list, companies);
    const changes =
      writeListed(directory, 'company', companies) + writeListed(directory, 'person', people);
    statement(directory, 'UPDATE generation SET suppression_version = ?, number = number + ?').run(
      list.version,
      changes > 0 ? 1 : 0,
    );
  });
}

export function isApplied(directory: ReadableDatabase, store: ReadableDatabase): boolean {
  const applied = statement<{ version: number }>(
    directory,
    'SELECT suppression_version AS version FROM generation',
  ).get();
  return applied?.version === readVersion(store);
}

/** Applies the list as soon as no import is writing to the directory. Rejects if it is stopped. */
export async function applyWhenFree(
  directory: WritableDatabase,
  store: ReadableDatabase,
  signal: AbortSignal,
): Promise<void> {
  await writeWhenFree(directory, () => applySuppressions(directory, store), signal);
}

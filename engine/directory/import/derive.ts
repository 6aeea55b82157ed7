// Derives data after an import or an undo has changed records: own phones, counts, generation.
import type { WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';
import { isDisposableDomain, isFreeMailDomain } from '../normalize/reference-tables.ts';
import { chooseEmployment, type EmploymentChoice } from './choose-employment.ts';

/** Creates or empties temp.touched_number and temp.touched_person, the input of derivePhones. */
export function clearTouched(db: WritableDatabase): void {
  for (const [table, column] of [
    ['touched_number', 'number TEXT'],
    ['touched_person', 'id INTEGER'],
  ]) {
    db.exec(`CREATE TEMP TABLE IF NOT EXISTS ${table} (${column} PRIMARY KEY) WITHOUT ROWID`);
    db.exec(`DELETE FROM temp.${table}`);
  }
}

export function touchNumber(db: WritableDatabase, number: string): void {
  statement(db, 'INSERT OR IGNORE INTO temp.touched_number VALUES (?)').run(number);
}

export function touchPerson(db: WritableDatabase, id: number): void {
  statement(db, 'INSERT OR IGNORE INTO temp.touched_person VALUES (?)').run(id);
}

export function touchSharedNumbers(db: WritableDatabase): void {
  // The index alone shows which numbers occur twice; only these are checked for their holders.
  db.exec(`INSERT OR IGNORE INTO temp.touched_number
    SELECT number FROM person_phone WHERE number IN
      (SELECT number FROM person_phone GROUP BY number HAVING count(*) > 1)
    GROUP BY number HAVING min(person_id) <> max(person_id)`);
  db.exec(`INSERT OR IGNORE INTO temp.touched_number
    SELECT number FROM person_phone
    WHERE number IN (SELECT phone FROM company UNION SELECT phone FROM merged_record)`);
}

const ownNumberSql = `SELECT t.number,
    t.import_id <> p.import_id OR t.observed_on <> p.observed_on AS is_foreign
  FROM person_phone t JOIN person p ON p.id = t.person_id
  WHERE t.person_id = @id AND t.kind = @kind
    AND NOT EXISTS (SELECT 1 FROM company c WHERE c.phone = t.number)
    AND NOT EXISTS (SELECT 1 FROM merged_record m WHERE m.phone = t.number)
    AND NOT EXISTS (SELECT 1 FROM person_phone o WHERE o.number = t.number AND o.person_id <> @id)
  ORDER BY t.observed_on DESC, t.import_id DESC, t.id LIMIT 1`;

/**
 * Recomputes the own numbers of all people with a marked number and of all marked people: a number
 * of a company, or of several people, is not a person's own (docs/rules.md).
 */
export function derivePhones(db: WritableDatabase): void {
  db.exec(`INSERT OR IGNORE INTO temp.touched_person
    SELECT person_id FROM person_phone WHERE number IN (SELECT number FROM temp.touched_number)`);
  const people = db.prepare('SELECT id FROM temp.touched_person').pluck().all() as number[];
  const own = statement<{ number: string; is_foreign: number }>(db, ownNumberSql);
  const update = statement(
    db,
    `UPDATE person SET
       mobile_phone = @mobile, direct_phone = @direct, has_foreign_phone = @isForeign
     WHERE id = @id AND (mobile_phone IS NOT @mobile OR direct_phone IS NOT @direct
       OR has_foreign_phone <> @isForeign)`,
  );
  for (const id of people) {
    const [mobile, direct] = ['mobile', 'direct'].map((kind) => own.get({ id, kind }));
    update.run({
      id,
      mobile: mobile?.number ?? null,
      direct: direct?.number ?? null,
      isForeign: Number(mobile?.is_foreign || direct?.is_foreign || 0),
    });
  }
}

export function deriveEmployment(db: WritableDatabase, personId: number): boolean {
  const employments = statement<EmploymentChoice>(
    db,
    `SELECT id, is_current, is_primary, start_on, end_on, observed_on, import_id
     FROM employment WHERE person_id = ?`,
  ).all(personId);
  const { employmentId, hasLeft } = chooseEmployment(employments);
  const { changes } = statement(
    db,
    `UPDATE person SET employment_id = @employmentId, has_left = @hasLeft WHERE id = @personId
     AND (employment_id IS NOT @employmentId OR has_left <> @hasLeft)`,
  ).run({ personId, employmentId, hasLeft });
  return changes > 0;
}

/** Addresses at one domain from which it may be the company's. */
const addressesMin = 2;

const addressesSql = `SELECT company_id AS id,
    lower(substr(email, instr(email, '@') + 1)) AS domain, count(*) AS count
  FROM employment WHERE email IS NOT NULL AND company_id IN
    (SELECT id FROM company WHERE website IS NULL AND domain IS NULL)
  GROUP BY 1, 2 ORDER BY 1`;

/**
 * Gives companies without a website and a domain the domain of more than half of their people's
 * addresses; private mailboxes count as addresses of none.
 */
function deriveMailDomains(db: WritableDatabase): void {
  const found = new Map<number, { total: number; domain: string; count: number }>();
  const rows = statement<{ id: number; domain: string; count: number }>(db, addressesSql);
  for (const { id, domain, count } of rows.iterate()) {
    const before = found.get(id) ?? { total: 0, domain: '', count: 0 };
    const total = before.total + count;
    const isBetter =
      count > before.count && !isFreeMailDomain(domain) && !isDisposableDomain(domain);
    found.set(id, isBetter ? { total, domain, count } : { ...before, total });
  }
  const chosen = new Map(
    [...found].flatMap(([id, { total, domain, count }]) =>
      count >= addressesMin && count * 2 > total ? [[id, domain] as const] : [],
    ),
  );
  const held = statement<{ id: number; domain: string }>(
    db,
    'SELECT id, mail_domain AS domain FROM company WHERE mail_domain IS NOT NULL',
  ).all();
  const before = new Map(held.map(({ id, domain }) => [id, domain]));
  const set = statement(db, 'UPDATE company SET mail_domain = ? WHERE id = ?');
  for (const id of new Set([...before.keys(), ...chosen.keys()])) {
    const domain = chosen.get(id) ?? null;
    if (domain !== (before.get(id) ?? null)) set.run(domain, id);
  }
}

/** Raises the generation and recounts the tables. An index of an older generation is outdated. */
export function raiseGeneration(db: WritableDatabase): void {
  deriveMailDomains(db);
  db.exec(`UPDATE generation SET
    number = number + 1,
    people = (SELECT count(*) FROM person),
    companies = (SELECT count(*) FROM company),
    employments = (SELECT count(*) FROM employment),
    people_with_email = (SELECT count(*) FROM person p JOIN employment e ON e.id = p.employment_id
      WHERE e.email IS NOT NULL AND p.has_left = 0 AND e.email_status IS NOT 'invalid'),
    people_with_phone =
      (SELECT count(*) FROM person WHERE coalesce(mobile_phone, direct_phone) IS NOT NULL),
    people_with_profile_url = (SELECT count(*) FROM person WHERE profile_url IS NOT NULL)`);
}

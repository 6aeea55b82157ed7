// A directory of a few people in memory, and rows matched against its index.

import Database from 'better-sqlite3';
import { employmentStatuses, matchFields, reasons } from '../../engine/contract/jobs/job.ts';
import { buildIndex } from '../../engine/directory/index/index-build.ts';
import type { MatchIndex } from '../../engine/directory/index/index-layout.ts';
import type { MatchModel } from '../../engine/directory/match/graded/model.ts';
import { createMatcher } from '../../engine/directory/match/match-rows.ts';
import { defaultMatchThreshold } from '../../engine/directory/match/match-threshold.ts';
import { classifyTitle } from '../../engine/directory/normalize/classify-title.ts';
import { migrationsDir } from '../../engine/platform/paths.ts';
import { migrate } from '../../engine/platform/sqlite/migrate.ts';
import type { ReadableDatabase } from '../../engine/platform/sqlite/open-database.ts';
import { formatRecords } from '../../engine/spreadsheet/format-record.ts';

export interface Job {
  readonly at: string;
  readonly email?: string;
  readonly left?: boolean;
  readonly title?: string;
}
/** A person of a small directory; their id is their position in the list, from 1. */
export interface Person {
  readonly first: string;
  readonly last: string;
  readonly middle?: string;
  readonly suffix?: string;
  readonly url?: string;
  /** In E.164. */
  readonly directPhone?: string;
  readonly suppressed?: boolean;
  readonly otherNames?: readonly (readonly [first: string, last: string])[];
  readonly jobs?: readonly Job[];
}
/** A company with further fields; others are created when a job names them. */
export interface Company {
  readonly name: string;
  readonly domain?: string;
  readonly aliases?: readonly string[];
}

/** Creates a directory in memory. Its tables are those of directory.db. */
export function makeDirectory(
  people: readonly Person[],
  companies: readonly Company[] = [],
): ReadableDatabase {
  const db = new Database(':memory:');
  migrate(db, migrationsDir('directory'));
  const insert = (table: string, values: Record<string, unknown>): number => {
    const names = Object.keys(values);
    const marks = names.map(() => '?').join(', ');
    const sql = `INSERT INTO ${table} (${names.join(', ')}) VALUES (${marks})`;
    return Number(db.prepare(sql).run(...Object.values(values)).lastInsertRowid);
  };
  const day = '2026-01-01';
  const origin = insert('source_import', {
    source: 'test',
    trust: 1,
    observed_on: day,
    status: 'completed',
    started_at: day,
  });
  const record = { import_id: origin, observed_on: day };
  const companyIds = new Map<string, number>();
  const addCompany = ({ name, domain, aliases = [] }: Company): number => {
    const known = companyIds.get(name);
    if (known !== undefined) return known;
    const uuid = `company ${companyIds.size + 1}`;
    const id = insert('company', { uuid, name, domain: domain ?? null, ...record });
    companyIds.set(name, id);
    for (const alias of aliases)
      insert('company_alias', { company_id: id, name: alias, import_id: origin });
    return id;
  };
  companies.forEach(addCompany);
  for (const [at, person] of people.entries()) {
    const id = insert('person', {
      uuid: `person ${at + 1}`,
      first_name: person.first,
      last_name: person.last,
      middle_name: person.middle ?? null,
      suffix: person.suffix ?? null,
      profile_url: person.url ?? null,
      opted_out: person.suppressed ? 1 : 0,
      ...record,
    });
    if (person.directPhone)
      insert('person_phone', {
        person_id: id,
        kind: 'direct',
        number: person.directPhone,
        ...record,
      });
    for (const [first, last] of person.otherNames ?? [])
      insert('person_name', {
        person_id: id,
        first_name: first,
        last_name: last,
        import_id: origin,
      });
    for (const job of person.jobs ?? []) {
      insert('employment', {
        person_id: id,
        company_id: addCompany({ name: job.at }),
        email: job.email ?? null,
        title: job.title ?? null,
        job_function: classifyTitle(job.title ?? '').jobFunction,
        is_current: job.left ? 0 : 1,
        is_primary: 1,
        ...record,
      });
    }
    // As import/derive.ts does: the current employment, otherwise the last known one.
    db.prepare(
      `UPDATE person SET (employment_id, has_left) = (SELECT e.id, 1 - e.is_current
         FROM employment e WHERE e.person_id = person.id ORDER BY e.is_current DESC LIMIT 1)
       WHERE id = ? AND id IN (SELECT person_id FROM employment)`,
    ).run(id);
  }
  return db;
}

/** The index of a small directory. */
export const indexOf = (people: readonly Person[], companies: readonly Company[] = []) =>
  buildIndex(makeDirectory(people, companies));

export interface Row {
  readonly first_name?: string;
  readonly last_name?: string;
  readonly company_name?: string;
  readonly email?: string;
  readonly profile_url?: string;
  readonly company_domain?: string;
  readonly phone?: string;
  readonly title?: string;
}

const fields = [
  'first_name',
  'last_name',
  'company_name',
  'email',
  'profile_url',
  'company_domain',
  'phone',
  'title',
] as const;

export function matchOne(index: MatchIndex, row: Row, model?: MatchModel) {
  const mapping = Object.fromEntries(fields.map((field, at) => [field, at]));
  const cells = fields.map((field) => row[field] ?? '');
  const batch = createMatcher(index, model).matchRows(
    formatRecords([cells]),
    mapping,
    defaultMatchThreshold,
  );
  const bits = batch.matchedOn[0]!;
  return {
    person: batch.personIds[0]!,
    company: batch.companyIds[0]!,
    status: employmentStatuses[batch.employmentStatuses[0]!],
    reason: reasons[batch.reasons[0]!],
    confidence: batch.confidences[0]!,
    matchedOn: matchFields.filter((_, at) => (bits >> at) & 1),
    candidates: batch.candidates[0]?.personIds ?? [],
    likely: batch.candidates[0]?.scores ?? [],
  };
}

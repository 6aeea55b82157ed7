// Reads one person of the directory with all jobs and the sources of every value.
import { workHistoryMax } from '../../contract/limits/directory.ts';
import type { JobHeld, PersonRecord, RecordValue } from '../../contract/records/records.ts';
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';
import type { Claim, RecordRow } from '../import/source-values.ts';
import { readClaims } from '../import/source-values.ts';
import type { FieldName } from '../normalize/record-fields.ts';
import { readContacts } from '../read/read-person.ts';
import {
  listTexts,
  presentValue,
  readDuplicatesOf,
  readValues,
  requireRecord,
} from './record-values.ts';

const personFields: readonly FieldName<'person'>[] = [
  'first_name',
  'middle_name',
  'last_name',
  'suffix',
  'nickname',
  'profile_url',
  'city',
  'state',
  'country',
];
const jobFields: readonly FieldName<'employment'>[] = ['title', 'job_function', 'job_level'];

// As in a profile: current employments first, then by latest start.
const jobsSql = `SELECT e.*, c.name AS company_name, c.uuid AS company_uuid
  FROM employment e LEFT JOIN company c ON c.id = e.company_id
  WHERE e.person_id = ? AND ifnull(c.listed, 0) = 0
  ORDER BY e.is_current DESC, e.is_primary DESC, coalesce(e.start_on, e.end_on, '') DESC, e.id DESC
  LIMIT ?`;

const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null;

function presentJob(db: ReadableDatabase, row: RecordRow, showsEmail: boolean): JobHeld {
  return {
    company_name: textOf(row.company_name),
    company_id: textOf(row.company_uuid),
    is_current: row.is_current === 1,
    is_primary: row.is_primary === 1,
    start_on: textOf(row.start_on),
    end_on: textOf(row.end_on),
    has_email: textOf(row.email) !== null,
    email: showsEmail ? textOf(row.email) : null,
    values: readValues(db, 'employment', row, jobFields),
  };
}

const phoneSql = `SELECT t.import_id, t.number AS value, t.observed_on, s.source, s.trust
  FROM person_phone t JOIN source_import s ON s.id = t.import_id
  WHERE t.person_id = @id AND t.kind = @kind AND t.number = @number ORDER BY t.id`;

export interface UnlockedKinds {
  readonly email: boolean;
  readonly phone: boolean;
}

const allKinds: UnlockedKinds = { email: true, phone: true };

function readContactValues(
  db: ReadableDatabase,
  person: RecordRow & { readonly uuid: string },
  mainJob: RecordRow | undefined,
  unlocked: UnlockedKinds,
): RecordValue[] {
  const contact = readContacts(db, [person.uuid]).get(person.uuid);
  if (!contact) return [];
  const { email, mobilePhone, directPhone } = contact;
  const phone = (kind: 'mobile' | 'direct', label: string, number: string | null) =>
    presentValue(
      `${kind}_phone`,
      label,
      number === null ? [] : statement<Claim>(db, phoneSql).all({ id: person.id, kind, number }),
      !unlocked.phone,
    );
  return [
    ...(email === null || !mainJob
      ? []
      : presentValue(
          'email',
          'Work email',
          readClaims(db, 'employment', mainJob, 'email').filter(({ value }) => value === email),
          !unlocked.email,
        )),
    ...phone('mobile', 'Mobile phone', mobilePhone),
    ...phone('direct', 'Direct phone', directPhone),
  ];
}

/**
 * A person by UUID, also by that of a person who was merged into them. Throws `not_found` if the
 * person is unknown or suppressed.
 * @param unlocked what the account may see; all of it in its own directory
 */
export function readPersonRecord(
  db: ReadableDatabase,
  uuid: string,
  unlocked: UnlockedKinds = allKinds,
): PersonRecord {
  const person = requireRecord(db, 'person', uuid);
  const jobs = statement<RecordRow>(db, jobsSql).all(person.id, workHistoryMax);
  const main = jobs.find(({ id }) => id === person.employment_id);
  return {
    id: person.uuid,
    name: `${person.first_name} ${person.last_name}`.trim(),
    title: textOf(main?.title),
    company_name: textOf(main?.company_name),
    has_left: person.has_left === 1,
    values: [
      ...readValues(db, 'person', person, personFields),
      ...readContactValues(db, person, main, unlocked),
    ],
    other_names: listTexts(
      db,
      `SELECT DISTINCT first_name || ' ' || last_name AS text FROM person_name
       WHERE person_id = @id ORDER BY id`,
      person.id,
    ),
    jobs: jobs.map((row) => presentJob(db, row, unlocked.email)),
    duplicates: readDuplicatesOf(db, 'person', person.uuid),
  };
}

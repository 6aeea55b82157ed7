// Erases the entries of a person from engine.db: positions, counts and amounts stay, values are
// replaced. Every statement can be repeated.
import { randomUUID } from 'node:crypto';
import { type Reason, reasons } from '../contract/jobs/job.ts';
import { refreshFacts } from '../jobs/results/view/refresh-facts.ts';
import type { WritableDatabase } from '../platform/sqlite/open-database.ts';
import { statement } from '../platform/sqlite/statement.ts';
import { inTransaction } from '../platform/sqlite/transaction.ts';
import { deletedMarker } from '../suppression/hidden-rows.ts';
import { knownIdsSql } from './directory-person.ts';
import { personKeys } from './find-entries.ts';
import type { FoundEntry } from './found-entry.ts';
import { type OwnPlaceName, type Replacement, type TextPlace, textPlaces } from './places.ts';
import { createPseudonym } from './pseudonym.ts';
import { redactJson } from './redact.ts';
import { createMatcher, type Matcher, type Subject } from './subject.ts';

export type ErasedEntry = Pick<FoundEntry, 'place' | 'key'>;

interface Erasure {
  readonly database: WritableDatabase;
  readonly subject: Subject;
  readonly matcher: Matcher;
  /** The pseudonym of each UUID, the same in all tables of an environment. */
  pseudonymOf(uuid: string): string;
}

const replacements: Readonly<Record<Replacement, (text: string, matcher: Matcher) => string>> = {
  marker: () => deletedMarker,
  empty: () => '',
  json: redactJson,
  token: () => `deleted-${randomUUID()}`,
};

function eraseTexts({ database, matcher }: Erasure, place: TextPlace, key: readonly unknown[]) {
  const { table, columns, isDeleted, byIdentifier } = place;
  const where = place.key.map((name) => `${name} = ?`).join(' AND ');
  if (isDeleted) {
    statement(database, `DELETE FROM ${table} WHERE ${where}`).run(...key);
    return;
  }
  const names = Object.keys(columns);
  const row = statement<Record<string, unknown>>(
    database,
    `SELECT ${names.join()} FROM ${table} WHERE ${where}`,
  ).get(...key);
  const test = byIdentifier ? matcher.hasIdentifier : matcher.names;
  for (const [name, replacement] of Object.entries(columns)) {
    const text = row?.[name];
    if (typeof text !== 'string' || !test(text)) continue;
    statement(database, `UPDATE ${table} SET ${name} = ? WHERE ${where}`).run(
      replacements[replacement](text, matcher),
      ...key,
    );
  }
}

const suppressed = reasons.indexOf('suppressed' satisfies Reason);

const removeFrom = (json: string, isRemoved: (one: unknown) => boolean): string =>
  JSON.stringify((JSON.parse(json) as unknown[]).filter((one) => !isRemoved(one)));

/** Replaces a text by what `change` makes of it. */
function change(
  database: WritableDatabase,
  [table, column, where]: readonly [table: string, column: string, where: string],
  key: readonly unknown[],
  make: (text: string) => string,
): void {
  const row = statement<{ text: string | null }>(
    database,
    `SELECT ${column} AS text FROM ${table} WHERE ${where}`,
  ).get(...key);
  if (typeof row?.text === 'string')
    statement(database, `UPDATE ${table} SET ${column} = ? WHERE ${where}`).run(
      make(row.text),
      ...key,
    );
}

function eraseResult({ database, pseudonymOf }: Erasure, [id]: readonly unknown[]): void {
  change(database, ['result', 'contact_uuid', 'id = ?'], [id], pseudonymOf);
  statement(
    database,
    `UPDATE result SET reason = ?, fields = NULL, confidence = NULL, matched_on = 0,
       candidates = NULL, provenance = NULL, inferred = NULL, error = ? WHERE id = ?`,
  ).run(suppressed, deletedMarker, id);
  refreshFacts(database, Number(id));
}

function eraseReview(
  { database, subject, pseudonymOf }: Erasure,
  [what, jobId, row]: readonly unknown[],
): void {
  const where = 'job_id = ? AND row_index = ?';
  if (what === 'pick') {
    change(database, ['review_pick', 'contact_uuid', where], [jobId, row], pseudonymOf);
    return;
  }
  if (what === 'memory') {
    statement(database, `DELETE FROM review_memory WHERE ${where}`).run(jobId, row);
    return;
  }
  change(database, ['review_memory', 'offered', where], [jobId, row], (json) =>
    removeFrom(json, (one) => subject.uuids.includes(String(one))),
  );
}

function eraseContact(
  { database, subject, pseudonymOf }: Erasure,
  [pipeline, position, what]: readonly unknown[],
): void {
  if (what === 'subjects') {
    const ids = statement<{ id: number }>(database, knownIdsSql('directory', '@uuids')).all({
      uuids: JSON.stringify(subject.uuids),
    });
    const isPerson = (one: unknown) =>
      subject.uuids.includes(String(one)) || ids.some(({ id }) => id === one);
    change(
      database,
      ['pipeline_subjects', 'subjects', 'pipeline_id = ? AND first_position = ?'],
      [pipeline, position],
      (json) => removeFrom(json, isPerson),
    );
    return;
  }
  const key = [pipeline, position];
  const where = 'pipeline_id = ? AND position = ?';
  change(database, ['pipeline_contact', 'person_uuid', where], key, pseudonymOf);
  statement(
    database,
    `UPDATE pipeline_contact SET reason = 'suppressed', error = NULL, facts = NULL,
       email = iif(email IS NULL, NULL, ''), email_status = NULL,
       phone = iif(phone IS NULL, NULL, '') WHERE ${where}`,
  ).run(...key);
}

type EraseOne = (erasure: Erasure, key: readonly unknown[]) => void;

const erasers: Readonly<Partial<Record<OwnPlaceName, EraseOne>>> = {
  results: eraseResult,
  candidates: ({ database, subject }, key) =>
    change(database, ['result', 'candidates', 'id = ?'], key, (json) =>
      removeFrom(json, (one) => subject.uuids.includes(String((one as unknown[])[0]))),
    ),
  findings: ({ database }, [id]) =>
    void statement(database, 'UPDATE monitor_finding SET changes = NULL WHERE id = ?').run(id),
  reviews: eraseReview,
  contacts: eraseContact,
  answers: ({ database }, [subject, field, provider]) =>
    void statement(
      database,
      'DELETE FROM provider_answer WHERE (subject, field, provider) = (?, ?, ?)',
    ).run(subject, field, provider),
  owned: ({ database, pseudonymOf }, [account, uuid, kind]) =>
    void statement(
      database,
      'UPDATE owned SET person_uuid = ? WHERE (account_id, person_uuid, kind) = (?, ?, ?)',
    ).run(pseudonymOf(String(uuid)), account, uuid, kind),
  remembered: ({ database }, [account, hash]) =>
    void statement(
      database,
      'DELETE FROM paid_person WHERE (account_id, person_hash) = (?, unhex(?))',
    ).run(account, hash),
  // Those of directory.db are deleted with its people: erase-directory.ts.
  merges: ({ database }, [table, uuid]) => {
    if (table === 'merged_person')
      statement(database, 'DELETE FROM merged_person WHERE uuid = ?').run(uuid);
  },
  ledger: ({ database, pseudonymOf }, [id]) =>
    change(database, ['ledger_entry', 'subject_id', 'id = ?'], [id], pseudonymOf),
};

/** Erases entries from engine.db in one transaction. Those of files are left. */
export function eraseFromStore(
  database: WritableDatabase,
  subject: Subject,
  entries: readonly ErasedEntry[],
): void {
  const matcher = createMatcher(subject);
  const pseudonyms = new Map<string, string>();
  const pseudonymOf = (uuid: string): string => {
    if (!subject.uuids.includes(uuid)) return uuid;
    const known = pseudonyms.get(uuid) ?? createPseudonym();
    pseudonyms.set(uuid, known);
    return known;
  };
  const erasure: Erasure = { database, subject, matcher, pseudonymOf };
  const byTable = new Map(textPlaces.map((place) => [place.table, place]));
  inTransaction(database, () => {
    for (const { place, key } of entries) {
      const texts = byTable.get(place);
      if (texts) eraseTexts(erasure, texts, key);
      else erasers[place as OwnPlaceName]?.(erasure, key);
    }
    statement(
      database,
      'DELETE FROM job_person WHERE person_key IN (SELECT value FROM json_each(?))',
    ).run(JSON.stringify(personKeys(subject)));
  });
}

// Deletes people from the directory, with their facts, merges, and what imports stated of them.
import {
  clearTouched,
  derivePhones,
  raiseGeneration,
  touchNumber,
} from '../directory/import/derive.ts';
import { recordNames } from '../directory/normalize/record-fields.ts';
import type { WritableDatabase } from '../platform/sqlite/open-database.ts';
import { statement } from '../platform/sqlite/statement.ts';
import { inTransaction } from '../platform/sqlite/transaction.ts';
import { deletedMarker } from '../suppression/hidden-rows.ts';
import { completeSubject, findIds } from './directory-person.ts';
import { findImports, findKept } from './find-directory-entries.ts';
import { eraseMerges } from './merge-entries.ts';
import { redactJson } from './redact.ts';
import { createMatcher, type Subject } from './subject.ts';

const [personCode, employmentCode] = [
  recordNames.indexOf('person'),
  recordNames.indexOf('employment'),
];

const deleteSql = [
  `DELETE FROM value_claim WHERE record = ${personCode} AND record_id = @id`,
  `DELETE FROM value_claim WHERE record = ${employmentCode}
     AND record_id IN (SELECT id FROM employment WHERE person_id = @id)`,
  ...['employment', 'person_name', 'person_key', 'person_phone', 'person_listing'].map(
    (table) => `DELETE FROM ${table} WHERE person_id = @id`,
  ),
  'DELETE FROM person WHERE id = @id',
];

function deletePerson(directory: WritableDatabase, id: number): void {
  const numbers = statement<{ number: string }>(
    directory,
    'SELECT number FROM person_phone WHERE person_id = ?',
  ).all(id);
  for (const sql of deleteSql) statement(directory, sql).run({ id });
  for (const { number } of numbers) touchNumber(directory, number);
}

function redactImports(directory: WritableDatabase, subject: Subject): void {
  const matcher = createMatcher(subject);
  const redact = (text: string | null) => (text && matcher.names(text) ? deletedMarker : text);
  for (const { id, source, name, report } of findImports(directory, matcher))
    statement(
      directory,
      'UPDATE source_import SET source = ?, name = ?, report = ? WHERE id = ?',
    ).run(redact(source), redact(name), redactJson(report, matcher), id);
}

/** Removes the person from the kept columns of others, such as the owner of a record. */
function redactKept(directory: WritableDatabase, subject: Subject): void {
  const matcher = createMatcher(subject);
  for (const table of ['person_listing', 'company_listing'] as const)
    for (const { id, kept } of findKept(directory, table, matcher))
      statement(directory, `UPDATE ${table} SET kept = ? WHERE id = ?`).run(
        redactJson(kept, matcher),
        id,
      );
}

/**
 * Deletes the people that a subject names. A number that then belongs to one person alone becomes
 * that person's own. Indexes of an older generation are outdated.
 */
export function erasePeople(directory: WritableDatabase, subject: Subject): void {
  inTransaction(directory, () => {
    const complete = completeSubject(directory, subject);
    const ids = findIds(directory, complete);
    clearTouched(directory);
    eraseMerges(directory, complete, createMatcher(complete));
    for (const id of ids) deletePerson(directory, id);
    redactImports(directory, subject);
    redactKept(directory, subject);
    if (ids.length === 0) return;
    derivePhones(directory);
    raiseGeneration(directory);
  });
}

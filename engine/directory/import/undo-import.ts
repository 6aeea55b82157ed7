// Undoes an import as a whole: its claims are removed, replaced values are restored, and records
// that it added are deleted unless other records refer to them.
import type { ImportReport } from '../../contract/directory.ts';
import { EngineError, notFound } from '../../contract/errors.ts';
import type { WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';
import { inTransaction } from '../../platform/sqlite/transaction.ts';
import { type RecordName, recordNames } from '../normalize/record-fields.ts';
import { readReport } from '../stats.ts';
import {
  clearTouched,
  deriveEmployment,
  derivePhones,
  raiseGeneration,
  touchNumber,
  touchPerson,
} from './derive.ts';
import { readRecord } from './import-context.ts';
import {
  applyRemainingClaim,
  hasOwnClaims,
  type RecordBase,
  type RecordRow,
  rebaseRecord,
} from './source-values.ts';

/** Runs a statement about an import. Returns the number of changed rows. */
function run(db: WritableDatabase, sql: string, importId: number): number {
  return statement(db, sql).run({ importId }).changes;
}

const touchSql = [
  `INSERT OR IGNORE INTO temp.touched_number
     SELECT number FROM person_phone WHERE import_id = @importId`,
  `INSERT OR IGNORE INTO temp.touched_number
     SELECT phone FROM company WHERE import_id = @importId AND phone IS NOT NULL`,
  ...['person_phone', 'employment'].map(
    (table) => `INSERT OR IGNORE INTO temp.touched_person
      SELECT person_id FROM ${table} WHERE import_id = @importId`,
  ),
];
const listTables = [
  'company_alias',
  'person_name',
  'person_key',
  'person_phone',
  'person_listing',
  'company_listing',
];

function touchRecord(db: WritableDatabase, record: RecordName, row: RecordRow): void {
  if (record === 'person') touchPerson(db, row.id);
  if (record === 'employment') touchPerson(db, Number(row.person_id));
  if (record === 'company' && row.phone) touchNumber(db, String(row.phone));
}

interface TakenClaim {
  readonly record: number;
  readonly record_id: number;
  readonly field: number;
}

function dropClaims(db: WritableDatabase, importId: number): number {
  const taken = statement<TakenClaim>(
    db,
    'SELECT record, record_id, field FROM value_claim WHERE import_id = ?',
  ).all(importId);
  run(db, 'DELETE FROM value_claim WHERE import_id = @importId', importId);
  for (const { record: code, record_id: id, field } of taken) {
    const record = recordNames[code];
    if (!record) throw new Error(`there is no record of code ${code}`);
    const row = readRecord(db, record, id);
    touchRecord(db, record, row);
    // Records that the import itself added are handled as a whole.
    if (row.import_id === importId) continue;
    applyRemainingClaim(db, record, row, field);
    touchRecord(db, record, row);
  }
  return taken.length + rebaseClaimed(db, importId);
}

function rebaseClaimed(db: WritableDatabase, importId: number): number {
  let count = 0;
  for (const record of recordNames) {
    const ids = statement<{ id: number }>(
      db,
      `SELECT id FROM ${record} WHERE import_id = ? AND is_mixed = 1`,
    ).all(importId);
    for (const { id } of ids) {
      const row = readRecord(db, record, id);
      touchRecord(db, record, row);
      if (hasOwnClaims(db, record, row)) {
        rebaseRecord(db, record, row);
        touchRecord(db, record, row);
      } else {
        statement(db, 'DELETE FROM value_claim WHERE record = ? AND record_id = ?').run(
          recordNames.indexOf(record),
          id,
        );
        statement(db, `UPDATE ${record} SET is_mixed = 0 WHERE id = ?`).run(id);
      }
      count++;
    }
  }
  return count;
}

const standsOn: Readonly<Record<'person' | 'company', readonly string[]>> = {
  person: ['employment', 'person_name', 'person_key', 'person_phone', 'person_listing'],
  company: ['employment', 'company_alias', 'company_listing'],
};

/** Deletes records that the import added and no other record refers to. Returns their number. */
function deleteRecords(db: WritableDatabase, importId: number): number {
  let count = run(db, 'DELETE FROM employment WHERE import_id = @importId', importId);
  for (const record of ['person', 'company'] as const) {
    const isFree = standsOn[record].map(
      (table) => `NOT EXISTS (SELECT 1 FROM ${table} t WHERE t.${record}_id = ${record}.id)`,
    );
    const sql = `DELETE FROM ${record} WHERE import_id = @importId AND ${isFree.join(' AND ')}`;
    count += run(db, sql, importId);
    keepIdentities(db, record, importId);
  }
  return count;
}

function keepIdentities(
  db: WritableDatabase,
  record: 'person' | 'company',
  importId: number,
): void {
  const dependents = standsOn[record].map(
    (table) => `SELECT import_id FROM ${table} WHERE ${record}_id = @id`,
  );
  const heirs = statement<RecordBase>(
    db,
    `SELECT id AS import_id, observed_on FROM source_import
     WHERE id IN (${dependents.join(' UNION ')}) ORDER BY id LIMIT 1`,
  );
  const kept = statement<{ id: number }>(db, `SELECT id FROM ${record} WHERE import_id = ?`);
  for (const { id } of kept.all(importId)) {
    const heir = heirs.get({ id });
    if (heir) rebaseRecord(db, record, readRecord(db, record, id), heir);
  }
}

function deriveTouched(db: WritableDatabase): void {
  db.exec('DELETE FROM temp.touched_person WHERE id NOT IN (SELECT id FROM person)');
  const people = db.prepare('SELECT id FROM temp.touched_person').pluck().all() as number[];
  for (const id of people) deriveEmployment(db, id);
  derivePhones(db);
}

function removePart(db: WritableDatabase, importId: number): number {
  for (const sql of touchSql) run(db, sql, importId);
  const listed = listTables.map((table) =>
    run(db, `DELETE FROM ${table} WHERE import_id = @importId`, importId),
  );
  const changes = [...listed, dropClaims(db, importId), deleteRecords(db, importId)];
  return changes.reduce((sum, count) => sum + count, 0);
}

function requireUndoable(db: WritableDatabase, importId: number): ImportReport {
  const report = readReport(db, importId);
  if (!report)
    throw notFound(
      `Import ${importId} does not exist. List the imports with "desk directory stats".`,
    );
  if (report.status === 'undone')
    throw new EngineError('already_finished', `Import ${importId} has already been undone.`);
  if (report.status === 'failed')
    throw new EngineError(
      'already_finished',
      `Import ${importId} failed and changed nothing, so there is nothing to undo.`,
    );
  return report;
}

/**
 * Undoes an import as a whole, even after later imports. Values that it replaced are restored, and
 * records that only it knew are deleted; their ids are never reused. Throws EngineError: not_found
 * for an unknown import, already_finished for one that was undone.
 * @param beforeCommit runs at the end of the transaction
 */
export function undoImport(
  db: WritableDatabase,
  importId: number,
  beforeCommit?: () => void,
): ImportReport {
  const report = requireUndoable(db, importId);
  const undone: ImportReport = { ...report, status: 'undone' };
  return inTransaction(db, () => {
    clearTouched(db);
    const parts = statement<{ id: number }>(
      db,
      'SELECT id FROM source_import WHERE @importId IN (id, part_of) ORDER BY id',
    ).all({ importId });
    if (parts.map(({ id }) => removePart(db, id)).some((count) => count > 0)) {
      deriveTouched(db);
      raiseGeneration(db);
    }
    statement(
      db,
      `UPDATE source_import SET status = 'undone', report = iif(id = @importId, @report, report)
       WHERE @importId IN (id, part_of)`,
    ).run({ importId, report: JSON.stringify(undone) });
    beforeCommit?.();
    return undone;
  });
}

/** Moves everything about one company to another record of the same company. */
import type { WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';
import { touchNumber } from '../import/derive.ts';
import { readRecord } from '../import/import-context.ts';
import { mergeValues, type RecordRow } from '../import/source-values.ts';
import { keepListing, type Sides } from './merge-people.ts';

/** Keeps the names that did not become the company's own as aliases. */
function keepNames(db: WritableDatabase, row: RecordRow, before: readonly RecordRow[]): void {
  for (const { name, import_id } of before)
    if (name !== row.name)
      statement(
        db,
        `INSERT INTO company_alias (company_id, name, import_id) SELECT @id, @name, @import_id
         WHERE NOT EXISTS (SELECT 1 FROM company_alias WHERE company_id = @id AND name = @name)`,
      ).run({ id: row.id, name, import_id });
}

function moveListings(db: WritableDatabase, from: number, to: number): void {
  statement(db, 'UPDATE company_listing SET company_id = ? WHERE company_id = ?').run(to, from);
}

function moveAliases(db: WritableDatabase, from: number, to: number): void {
  statement(
    db,
    `DELETE FROM company_alias WHERE company_id = @from AND EXISTS
       (SELECT 1 FROM company_alias o WHERE o.company_id = @to AND o.name = company_alias.name
          AND o.import_id = company_alias.import_id)`,
  ).run({ from, to });
  statement(db, 'UPDATE company_alias SET company_id = ? WHERE company_id = ?').run(to, from);
}

/** Merges a company into another. Returns the ids of the jobs that were moved. */
export function mergeCompanies(
  db: WritableDatabase,
  survivorId: number,
  otherId: number,
  sides: Sides<'company'>,
): number[] {
  const survivor = readRecord(db, 'company', survivorId);
  const other = readRecord(db, 'company', otherId);
  const before = [{ ...survivor }, other];
  mergeValues(db, 'company', survivor, other, sides);
  moveAliases(db, otherId, survivorId);
  moveListings(db, otherId, survivorId);
  keepListing(db, 'company', survivorId, other);
  keepNames(db, survivor, before);
  const moved = statement<{ id: number }>(
    db,
    'SELECT id FROM employment WHERE company_id = ? ORDER BY id',
  ).all(otherId);
  statement(db, 'UPDATE employment SET company_id = ? WHERE company_id = ?').run(
    survivorId,
    otherId,
  );
  statement(db, 'DELETE FROM value_claim WHERE record = 2 AND record_id = ?').run(otherId);
  statement(db, 'DELETE FROM company WHERE id = ?').run(otherId);
  for (const { phone } of before) if (phone) touchNumber(db, String(phone));
  return moved.map(({ id }) => id);
}

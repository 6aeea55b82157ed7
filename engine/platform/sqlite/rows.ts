// Reads and writes rows by the names of properties: the property `accountId` is the column
// `account_id`. No more than that: statements with conditions are written as SQL.
import type { WritableDatabase } from './open-database.ts';
import { statement } from './statement.ts';

function columnOf(property: string): string {
  if (!/^[a-z][A-Za-z\d]*$/.test(property)) throw new Error(`${property} names no column`);
  return property.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The columns of a SELECT, each named as its property. @param properties separated by spaces */
export const selectColumns = (properties: string): string =>
  properties
    .trim()
    .split(/\s+/)
    .map((property) => `${columnOf(property)} AS ${property}`)
    .join(', ');

/** An undefined property has the default of its column. Returns the id. @param table a constant */
export function insertRow(
  database: WritableDatabase,
  table: string,
  row: Readonly<Record<string, string | number | Uint8Array | null | undefined>>,
): number {
  const given = Object.entries(row).filter(([, value]) => value !== undefined);
  const columns = given.map(([property]) => columnOf(property)).join(', ');
  const places = given.map(() => '?').join(', ');
  const sql = `INSERT INTO ${table} (${columns}) VALUES (${places})`;
  return Number(statement(database, sql).run(...given.map(([, value]) => value)).lastInsertRowid);
}

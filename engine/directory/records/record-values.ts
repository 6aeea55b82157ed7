// The values of a record with the sources that state them.
import type { DuplicateKind } from '../../contract/duplicates/duplicates.ts';
import { likelihoodOf } from '../../contract/duplicates/duplicates.ts';
import type { PersonRecord, RecordClaim, RecordValue } from '../../contract/records/records.ts';
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';
import { listPairsOf } from '../duplicates/duplicate.table.ts';
import { fieldLabels } from '../duplicates/field-labels.ts';
import { findRecord, nameOf } from '../duplicates/merge-records.ts';
import { type Claim, findStrongest, type RecordRow, readClaims } from '../import/source-values.ts';
import type { FieldName, RecordName } from '../normalize/record-fields.ts';

const presentClaim = (claim: Claim, isHidden: boolean): RecordClaim => ({
  value: isHidden ? null : claim.value,
  source: claim.name ?? claim.source,
  observed_on: claim.observed_on,
  trust: claim.trust,
});

/** A value from the claims of all sources; nothing without any. */
export function presentValue(
  field: string,
  label: string,
  claims: readonly Claim[],
  isHidden: boolean,
): RecordValue[] {
  const winner = findStrongest(claims);
  if (!winner) return [];
  const others = claims
    .filter((claim) => claim !== winner)
    .toSorted((one, other) => (findStrongest([one, other]) === one ? -1 : 1));
  return [
    {
      field,
      label,
      is_hidden: isHidden,
      ...presentClaim(winner, isHidden),
      others: others.map((claim) => presentClaim(claim, isHidden)),
    },
  ];
}

/** Values of some fields; those without one are left out. @param hidden fields not to show */
export const readValues = (
  db: ReadableDatabase,
  record: RecordName,
  row: RecordRow,
  fields: readonly FieldName[],
  hidden: ReadonlySet<string> = new Set(),
): RecordValue[] =>
  fields.flatMap((field) =>
    presentValue(
      field,
      fieldLabels[field] ?? field,
      readClaims(db, record, row, field),
      hidden.has(field),
    ),
  );

const meantSql = `SELECT s.uuid FROM merged_record m JOIN #kind s ON s.id = m.survivor_id
  WHERE m.uuid = ? AND m.kind = '#kind'`;

/** The record that a UUID means now. Throws `not_found` if it is unknown or suppressed. */
export function requireRecord(
  db: ReadableDatabase,
  kind: DuplicateKind,
  uuid: string,
): RecordRow & { readonly uuid: string } {
  const asked = uuid.toLowerCase();
  const meant = statement<{ uuid: string }>(db, meantSql.replaceAll('#kind', kind)).get(asked);
  const row = findRecord(db, kind, meant?.uuid ?? asked);
  return { ...row, uuid: String(row.uuid) };
}

export const readDuplicatesOf = (
  db: ReadableDatabase,
  kind: DuplicateKind,
  uuid: string,
): PersonRecord['duplicates'] =>
  listPairsOf(db, kind, uuid).map(({ id, probability, one, other }) => ({
    id,
    probability: Math.min(0.999, probability),
    likelihood: likelihoodOf(probability),
    other: nameOf(kind, findRecord(db, kind, one === uuid ? other : one)),
  }));

/** The texts of a query, without empty ones. */
export const listTexts = (db: ReadableDatabase, sql: string, id: number): string[] =>
  statement<{ text: string | null }>(db, sql)
    .all({ id })
    .flatMap(({ text }) => text?.trim() || []);

// Companies of different legal forms or countries are different companies.
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';
import { countryCode } from '../normalize/country-code.ts';
import { legalFormOf } from '../normalize/normalize-company.ts';

/** Forms that say what a company is for: one without them is another company. */
const ownForms = new Set(['holding', 'holdings', 'trust', 'kgaa']);

function areFormsApart(one: string, other: string): boolean {
  if (one === other) return false;
  const [a, b] = [one, other].map((forms) => forms.split(' ').filter(Boolean));
  if (!a || !b) return false;
  if (a.length > 0 && b.length > 0) return true;
  return [...a, ...b].some((form) => ownForms.has(form));
}

export interface CompanyIdentity {
  readonly id: number;
  readonly name: string;
  readonly country: string | null;
}

/** Whether two names state legal forms that are not the same. */
export const haveOtherForms = (one: string, other: string): boolean =>
  areFormsApart(legalFormOf(one), legalFormOf(other));

const mergedNames = (db: ReadableDatabase, id: number): string[] =>
  statement<{ name: string }>(
    db,
    `SELECT name FROM merged_record
     WHERE kind = 'company' AND survivor_id = ? AND name IS NOT NULL`,
  )
    .all(id)
    .map(({ name }) => name);

export function areOtherCompanies(
  db: ReadableDatabase,
  one: CompanyIdentity,
  other: CompanyIdentity,
): boolean {
  const [a, b] = [one, other].map(({ country }) => countryCode(country ?? ''));
  if (a && b && a !== b) return true;
  const names = [one, other].map(({ id, name }) => [name, ...mergedNames(db, id)]);
  return (names[0] ?? []).some((mine) =>
    (names[1] ?? []).some((theirs) => haveOtherForms(mine, theirs)),
  );
}

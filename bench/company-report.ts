// Prints how matching of companies does where more companies exist than the directory holds, and on
// a public set of pairs of names.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { importDirectory } from '../engine/directory/import/import-directory.ts';
import { createCompanyMatcher } from '../engine/directory/match/match-companies.ts';
import { normalizeCompany } from '../engine/directory/normalize/normalize-company.ts';
import type { WritableDatabase } from '../engine/platform/sqlite/open-database.ts';
import { withDirectory } from './matching-run.ts';
import type { CompanyDirectory } from './messy/company-directory.ts';
import { writeCsv } from './messy/messy-directory.ts';
import { readCsv } from './messy/sample-people.ts';
import { hashText } from './messy/text.ts';
import { count, countNothing, f1Of } from './pair-counts.ts';

let given = 0;
/** Replaces the companies of a directory by companies of these names, and returns the matcher. */
async function matcherOf(db: WritableDatabase, dir: string, names: readonly string[]) {
  db.exec('DELETE FROM company_alias; DELETE FROM company');
  const companiesPath = join(dir, 'companies.csv');
  writeCsv(
    companiesPath,
    // An id of its own each time: a known id is one that the import has seen.
    names.map((name) => ({ company_id: `report-${++given}`, name })),
  );
  await importDirectory(db, { companiesPath });
  return createCompanyMatcher(db);
}

const sizes = [20, 1_000, 7_000];
const strangersCount = 2_000;

/**
 * Prints how many names of companies that a directory lacks are answered, by its size: the real
 * companies of the messy lists, one half in the directory and the other asked by the name alone.
 */
export async function reportStrangeCompanies({ companies }: CompanyDirectory): Promise<void> {
  const keyOf = (name: string): string => normalizeCompany(name).key;
  const isIn = (name: string): boolean => hashText(`half ${keyOf(name)}`) % 2 === 0;
  const names = [...new Set(companies.map(({ name }) => name))].sort(
    (a, b) => hashText(a) - hashText(b) || (a < b ? -1 : 1),
  );
  const strangers = names.filter((name) => !isIn(name)).slice(0, strangersCount);
  console.log('\nNames of companies that the directory lacks');
  await withDirectory(async (db, dir) => {
    for (const size of sizes) {
      const match = await matcherOf(db, dir, names.filter(isIn).slice(0, size));
      const answered = strangers.filter((name) => match({ name }) !== null).length;
      const shown = size.toLocaleString('en');
      console.log(`  ${shown} companies: ${answered} of ${strangers.length} names answered`);
    }
  });
}

const schemas = new Set(['Company', 'Organization', 'LegalEntity']);
const numbered = /\b(?:\d+|[ivx]+)\b/gi;

/**
 * Prints the figures on the pairs of companies and organisations of OpenSanctions' name_bench, next
 * to those of the matcher whose outcomes the file has. A pair is a directory of one company and a
 * row with a name alone.
 * @param folder with nk-logicv2.csv; without it nothing is printed
 */
export async function reportCompanyPairs(folder: string): Promise<void> {
  const path = join(folder, 'nk-logicv2.csv');
  if (!existsSync(path)) return;
  const [own, peer, ownApart, peerApart] = [
    countNothing(),
    countNothing(),
    countNothing(),
    countNothing(),
  ];
  const pairs = readCsv(path).filter(({ schema }) => schemas.has(schema!));
  await withDirectory(async (db, dir) => {
    for (const { name1, name2, is_match: truth, predicted_match: predicted } of pairs) {
      const match = await matcherOf(db, dir, [name2!]);
      const isAnswered = match({ name: name1! }) !== null;
      const isMatch = truth === 'true';
      count(own, isAnswered, isMatch);
      count(peer, predicted === 'true', isMatch);
      // Some pairs count two funds of one series as one company.
      const isSeries = isMatch && String(name1!.match(numbered)) !== String(name2!.match(numbered));
      if (isSeries) continue;
      count(ownApart, isAnswered, isMatch);
      count(peerApart, predicted === 'true', isMatch);
    }
  });
  console.log(
    [
      `name_bench, ${pairs.length} pairs of companies: F1 ${f1Of(own)}, logic-v2 ${f1Of(peer)};`,
      `without pairs of other numbers ${f1Of(ownApart)}, logic-v2 ${f1Of(peerApart)}`,
    ].join(' '),
  );
}

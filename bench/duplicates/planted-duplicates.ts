// Measures how many of the offered duplicates are right, with duplicates planted in the sample.
import { join } from 'node:path';
import { duplicateOfferedMin } from '../../engine/contract/limits/duplicates.ts';
import { haveOtherForms } from '../../engine/directory/duplicates/legal-forms.ts';
import { searchDuplicates } from '../../engine/directory/duplicates/search-duplicates.ts';
import { importDirectory } from '../../engine/directory/import/import-directory.ts';
import { buildIndex } from '../../engine/directory/index/index-build.ts';
import type {
  ReadableDatabase,
  WritableDatabase,
} from '../../engine/platform/sqlite/open-database.ts';
import { withDirectory } from '../matching-run.ts';
import { type MessyRow, makePeopleRows } from '../messy/make-people-rows.ts';
import { importMessyDirectory, writeCsv } from '../messy/messy-directory.ts';
import { type CsvRow, readSampleDirectory } from '../messy/sample-people.ts';

const seed = 20_263;
const plantedPeople = 4_000;
/** Of the companies with a domain, one of so many is planted again. */
const companyEvery = 8;
const mistakesShown = 8;

interface Offered {
  readonly one: string;
  readonly other: string;
  readonly oneName: string;
  readonly otherName: string;
  readonly probability: number;
}

const readOffered = (db: ReadableDatabase, kind: 'person' | 'company'): Offered[] =>
  db
    .prepare(
      `SELECT a.given_id AS one, b.given_id AS other, d.probability,
         ${kind === 'company' ? 'a.name' : "a.first_name || ' ' || a.last_name"} AS oneName,
         ${kind === 'company' ? 'b.name' : "b.first_name || ' ' || b.last_name"} AS otherName
       FROM duplicate_pair d JOIN ${kind} a ON a.uuid = d.one_uuid
       JOIN ${kind} b ON b.uuid = d.other_uuid WHERE d.kind = ? ORDER BY d.id`,
    )
    .all(kind) as Offered[];

const strangers = /^not-(?:hidden|other|similar|relative|generation)/;
/** A directory has no test rows, and none that name two people or have someone else's email. */
const isRecord = ({ personId, kinds }: MessyRow) =>
  personId !== '' || kinds.some((kind) => strangers.test(kind));

/** Plants rows of a messy list as people of their own. Returns the person that each row means. */
async function plantPeople(db: WritableDatabase, dir: string): Promise<Map<string, string>> {
  const directory = readSampleDirectory();
  await importMessyDirectory(db, dir, directory);
  const order = { seed, split: 'report' as const, count: plantedPeople };
  const rows = makePeopleRows(directory, order).filter(isRecord);
  const path = join(dir, 'planted.csv');
  const planted = rows.map(({ id, cells }): CsvRow => ({ id: `planted-${id}`, ...cells }));
  writeCsv(path, planted);
  await importDirectory(db, { peoplePath: path, source: 'planted' });
  // Rows of a hidden person are of no one in the sample, but of each other.
  const meant = ({ personId, madeFrom, kinds }: MessyRow) =>
    personId || (kinds.some((kind) => kind.startsWith('not-hidden')) ? madeFrom : '');
  return new Map(rows.map((row) => [`planted-${row.id}`, meant(row)]));
}

/** Plants companies again: with their own legal form or none, and with two others. */
async function plantCompanies(db: WritableDatabase, dir: string): Promise<Map<string, string>> {
  const known = db
    .prepare(
      `SELECT given_id AS id, name, website, domain, city, state, country FROM company
       WHERE domain IS NOT NULL AND given_id IS NOT NULL GROUP BY domain HAVING count(*) = 1
       ORDER BY id`,
    )
    .all() as Record<string, string | null>[];
  const truth = new Map<string, string>();
  const rows = known.flatMap((company, at): CsvRow[] => {
    if (at % companyEvery !== 0) return [];
    const { id, name, website, city, state, country } = company;
    const place = { city: city ?? '', state: state ?? '', country: country ?? '' };
    const row = (suffix: string, changed: string): CsvRow => ({
      id: `planted-${id}-${suffix}`,
      name: changed,
      website: website ?? '',
      ...place,
    });
    truth.set(`planted-${id}-again`, String(id));
    truth.set(`planted-${id}-gmbh`, '');
    truth.set(`planted-${id}-ltd`, '');
    return [
      row('again', String(name).toUpperCase()),
      row('gmbh', `${name} Trading GmbH`),
      row('ltd', `${name} Trading Ltd`),
    ];
  });
  const path = join(dir, 'planted-companies.csv');
  writeCsv(path, rows);
  await importDirectory(db, { companiesPath: path, source: 'planted companies' });
  return truth;
}

function print(what: string, offered: readonly Offered[], truth: ReadonlyMap<string, string>) {
  const meant = (id: string) => truth.get(id) ?? id;
  const isRight = ({ one, other }: Offered) => meant(one) !== '' && meant(one) === meant(other);
  const right = offered.filter(isRight);
  const found = new Set(right.flatMap(({ one, other }) => [one, other]));
  const known = [...truth].filter(([, id]) => id !== '');
  const share = (part: number, whole: number) => (whole === 0 ? 1 : part / whole).toFixed(3);
  console.log(`Duplicates, ${what}: ${offered.length} pairs of ${duplicateOfferedMin} or more`);
  console.log(`  right ${right.length}, precision ${share(right.length, offered.length)}`);
  const again = known.filter(([id]) => found.has(id)).length;
  console.log(`  planted ${known.length}, found ${again}, recall ${share(again, known.length)}`);
  for (const [from, to] of [
    [0.7, 0.9],
    [0.9, 0.97],
    [0.97, 1.01],
  ] as const) {
    const some = offered.filter(({ probability: at }) => at >= from && at < to);
    const ofThem = some.filter(isRight).length;
    console.log(`  from ${from}: ${some.length} pairs, ${share(ofThem, some.length)} right`);
  }
  for (const { oneName, otherName, probability } of offered
    .filter((pair) => !isRight(pair))
    .slice(0, mistakesShown))
    console.log(`  wrong or unknown: ${oneName} | ${otherName} | ${probability.toFixed(3)}`);
}

/** Prints the share of right pairs among those offered, and that none is across legal forms. */
export async function reportDuplicates(): Promise<void> {
  await withDirectory(async (db, dir) => {
    const people = await plantPeople(db, dir);
    const companies = await plantCompanies(db, dir);
    const startedAt = performance.now();
    await searchDuplicates(db, buildIndex(db), {
      restart: true,
      signal: new AbortController().signal,
      now: () => new Date(),
      onProgress: () => undefined,
      write: async (work) => work(),
    });
    const seconds = (performance.now() - startedAt) / 1_000;
    const state = db
      .prepare('SELECT compared, blocks_skipped AS skipped FROM duplicate_search')
      .get();
    console.log(`Search for duplicates: ${seconds.toFixed(1)} s, ${JSON.stringify(state)}`);
    print('people', readOffered(db, 'person'), people);
    // The sample has some companies twice itself; only the planted ones are known.
    const offered = readOffered(db, 'company').filter(({ one, other }) =>
      [one, other].some((id) => companies.has(id)),
    );
    print('companies', offered, companies);
    const across = offered.filter(({ oneName, otherName }) => haveOtherForms(oneName, otherName));
    console.log(`  across legal forms: ${across.length}`);
  });
}

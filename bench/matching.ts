// Prints how well matching does: `npm run bench:matching`.
//
// Without options: on the development set, on messy lists of people and companies made for the
// report alone, and the forecasts for dirt that was not learned. `--quick` leaves out whole groups
// of dirt, but no single kinds, which take most of the time. `--train MODULE` names the module that
// trains the matcher of people. `--large` adds a directory of a million people to the open-world
// table, and `--public FOLDER` the public sets of that folder (docs/benchmarks.md).
// With `--inputs FILE --truth FILE --directory FOLDER`: on a list of your own against the
// people.csv and companies.csv of a folder.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { importDirectory } from '../engine/directory/import/import-directory.ts';
import { defaultMatchThreshold } from '../engine/directory/match/match-threshold.ts';
import {
  measureCompanies,
  measurePeople,
  type Quality,
} from '../test/directory/matching-quality.ts';
import { reportCompanyPairs, reportStrangeCompanies } from './company-report.ts';
import { reportDuplicates } from './duplicates/planted-duplicates.ts';
import { reportInferredEmails } from './emails/inferred-emails.ts';
import { printForecast, type Trainable } from './forecast.ts';
import { printCompanyForecast } from './forecast-companies.ts';
import {
  type Bars,
  printFigures,
  printKinds,
  printReliability,
  printTally,
} from './matching-report.ts';
import { matchCompanies, matchPeople, type TestRow, withDirectory } from './matching-run.ts';
import { isUnlearned } from './messy/combinations.ts';
import { readCompanyDirectory } from './messy/company-directory.ts';
import { companyKinds } from './messy/company-kinds.ts';
import { makeCompanyRows } from './messy/make-company-rows.ts';
import { type MessyRow, makePeopleRows, peopleKinds } from './messy/make-people-rows.ts';
import { importMessyDirectory } from './messy/messy-directory.ts';
import { type CsvRow, readCsv, readSampleDirectory } from './messy/sample-people.ts';
import type { Scored } from './messy/score.ts';
import {
  reportFebrl,
  reportInvented,
  reportNamePairs,
  reportOpenWorld,
  reportTypedLists,
} from './population-report.ts';

const seeds = { people: 20_261, companies: 20_262 };
/** People of the directories of the open-world table. */
const worldSizes = [20, 1_000];
const counts = { people: 10_000, companies: 5_000 };
const bars = {
  development: { precision: 0.998, recall: 0.97 },
  messy: { precision: 0.992, recall: 0.94 },
  developmentCompanies: { precision: 0.97, f1: 0.82 },
  messyCompanies: { precision: 0.97, f1: 0.88 },
  calibration: 0.03,
};

const { values: options } = parseArgs({
  options: {
    inputs: { type: 'string' },
    truth: { type: 'string' },
    directory: { type: 'string' },
    train: { type: 'string', default: join(import.meta.dirname, 'train/train-people.ts') },
    quick: { type: 'boolean', default: false },
    large: { type: 'boolean', default: false },
    public: { type: 'string' },
  },
});

const peopleGroups = new Map(peopleKinds.map(({ name, group }) => [name, group as string]));
const companyGroups = new Map(companyKinds.map(({ name, group }) => [name, group as string]));

/** The group of a kind; all rows without a true answer are one. */
const groupIn = (groups: ReadonlyMap<string, string>) => (kind: string) =>
  groups.get(kind) ?? (kind.startsWith('not-') ? 'without an answer' : kind);

const hasUnlearned = ({ kinds }: Scored): boolean => isUnlearned(kinds);

const toTestRow = ({ cells, personId, kinds }: MessyRow): TestRow => ({
  cells,
  truth: personId,
  kinds,
});

/** The rows of a list of the development set's form, with their truth. */
function readTestRows(inputs: readonly CsvRow[], truth: readonly CsvRow[]): TestRow[] {
  const byId = new Map(truth.map((row) => [row.row_id, row]));
  return inputs.map((cells) => {
    const row = byId.get(cells.row_id);
    if (!row) throw new Error(`the truth has no row ${cells.row_id}`);
    const isMatch = (row.expected ?? 'match') === 'match';
    const kinds = (row.kinds ?? row.noise_kind ?? '').split('+').filter(Boolean);
    return { cells, truth: isMatch ? (row.person_id ?? '') : '', kinds };
  });
}

/** Prints the figures of a list of the caller's against a directory of the caller's. */
async function scoreFiles(inputs: string, truth: string, folder: string): Promise<void> {
  const rows = readTestRows(readCsv(inputs), readCsv(truth));
  const companiesPath = join(folder, 'companies.csv');
  await withDirectory(async (db) => {
    await importDirectory(db, {
      peoplePath: join(folder, 'people.csv'),
      companiesPath: existsSync(companiesPath) ? companiesPath : undefined,
    });
    const [scored = []] = matchPeople(db, rows, [defaultMatchThreshold]);
    printFigures(inputs, scored, {});
    printKinds(scored, (kind) => kind, {});
  });
}

/** Prints the figures of the development set. */
function printDevelopment(title: string, { all, byKind, mistakes }: Quality, bars: Bars): void {
  printTally(title, { ...all, known: all.right + all.missed }, bars);
  for (const [kind, count] of [...byKind].sort())
    console.log(
      [
        `  ${kind.padEnd(26)}`,
        `${count.right} right, ${count.wrong} wrong, ${count.missed} missed of ${count.rows}`,
      ].join(' '),
    );
  for (const mistake of mistakes) console.log(`  ${mistake}`);
}

async function reportPeople(): Promise<void> {
  const directory = readSampleDirectory();
  const order = { seed: seeds.people, split: 'report' as const, count: counts.people };
  const rows = makePeopleRows(directory, order);
  await withDirectory(async (db, dir) => {
    await importMessyDirectory(db, dir, directory);
    const thresholds = [defaultMatchThreshold, 0];
    const [scored = [], open = []] = matchPeople(db, rows.map(toTestRow), thresholds);
    printFigures(`Messy people, threshold ${defaultMatchThreshold}`, scored, bars.messy);
    printFigures('Rows with a combination not learned', scored.filter(hasUnlearned), {});
    printKinds(scored, groupIn(peopleGroups), bars.messy);
    printReliability('Reliability of the answers', scored, bars.calibration);
    printReliability('Reliability of the best candidates', open, bars.calibration);
    reportInvented(db, directory);
    await reportTypedLists();
    reportOpenWorld(options.large ? [...worldSizes, 1_000_000] : worldSizes);
    if (options.public) {
      reportNamePairs(options.public);
      await reportFebrl(options.public);
    }
    const trainable = (await import(resolve(options.train))) as Trainable;
    const least = { ...bars.messy, calibration: bars.calibration };
    printForecast(trainable, db, directory, rows, defaultMatchThreshold, least, options.quick);
  });
}

async function reportCompanies(): Promise<void> {
  const directory = readCompanyDirectory();
  const order = { seed: seeds.companies, split: 'report' as const, count: counts.companies };
  const rows = makeCompanyRows(directory, order);
  const scored = await matchCompanies(directory, rows);
  printFigures('Messy companies', scored, bars.messyCompanies);
  printFigures('Rows with a combination not learned', scored.filter(hasUnlearned), {});
  printKinds(scored, groupIn(companyGroups), bars.messyCompanies);
  printReliability('Reliability of the companies', scored, bars.calibration);
  await reportStrangeCompanies(directory);
  if (options.public) await reportCompanyPairs(options.public);
  const least = { ...bars.messyCompanies, calibration: bars.calibration };
  await printCompanyForecast(directory, rows, least, options.quick);
}

if (options.inputs && options.truth && options.directory)
  await scoreFiles(options.inputs, options.truth, options.directory);
else {
  printDevelopment('Development set, people', await measurePeople(), bars.development);
  printDevelopment(
    'Development set, companies',
    await measureCompanies(),
    bars.developmentCompanies,
  );
  await reportPeople();
  await reportCompanies();
  await reportInferredEmails();
  await reportDuplicates();
}

// Prints how matching does where more people exist than the directory holds: invented names,
// private mailboxes, near names in directories of several sizes, and public sets.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { reasons } from '../engine/contract/jobs/job.ts';
import { rowInputFields } from '../engine/contract/jobs/row-input.ts';
import { importDirectory } from '../engine/directory/import/import-directory.ts';
import { buildIndex } from '../engine/directory/index/index-build.ts';
import { createMatcher, type Matcher } from '../engine/directory/match/match-rows.ts';
import { defaultMatchThreshold } from '../engine/directory/match/match-threshold.ts';
import { loadNicknames } from '../engine/directory/normalize/nicknames.ts';
import { splitName } from '../engine/directory/normalize/split-name.ts';
import type { WritableDatabase } from '../engine/platform/sqlite/open-database.ts';
import { formatRecords } from '../engine/spreadsheet/format-record.ts';
import { parseRecords } from '../engine/spreadsheet/read-rows.ts';
import { indexOf, type Person } from '../test/directory/small-directory.ts';
import { createDraws, type Draws } from './generate-draws.ts';
import { printFigures } from './matching-report.ts';
import { answerRows, matchPeople, withDirectory } from './matching-run.ts';
import { slipOnce } from './messy/letters.ts';
import { writeCsv } from './messy/messy-directory.ts';
import { type NameList, readPopulation } from './messy/population.ts';
import { privateMailbox } from './messy/population-rows.ts';
import { type CsvRow, type Directory, readCsv } from './messy/sample-people.ts';
import { capitalize } from './messy/text.ts';
import { count, countNothing, f1Of } from './pair-counts.ts';

type Row = Readonly<Record<string, string>>;

const mapping = Object.fromEntries(rowInputFields.map((field, at) => [field, at]));
const ambiguous = reasons.indexOf('ambiguous');

function matchRows(matcher: Matcher, rows: readonly Row[]) {
  const cells = rows.map((row) => rowInputFields.map((field) => row[field] ?? ''));
  return matcher.matchRows(formatRecords(cells), mapping, defaultMatchThreshold);
}

function printAnswers(title: string, matcher: Matcher, rows: readonly Row[]): void {
  const { personIds, reasons: why, candidates } = matchRows(matcher, rows);
  const answered = personIds.filter((id) => id !== 0).length;
  const open = why.filter((reason) => reason === ambiguous).length;
  console.log(
    [
      `  ${title.padEnd(52)}`,
      `${answered} answered, ${open} ambiguous, ${candidates.length} with candidates`,
      `of ${rows.length}`,
    ].join(' '),
  );
}

const drawName = (draws: Draws) => {
  const { given, surname } = readPopulation();
  return { first: capitalize(given.draw(draws)), last: capitalize(surname.draw(draws)) };
};

const inventedCount = 10_000;
const mailboxCount = 1_000;
const ownCount = 1_000;
const commonPerMillion = 100;

/** People of the directory with a common name that no other person of it has. */
function listCommon(directory: Directory) {
  const { given, surname } = readPopulation();
  const names = directory.people.map(({ given: first, last }) => `${first} ${last}`);
  const counts = Map.groupBy(names, (name) => name);
  return directory.people.filter(
    ({ given: first, last }) =>
      counts.get(`${first} ${last}`)?.length === 1 &&
      given.perMillion(first) > commonPerMillion &&
      surname.perMillion(last) > commonPerMillion,
  );
}

/** People of the directory whose name no other person of it has. */
function listUnique({ people, isHidden }: Directory) {
  const named = people.filter(
    ({ id, given, last }) => !isHidden(id) && given !== '' && last !== '',
  );
  const counts = Map.groupBy(named, ({ given, last }) => `${given} ${last}`.toLowerCase());
  return named.filter(
    ({ given, last }) => counts.get(`${given} ${last}`.toLowerCase())?.length === 1,
  );
}

/** Prints the answers to names that say too little, against the directory of messy lists. */
export function reportInvented(db: WritableDatabase, directory: Directory): void {
  console.log(`\nMore people than the directory holds, threshold ${defaultMatchThreshold}`);
  const matcher = createMatcher(buildIndex(db));
  const draws = createDraws(20_263);
  const invented = Array.from({ length: inventedCount }, () => drawName(draws));
  printAnswers(
    'invented names in two columns',
    matcher,
    invented.map(({ first, last }) => ({ first_name: first, last_name: last })),
  );
  printAnswers(
    'invented names in one column',
    matcher,
    invented.map(({ first, last }) => ({ first_name: `${first} ${last}` })),
  );
  const common = listCommon(directory);
  const mailboxes = Array.from({ length: mailboxCount }, () => {
    const { given, last } = draws.pick(common);
    return { first_name: given, last_name: last, email: privateMailbox(given, last, draws) };
  });
  printAnswers('common names of the directory, private mailboxes', matcher, mailboxes);
  const unique = listUnique(directory);
  const own = Array.from({ length: ownCount }, () => draws.pick(unique));
  printAnswers(
    'people of the directory by their unique name alone',
    matcher,
    own.map(({ given, last }) => ({ first_name: given, last_name: last })),
  );
}

const nearCount = 200;
const employersCount = 10;

/** A person whose name is near another one, and the row with that other one. */
interface NearPair {
  readonly part: 'first' | 'last';
  readonly held: Person;
  readonly row: Row;
}

const drawEmployer = (draws: Draws): string => `Penrith Mills ${draws.below(employersCount)}`;

function drawNear(names: NameList, part: NearPair['part'], draws: Draws): NearPair {
  const { direct } = loadNicknames();
  for (;;) {
    const person = drawName(draws);
    const near = names.drawNear(person[part], draws);
    const isForm = near !== null && direct.get(person[part].toLowerCase())?.has(near);
    if (near === null || (part === 'first' && isForm)) continue;
    const at = drawEmployer(draws);
    const written = { ...person, [part]: capitalize(near) };
    return {
      part,
      held: { ...person, jobs: [{ at }] },
      row: { first_name: written.first, last_name: written.last, company_name: at },
    };
  }
}

const isAnswered = (matcher: Matcher, rows: readonly Row[]): boolean[] =>
  Array.from(matchRows(matcher, rows).personIds, (id) => id !== 0);

/**
 * Prints how many names are answered in directories of people of the population: names alone, own
 * people with a private mailbox, and near names of colleagues.
 */
export function reportOpenWorld(sizes: readonly number[]): void {
  const { given, surname } = readPopulation();
  for (const size of sizes) {
    const draws = createDraws(20_264);
    const pairs = Array.from({ length: nearCount }, () => [
      drawNear(given, 'first', draws),
      drawNear(surname, 'last', draws),
    ]).flat();
    const perDirectory = Math.min(size / 2, pairs.length);
    const answered = { alone: 0, mailbox: 0, first: 0, last: 0 };
    for (let from = 0; from < pairs.length; from += perDirectory) {
      const own = pairs.slice(from, from + perDirectory);
      const others = Array.from({ length: size - own.length }, () => ({
        ...drawName(draws),
        jobs: [{ at: drawEmployer(draws) }],
      }));
      const matcher = createMatcher(indexOf([...own.map(({ held }) => held), ...others]));
      const invented = Array.from({ length: (inventedCount * own.length) / pairs.length }, () => {
        const { first, last } = drawName(draws);
        return { first_name: first, last_name: last };
      });
      answered.alone += isAnswered(matcher, invented).filter(Boolean).length;
      const mailboxes = own.map(({ held: { first, last } }) => ({
        first_name: first,
        last_name: last,
        email: privateMailbox(first, last, draws),
      }));
      answered.mailbox += isAnswered(matcher, mailboxes).filter(Boolean).length;
      const near = isAnswered(
        matcher,
        own.map(({ row }) => row),
      );
      for (const [at, { part }] of own.entries()) if (near[at]) answered[part]++;
    }
    console.log(
      [
        `  ${size.toLocaleString('en').padStart(9)} people:`,
        `${answered.alone} of ${inventedCount} names alone,`,
        `${answered.mailbox} of ${pairs.length} own people with a private mailbox,`,
        `${answered.first} of ${nearCount} near given names,`,
        `${answered.last} of ${nearCount} near surnames answered`,
      ].join(' '),
    );
  }
}

const typedSize = 1_000;
const typedRows = 2_000;
/** Shares of the cells of a row. */
const typedShares = { stranger: 0.3, noName: 0.12, noEmail: 0.2, slip: 0.25, second: 0.1 } as const;
const lettersOf = (text: string): string => text.toLowerCase().replace(/[^a-z]/g, '');

/** A person with a mailbox of a small domain, in one of several habits. */
function drawMailed(draws: Draws) {
  const { first, last } = drawName(draws);
  const [given, surname] = [lettersOf(first), lettersOf(last)];
  const local = draws.pick([
    `${given}.${surname}`,
    `${given.slice(0, 1)}${surname}`,
    `${given}${draws.below(99)}`,
    `${surname}${given}`,
  ]);
  const host = `${lettersOf(drawName(draws).last)}${draws.pick(['.com', '.org', '.net'])}`;
  return { first_name: first, last_name: last, email: `${local}@${host}` };
}

/** Prints the figures of a list without employers, with typing errors and empty cells. */
export async function reportTypedLists(): Promise<void> {
  const draws = createDraws(20_265);
  const people = Array.from({ length: typedSize }, () => drawMailed(draws));
  const write = (text: string, lost: number): string => {
    const once = draws.isHit(typedShares.slip) ? slipOnce(text, draws) : text;
    const twice = draws.isHit(typedShares.second) ? slipOnce(once, draws) : once;
    return draws.isHit(lost) ? '' : twice;
  };
  const rows = Array.from({ length: typedRows }, () => {
    const at = draws.isHit(typedShares.stranger) ? -1 : draws.below(typedSize);
    const { first_name, last_name, email } = people[at] ?? drawMailed(draws);
    const cells = {
      first_name: write(first_name, typedShares.noName),
      last_name: write(last_name, typedShares.noName),
      email: write(email, typedShares.noEmail),
    };
    return { cells, truth: at < 0 ? '' : `p${at}` };
  });
  await withDirectory(async (db, dir) => {
    const peoplePath = join(dir, 'people.csv');
    writeCsv(
      peoplePath,
      people.map((person, at) => ({ person_id: `p${at}`, ...person })),
    );
    await importDirectory(db, { peoplePath });
    const matcher = createMatcher(buildIndex(db));
    const answers = answerRows(db, matcher, rows, defaultMatchThreshold);
    const counts = countNothing();
    for (const [at, { truth }] of rows.entries()) {
      const { answer } = answers[at]!;
      count(counts, answer !== '' && answer === truth, truth !== '');
      if (answer !== '' && answer !== truth) counts.wrong++;
    }
    const { right, wrong, missed } = counts;
    console.log(
      [
        `\n${typedRows} rows without an employer, with typing errors: ${wrong} wrong,`,
        `recall ${(right / (right + missed)).toFixed(3)}, F1 ${f1Of(counts)}`,
      ].join(' '),
    );
  });
}

/**
 * Prints the figures on the pairs of people of OpenSanctions' name_bench, next to those of the
 * matcher whose outcomes the file has. A pair is a directory of one person and a row, at the same
 * employer.
 * @param folder with nk-logicv2.csv; without it nothing is printed
 */
export function reportNamePairs(folder: string): void {
  const path = join(folder, 'nk-logicv2.csv');
  if (!existsSync(path)) return;
  const [own, peer] = [countNothing(), countNothing()];
  const pairs = readCsv(path).filter((row) => row.schema === 'Person');
  for (const { name1, name2, is_match: truth, predicted_match: predicted } of pairs) {
    const at = 'Penrith Mills';
    const matcher = createMatcher(indexOf([{ ...splitName(name2!), jobs: [{ at }] }]));
    const { personIds } = matchRows(matcher, [{ first_name: name1!, company_name: at }]);
    count(own, personIds[0] !== 0, truth === 'true');
    count(peer, predicted === 'true', truth === 'true');
  }
  console.log(
    `\nname_bench, ${pairs.length} pairs of people: F1 ${f1Of(own)}, logic-v2 ${f1Of(peer)}`,
  );
}

/** The records of one of FEBRL's files, which have a space after each comma. */
const readFebrl = (path: string): CsvRow[] => {
  const [header = [], ...records] = parseRecords(readFileSync(path)).map((cells) =>
    cells.map((cell) => cell.trim()),
  );
  return records.map((cells) => Object.fromEntries(header.map((name, at) => [name, cells[at]!])));
};
const addressOf = (row: CsvRow): string =>
  [row.street_number, row.address_1, row.suburb].filter(Boolean).join(' ');
const originalOf = ({ rec_id: id = '' }: CsvRow): string => id.split('-').slice(0, 2).join('-');

/**
 * Prints the figures on FEBRL4: 5,000 people, and one damaged copy of each. The set has no
 * employers: the address is given as one. Dates of birth and numbers are not read.
 * @param folder with dataset4a.csv and dataset4b.csv; without them nothing is printed
 */
export async function reportFebrl(folder: string): Promise<void> {
  const [originals, copies] = ['dataset4a.csv', 'dataset4b.csv'].map((name) => join(folder, name));
  if (!existsSync(originals!) || !existsSync(copies!)) return;
  await withDirectory(async (db, dir) => {
    const peoplePath = join(dir, 'people.csv');
    writeCsv(
      peoplePath,
      readFebrl(originals!).map((row) => ({
        person_id: originalOf(row),
        first_name: row.given_name!,
        last_name: row.surname!,
        organization: addressOf(row),
      })),
    );
    await importDirectory(db, { peoplePath });
    const rows = readFebrl(copies!).map((row) => ({
      cells: {
        first_name: row.given_name!,
        last_name: row.surname!,
        company_name: addressOf(row),
      },
      truth: originalOf(row),
      kinds: [],
    }));
    const [scored = []] = matchPeople(db, rows, [defaultMatchThreshold]);
    printFigures('FEBRL4, by name and address', scored, {});
  });
}

/**
 * Makes a directory and a noisy list of any size for the benchmarks: real names at random, the same
 * for the same seed.
 */
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { formatRecord } from '../../engine/csv/format-record.ts';
import { parseRecords } from '../../engine/csv/read-rows.ts';
import { resourcesDir } from '../../engine/places.ts';
import { createRandom } from '../random.ts';

/** How large the made-up data are. */
export interface Sizes {
  readonly people: number;
  readonly companies: number;
  readonly rows: number;
  readonly seed: number;
}

/** Where the files are. `truth` is one Int32 a row: the number of the person, or -1. */
export interface Generated {
  readonly people: string;
  readonly companies: string;
  readonly list: string;
  readonly truth: string;
}

interface Company {
  readonly name: string;
  readonly full: string;
  readonly domain: string;
}
interface Person {
  readonly first: string;
  readonly last: string;
  readonly company: number;
  readonly former: number;
  readonly email: string;
  readonly formerEmail: string;
}

const suffixes = ['Inc', 'LLC', 'Ltd', 'Corp.', 'GmbH', 'S.A.', 'Limited'];
const trades =
  'Systems Partners Logistics Foods Energy Media Labs Bank Health Motors Software'.split(' ');
const titles =
  'Chief Executive Officer|VP of Sales|Director of Marketing|Finance Manager|Engineer|Buyer'.split(
    '|',
  );
const letters = 'abcdefghijklmnopqrstuvwxyz';
const syllables = (
  'ba bel bor can cor dan del den dor el far fen gar gil han hol ing jan kal ken lan lin mar ' +
  'mel mor nel nor pel per ral ren rod sal sel son tan tor val ven wal wen yor zan'
).split(' ');

/** What every part of the making shares. */
interface Making {
  readonly random: () => number;
  readonly drawFirst: () => string;
  readonly drawLast: () => string;
  /** Words that companies are named of. */
  readonly drawWord: () => string;
  readonly nicknames: ReadonlyMap<string, readonly string[]>;
  readonly companies: Company[];
  readonly people: Person[];
}

const below = (making: Making, limit: number) => Math.floor(making.random() * limit);
const isHit = (making: Making, share: number) => making.random() < share;
const pick = <Value>(making: Making, values: readonly Value[]): Value =>
  values[below(making, values.length)] as Value;
/**
 * Draws as among people and companies: the k-th commonest value in proportion to 1 / k^steepness.
 * Real lists have such heads, and it is they that make matching hard.
 */
function createDraw<Value>(
  making: Pick<Making, 'random'>,
  values: readonly Value[],
  steepness: number,
) {
  const sums = new Float64Array(values.length);
  let sum = 0;
  for (let at = 0; at < values.length; at++) {
    sum += 1 / (at + 1) ** steepness;
    sums[at] = sum;
  }
  return (): Value => {
    const wanted = making.random() * sum;
    let low = 0;
    let high = values.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] ?? 0) < wanted) low = middle + 1;
      else high = middle;
    }
    return values[low] as Value;
  };
}

/** Real names first, then made ones, until there are as many as a large population has. */
function fillPool(making: Pick<Making, 'random'>, real: readonly string[], size: number): string[] {
  const pool = new Set(real.slice(0, size));
  const part = () => syllables[Math.floor(making.random() * syllables.length)] ?? 'a';
  while (pool.size < size) {
    const made = part() + part() + part();
    pool.add(made.charAt(0).toUpperCase() + made.slice(1));
  }
  return [...pool];
}

const keyOf = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '') || 'x';

function readPool(name: string, column: string): string[] {
  const path = join(resourcesDir(), 'sample', name);
  const [headers = [], ...rows] = parseRecords(gunzipSync(readFileSync(path)));
  const at = headers.indexOf(column);
  return [...new Set(rows.map((row) => row[at] ?? ''))].filter((word) => /^\p{L}{3,}$/u.test(word));
}

function readNicknames(): Map<string, string[]> {
  const text = readFileSync(join(resourcesDir(), 'reference/ref_nicknames.csv'), 'utf8');
  const nicknames = new Map<string, string[]>();
  for (const line of text.split('\n').slice(1)) {
    const [name = '', nickname = ''] = line.trim().split(',');
    nicknames.set(name, [...(nicknames.get(name) ?? []), nickname]);
  }
  return nicknames;
}

/** Writes lines in pieces of about a megabyte. */
function writeLines(path: string, lines: Iterable<readonly string[]>): void {
  const handle = openSync(path, 'w');
  let piece = '';
  for (const cells of lines) {
    piece += formatRecord(cells, '\n');
    if (piece.length < 1_000_000) continue;
    writeSync(handle, piece);
    piece = '';
  }
  writeSync(handle, piece);
  closeSync(handle);
}

function* makeCompanies(making: Making, count: number): Generator<string[]> {
  yield [
    ...['org_id', 'name', 'industry', 'street', 'city', 'state', 'postal', 'country', 'phone'],
    'website',
  ];
  const taken = new Set<string>();
  for (let at = 0; at < count; at++) {
    const words = [making.drawWord(), ...(isHit(making, 0.25) ? [making.drawWord()] : [])];
    const name = [...words, ...(isHit(making, 0.85) ? [pick(making, trades)] : [])].join(' ');
    const full = isHit(making, 0.7) ? `${name} ${pick(making, suffixes)}` : name;
    let domain = `${keyOf(name)}.com`;
    for (let copy = 2; taken.has(domain); copy++) domain = `${keyOf(name)}${copy}.com`;
    taken.add(domain);
    making.companies.push({ name, full, domain });
    const street = `${1 + below(making, 9999)} ${making.drawLast()} St`;
    const phone = `+1212${String(2_000_000 + at).padStart(7, '0')}`;
    yield [
      ...[`c${at}`, full, pick(making, trades), street, making.drawLast(), 'NY', '10001', 'US'],
      ...[phone, domain],
    ];
  }
}

function* makePeople(making: Making, count: number): Generator<string[]> {
  yield [
    'person_id',
    'first_name',
    'last_name',
    'organization',
    'org_id',
    'title',
    'start',
    'end',
    'is_current',
    'is_primary',
    'profile_url',
    'email',
    'phone',
    'city',
    'country',
  ];
  const employers = making.companies.map((_company, at) => at);
  const drawEmployer = createDraw(making, employers, 0.75);
  for (let at = 0; at < count; at++) {
    const first = making.drawFirst();
    const last = making.drawLast();
    const company = drawEmployer();
    const former = isHit(making, 0.55) ? drawEmployer() : -1;
    const emailAt = (employer: number) =>
      `${keyOf(first)}.${keyOf(last)}.${at.toString(36)}@${making.companies[employer]?.domain ?? 'example.com'}`;
    const person = {
      first,
      last,
      company,
      former,
      email: emailAt(company),
      formerEmail: emailAt(former),
    };
    making.people.push(person);
    const url = `https://www.linkedin.com/in/${keyOf(first)}-${keyOf(last)}-${at.toString(36)}`;
    const phone = isHit(making, 0.3) ? `+1646${String(2_000_000 + (at % 7_999_999))}` : '';
    const row = (employer: number, start: string, end: string, email: string, current: string) => [
      `p${at}`,
      first,
      last,
      making.companies[employer]?.full ?? '',
      `c${employer}`,
      pick(making, titles),
      start,
      end,
      current,
      '1',
      url,
      email,
      phone,
      'New York',
      'US',
    ];
    yield row(company, '2022-03-01', '', isHit(making, 0.85) ? person.email : '', '1');
    if (former >= 0) yield row(former, '2018-01-01', '2022-02-01', person.formerEmail, '0');
  }
}

/** One slip of the keyboard: a letter left out, doubled, swapped or wrong. */
function misspell(making: Making, text: string): string {
  if (text.length < 4) return text;
  const at = 1 + below(making, text.length - 2);
  const wrong = letters[below(making, letters.length)];
  return pick(making, [
    text.slice(0, at) + text.slice(at + 1),
    text.slice(0, at) + text[at + 1] + text[at] + text.slice(at + 2),
    text.slice(0, at) + wrong + text.slice(at + 1),
    text.slice(0, at) + wrong + text.slice(at),
  ]);
}

function blurCompany(making: Making, company: Company): string {
  const kind = making.random();
  if (kind < 0.4) return company.name;
  if (kind < 0.5) return `${company.name} ${pick(making, suffixes)}`;
  if (kind < 0.55) return company.full.toUpperCase();
  if (kind < 0.6) return misspell(making, company.name);
  if (kind < 0.62) return `The ${company.name}`;
  return company.full;
}

function blurName(making: Making, first: string, last: string): [string, string] {
  const nicknames = making.nicknames.get(first.toLowerCase());
  let given = first;
  if (nicknames && isHit(making, 0.25)) given = pick(making, nicknames);
  else if (isHit(making, 0.03)) given = misspell(making, first);
  else if (isHit(making, 0.02)) given = `${first[0]}.`;
  const family = isHit(making, 0.04) ? misspell(making, last) : last;
  if (isHit(making, 0.02)) return [family, given];
  if (isHit(making, 0.04)) return [given.toUpperCase(), family.toUpperCase()];
  return [given, family];
}

function makeRow(making: Making, at: number): { cells: string[]; truth: number } {
  const note = isHit(making, 0.02) ? 'met at "Expo", follow up' : `lead ${at}`;
  if (isHit(making, 0.8)) {
    const truth = below(making, making.people.length);
    const person = making.people[truth] as Person;
    const isFormer = person.former >= 0 && isHit(making, 0.2);
    const company = making.companies[isFormer ? person.former : person.company] as Company;
    const email = isFormer ? person.formerEmail : person.email;
    const url = `https://www.linkedin.com/in/${keyOf(person.first)}-${keyOf(person.last)}-${truth.toString(36)}`;
    const [first, last] = blurName(making, person.first, person.last);
    const cells = [
      `R${at}`,
      first,
      last,
      isHit(making, 0.97) ? blurCompany(making, company) : '',
      isHit(making, 0.6) ? email : '',
      isHit(making, 0.15) ? url : '',
      note,
    ];
    return { cells, truth };
  }
  const company = pick(making, making.companies);
  const [first, last] = [making.drawFirst(), making.drawLast()];
  const email = isHit(making, 0.6) ? `${keyOf(first)}.${at}@${company.domain}` : '';
  return {
    cells: [`R${at}`, first, last, blurCompany(making, company), email, '', note],
    truth: -1,
  };
}

function* makeList(making: Making, truth: Int32Array): Generator<string[]> {
  yield ['row_ref', 'first_name', 'last_name', 'company_name', 'email', 'profile_url', 'notes'];
  for (let at = 0; at < truth.length; at++) {
    const row = makeRow(making, at);
    truth[at] = row.truth;
    yield row.cells;
  }
}

/** Writes all four files into a folder, which is made where it is missing. */
export function generate(folder: string, sizes: Sizes): Generated {
  mkdirSync(folder, { recursive: true });
  const random = createRandom(sizes.seed);
  const lasts = fillPool({ random }, readPool('people.csv.gz', 'last_name'), 60_000);
  const firsts = fillPool({ random }, readPool('people.csv.gz', 'first_name'), 4_000);
  const making: Making = {
    random,
    drawFirst: createDraw({ random }, firsts, 0.95),
    drawLast: createDraw({ random }, lasts, 0.85),
    drawWord: createDraw({ random }, lasts.slice(0, 9_000), 0.6),
    nicknames: readNicknames(),
    companies: [],
    people: [],
  };
  const files: Generated = {
    people: join(folder, 'people.csv'),
    companies: join(folder, 'companies.csv'),
    list: join(folder, 'list.csv'),
    truth: join(folder, 'truth.i32'),
  };
  writeLines(files.companies, makeCompanies(making, sizes.companies));
  writeLines(files.people, makePeople(making, sizes.people));
  const truth = new Int32Array(sizes.rows);
  writeLines(files.list, makeList(making, truth));
  writeFileSync(files.truth, new Uint8Array(truth.buffer));
  return files;
}

// Reads the rows of a batch a column at a time from its bytes. The cells of a column are hashed
// together and looked up together, so that the processor waits for the memory of many rows at once.
// Texts are made only of cells that need more reading.
import { type ColumnMapping, listMapped } from '../../contract/jobs/row-input.ts';
import { valueCharactersMax } from '../../contract/limits/spreadsheet.ts';
import { createRecordSpans } from '../../spreadsheet/record-spans.ts';
import {
  checkSeed,
  checkStep,
  findHashes,
  finishHash,
  hashSeed,
  hashStep,
  hashText,
  tagOf,
} from '../index/index-dictionary.ts';
import type { MatchIndex } from '../index/index-layout.ts';
import { findOnly, type Postings, several } from '../index/index-postings.ts';
import { readEmailKey, readUrlKey } from '../normalize/match-address.ts';
import { peerTitles } from '../normalize/name-words.ts';
import {
  type Holders,
  type Query,
  type QueryKey,
  type RowQuery,
  readDomain,
} from './match-query.ts';
import type { CompanyResolver, ResolvedCompany } from './match-resolve.ts';
import { testWords } from './match-settled.ts';

/** The rows of a batch. They are read again for each batch. */
export interface BatchRows {
  read(bytes: Uint8Array, mapping: ColumnMapping): number;
  /** What a row says, until the next one is asked for; null if a cell needs more reading. */
  plainAt(row: number): RowQuery | null;
  /** The texts of a row's cells, at the columns of `mapping()`. */
  cellsOf(row: number): string[];
  mapping(): ColumnMapping;
}

const space = 32;
const quote = 34;
const noOne: readonly number[] = [];
/** A row with one of these words for a name is read as texts. Most words have no bit of one. */
const meaningfulBits = new Uint8Array(1024);
for (const word of [...peerTitles, ...testWords]) meaningfulBits[hashText(word) & 1023] = 1;

/** A plain word of a row as a key. Its text is made when it is needed. */
class PlainKey implements QueryKey {
  id = -1;
  mask = 0;
  private readonly read: () => string;
  constructor(read: () => string) {
    this.read = read;
  }
  get text(): string {
    return this.read();
  }
}

type Mutable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

/** Numbers of a column's cells. */
const columnOf = (rows: number) => ({
  /** Both hashes of a text: those of a dictionary, or the key and the tag of a posting. */
  hashes: new Uint32Array(rows),
  checks: new Uint32Array(rows),
  masks: new Int32Array(rows),
  /** The number of a name; the only holder of a key, -1 for nobody, or `several`. */
  found: new Int32Array(rows),
});
type Column = ReturnType<typeof columnOf>;

const columnsOf = (rows: number) => ({
  isPlain: new Uint8Array(rows),
  first: columnOf(rows),
  last: columnOf(rows),
  company: columnOf(rows),
  url: columnOf(rows),
  email: columnOf(rows),
});

/** Creates the rows of batches. @param index one that is in memory as a whole */
export function createBatchRows(index: MatchIndex, resolver: CompanyResolver): BatchRows {
  const records = createRecordSpans();
  const { urlOffsets, urlEntries, emailOffsets, emailEntries } = index.sections;
  const postings: Record<'url' | 'email', Postings> = {
    url: { offsets: urlOffsets, entries: urlEntries },
    email: { offsets: emailOffsets, entries: emailEntries },
  };
  const keys: Record<'url' | 'email', string[]> = { url: [], email: [] };
  let columns = columnsOf(2048);
  let count = 0;
  let bytes: Uint8Array = new Uint8Array(0);
  /** Columns of the table that are read, and the place of each field among them. */
  let read: readonly number[] = [];
  let mapping: ColumnMapping = {};
  let current = 0;

  function readNames({ hashes, checks, masks, found }: Column, place: number): void {
    const { isPlain } = columns;
    const spans = records.spans();
    const width = read.length * 2;
    for (let row = 0; row < count; row++) {
      const from = spans[row * width + place * 2]!;
      const to = spans[row * width + place * 2 + 1]!;
      let [hash, check, mask] = [hashSeed, checkSeed, 0];
      let isWord = to - from > 1 && to - from <= valueCharactersMax;
      for (let at = from; at < to; at++) {
        let code = bytes[at]!;
        if (code >= 65 && code <= 90) code += 32;
        if (code < 97 || code > 122) {
          isWord = false;
          break;
        }
        hash = hashStep(hash, code);
        check = checkStep(check, code);
        mask |= 1 << (code - 97);
      }
      hash = finishHash(hash);
      if (!isWord || meaningfulBits[hash & 1023] === 1) isPlain[row] = 0;
      hashes[row] = hash;
      checks[row] = finishHash(check);
      masks[row] = mask;
    }
    for (let row = 0; row < count; row++)
      if (isPlain[row] === 1) found[row] = findHashes(index.names, hashes[row]!, checks[row]!);
  }

  /** Hashes the company cells as they are written, without spaces around. */
  function readCompanies({ hashes, checks, found }: Column, place: number): void {
    const { isPlain } = columns;
    const spans = records.spans();
    const width = read.length * 2;
    for (let row = 0; row < count; row++) {
      if (isPlain[row] === 0) continue;
      let from = spans[row * width + place * 2]!;
      let to = spans[row * width + place * 2 + 1]!;
      while (from < to && bytes[from] === space) from++;
      while (to > from && bytes[to - 1] === space) to--;
      let [hash, check] = [hashSeed, checkSeed];
      for (let at = from; at < to; at++) {
        const code = bytes[at]!;
        if (code < space || code > 126 || code === quote) isPlain[row] = 0;
        hash = hashStep(hash, code);
        check = checkStep(check, code);
      }
      if (to - from > valueCharactersMax) isPlain[row] = 0;
      hashes[row] = finishHash(hash);
      checks[row] = finishHash(check);
      found[row] = to - from;
    }
  }

  function readKeys(kind: 'url' | 'email', place: number): void {
    const { isPlain } = columns;
    const { hashes, checks, found } = columns[kind];
    const texts = keys[kind];
    const readKey = kind === 'url' ? readUrlKey : readEmailKey;
    const isOneColumn = listMapped(mapping, kind === 'url' ? 'profile_url' : kind).length === 1;
    for (let row = 0; row < count; row++) {
      texts[row] = '';
      found[row] = -1;
      if (isPlain[row] === 0) continue;
      const cell = records.text(row, place).trim();
      const key = cell === '' ? '' : readKey(cell);
      if ((cell === '' && !isOneColumn) || cell.length > valueCharactersMax) isPlain[row] = 0;
      texts[row] = key;
      if (key === '') continue;
      found[row] = 0;
      hashes[row] = hashText(key);
      checks[row] = tagOf(key);
    }
    for (let row = 0; row < count; row++)
      if (found[row] === 0) found[row] = findOnly(postings[kind], hashes[row]!, checks[row]!);
  }

  const keyOf = (field: 'first_name' | 'last_name'): PlainKey =>
    new PlainKey(() => records.text(current, mapping[field]!).toLowerCase());
  const [first, last] = [keyOf('first_name'), keyOf('last_name')];
  const query: Mutable<Query> = {
    name: {
      firsts: [first],
      lasts: [last],
      peerage: null,
      middleInitial: '',
      generation: 0,
      isPeer: false,
    },
    swapped: undefined,
    url: '',
    email: '',
    hasCompany: false,
    company: resolver.resolve(''),
    companyDomain: '',
    domainGroups: null,
  };
  const own = { url: [0], email: [0] };
  const holdersOf = (kind: 'url' | 'email'): readonly number[] => {
    const found = columns[kind].found[current]!;
    if (found === several) return index.people.holdersOf(kind, keys[kind][current]!);
    if (found < 0) return noOne;
    own[kind][0] = found;
    return own[kind];
  };
  const holders: Mutable<Holders> = { ofUrl: noOne, ofEmail: noOne };
  const plain: RowQuery = { query, holders };
  const companyOf = (place: number | undefined): ResolvedCompany => {
    const { hashes, checks, found } = columns.company;
    if (place === undefined || found[current] === 0) return resolver.resolve('');
    return (
      resolver.recall(hashes[current]!, checks[current]!) ??
      resolver.resolve(records.text(current, place).trim())
    );
  };

  return {
    read(given, columnMapping) {
      bytes = given;
      read = [...new Set(Object.values(columnMapping))];
      mapping = Object.fromEntries(
        Object.entries(columnMapping).map(([name, column]) => [name, read.indexOf(column)]),
      );
      count = records.read(bytes, read);
      if (count > columns.isPlain.length) columns = columnsOf(count);
      const { first_name, last_name, company_name, email, profile_url } = mapping;
      const hasNames = first_name !== undefined && last_name !== undefined;
      columns.isPlain.fill(hasNames ? 1 : 0);
      if (!hasNames) return count;
      readNames(columns.first, first_name);
      readNames(columns.last, last_name);
      if (company_name !== undefined) readCompanies(columns.company, company_name);
      columns.url.found.fill(-1);
      columns.email.found.fill(-1);
      if (profile_url !== undefined) readKeys('url', profile_url);
      if (email !== undefined) readKeys('email', email);
      return count;
    },
    plainAt(row) {
      if (columns.isPlain[row] === 0) return null;
      current = row;
      first.id = columns.first.found[row]!;
      first.mask = columns.first.masks[row]!;
      last.id = columns.last.found[row]!;
      last.mask = columns.last.masks[row]!;
      const { company_name, company_domain, email, profile_url } = mapping;
      const domain = company_domain === undefined ? '' : records.text(row, company_domain).trim();
      query.swapped = undefined;
      query.url = profile_url === undefined ? '' : keys.url[row]!;
      query.email = email === undefined ? '' : keys.email[row]!;
      query.company = companyOf(company_name);
      query.companyDomain = domain === '' ? '' : readDomain(domain);
      query.hasCompany = query.company.words.length > 0 || domain !== '';
      query.domainGroups = null;
      holders.ofUrl = holdersOf('url');
      holders.ofEmail = holdersOf('email');
      return plain;
    },
    cellsOf: (row) => read.map((_column, place) => records.text(row, place)),
    mapping: () => mapping,
  };
}

// Derives what matching reads of people from directory.db: documents, keys, counts of names and of
// groups. It uses the code that builds the index in memory, on a part of the people at a time.
import { contentOfForms, countNames } from '../../directory/index/index-build.ts';
import type { GatheredCompanies } from '../../directory/index/index-companies.ts';
import {
  createDictionaryBuilder,
  type DictionaryBuilder,
} from '../../directory/index/index-dictionary.ts';
import { isSurnameFact } from '../../directory/index/index-graded.ts';
import { groupByOwner, type IdRange, type OwnerLists } from '../../directory/index/index-lists.ts';
import { type GatheredPeople, gatherPeople } from '../../directory/index/index-people.ts';
import { createNumberList, type NumberList } from '../../directory/index/index-postings.ts';
import type { Nicknames } from '../../directory/normalize/nicknames.ts';
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import type { BlockKeys } from '../block-keys.ts';
import type { Key } from '../key-hash.ts';
import {
  createByteWriter,
  emptyDocument,
  writeDocument,
  writeSurnames,
} from '../person-document.ts';

export interface SharedNames {
  readonly texts: DictionaryBuilder;
  readonly firsts: NumberList;
  readonly lasts: NumberList;
  readonly surnames: NumberList;
  /** 1 for a name that a document has. */
  readonly used: NumberList;
}

export const startNames = (): SharedNames => ({
  texts: createDictionaryBuilder(),
  firsts: createNumberList(),
  lasts: createNumberList(),
  surnames: createNumberList(),
  used: createNumberList(),
});

export function addName(names: SharedNames, text: string): number {
  const id = names.texts.add(text);
  if (id === names.used.length)
    for (const list of [names.firsts, names.lasts, names.surnames, names.used]) list.push(0);
  return id;
}

const raise = (list: NumberList, at: number, by: number): void => list.set(at, list.at(at) + by);

export interface DerivedPerson {
  readonly personId: number;
  readonly doc: Buffer;
  readonly keys: readonly Key[];
  /** How many of the keys, the first ones, are those of groups. */
  readonly groupCount: number;
  /** What a group's list has of the person (writeSurnames). */
  readonly surnames: Buffer;
}

export interface DeriveSources {
  readonly db: ReadableDatabase;
  readonly companies: GatheredCompanies;
  /** Hash of each group's text. */
  readonly groupHashes: readonly Key[];
  readonly nicknames: Nicknames;
  readonly keys: BlockKeys;
  readonly names: SharedNames;
  readonly groupPeople: Uint32Array;
}

interface ByPerson {
  readonly jobs: OwnerLists;
  readonly facts: OwnerLists;
  readonly urls: OwnerLists;
  readonly emails: OwnerLists;
  readonly phones: OwnerLists;
  readonly locals: OwnerLists;
}

function listByPerson(people: GatheredPeople): ByPerson {
  const by = ({ people: owners }: { readonly people: NumberList }) =>
    groupByOwner(owners.view(), people.ids.length);
  return {
    jobs: by(people.jobs),
    facts: by(people.facts),
    urls: by(people.urls),
    emails: by(people.emails),
    phones: by(people.phones),
    locals: by(people.facts.locals),
  };
}

/** Keys of one person, each once. */
function createKeyList() {
  const keys: Key[] = [];
  const seen = new Set<number>();
  return {
    keys,
    clear() {
      keys.length = 0;
      seen.clear();
    },
    add(key: Key) {
      // Of a person's few keys, no two are equal in 53 bits and differ in the others.
      const short = (key.high & 0x1fffff) * 0x100000000 + key.low;
      if (seen.has(short)) return;
      seen.add(short);
      keys.push(key);
    },
  };
}

function numberNames(people: GatheredPeople, names: SharedNames, keys: BlockKeys) {
  const count = people.names.count();
  const ids = new Uint32Array(count);
  const hashes = new Array<Key | undefined>(count).fill(undefined);
  for (let name = 0; name < count; name++) ids[name] = addName(names, people.names.text(name));
  return {
    idOf(name: number): number {
      const id = ids[name]!;
      names.used.set(id, 1);
      return id;
    },
    hashOf: (name: number): Key => (hashes[name] ??= keys.hashText(people.names.text(name))),
    ids,
  };
}

interface Deriving {
  readonly sources: DeriveSources;
  readonly people: GatheredPeople;
  readonly by: ByPerson;
  readonly forms: ReturnType<typeof contentOfForms>;
  readonly numbered: ReturnType<typeof numberNames>;
  readonly list: ReturnType<typeof createKeyList>;
  readonly document: ReturnType<typeof emptyDocument>;
  readonly groups: number[];
  readonly surnames: number[];
}

function readJobs({ sources, people, by, list, document, groups }: Deriving, person: number): void {
  const { companies, groupHashes, groupPeople, keys } = sources;
  document.jobs.length = 0;
  groups.length = 0;
  for (let at = by.jobs.starts[person]!; at < by.jobs.starts[person + 1]!; at++) {
    const packed = people.jobs.packed.at(by.jobs.order[at]!);
    const company = packed >>> 2;
    document.jobs.push(company === 0 ? 0 : companies.ids[company - 1]!, packed & 3);
    const group = company === 0 ? -1 : companies.groups[company - 1]!;
    if (group < 0 || groups.includes(group)) continue;
    groups.push(group);
    groupPeople[group]!++;
    list.add(keys.ofGroup(groupHashes[group]!));
  }
}

function addForm({ sources, numbered, list, groups }: Deriving, first: number, last: number): void {
  const { keys, groupHashes } = sources;
  const [firstHash, lastHash] = [numbered.hashOf(first), numbered.hashOf(last)];
  list.add(keys.ofPair('firstLast', firstHash, lastHash));
  for (const group of groups) {
    list.add(keys.ofPair('companyLast', groupHashes[group]!, lastHash));
    list.add(keys.ofPair('companyFirst', groupHashes[group]!, firstHash));
  }
}

/** Reads the forms of the name. Call it after readJobs. */
function readForms(deriving: Deriving, person: number): void {
  const { document, numbered } = deriving;
  const { mainNames, formStarts, formNames } = deriving.forms;
  const [first, last] = [mainNames![person * 2]!, mainNames![person * 2 + 1]! >>> 1];
  document.mainFirst = numbered.idOf(first);
  document.mainLast = numbered.idOf(last);
  document.forms.length = 0;
  addForm(deriving, first, last);
  for (let at = formStarts![person]!; at < formStarts![person + 1]!; at++) {
    const [otherFirst, packed] = [formNames![at * 2]!, formNames![at * 2 + 1]!];
    const otherLast = packed >>> 2;
    addForm(deriving, otherFirst, otherLast);
    document.forms.push(numbered.idOf(otherFirst), numbered.idOf(otherLast) * 4 + (packed & 3));
  }
}

function readFacts(
  { sources, people, by, list, document, numbered, surnames }: Deriving,
  person: number,
): void {
  document.facts.length = 0;
  surnames.length = 0;
  for (let at = by.facts.starts[person]!; at < by.facts.starts[person + 1]!; at++) {
    const fact = people.facts.values.at(by.facts.order[at]!);
    const id = numbered.idOf(fact >>> 4);
    document.facts.push(id * 16 + (fact & 15));
    if (!isSurnameFact(fact)) continue;
    surnames.push(id * 16 + (fact & 15));
    raise(sources.names.surnames, id, 1);
    list.add(sources.keys.ofSurname(numbered.hashOf(fact >>> 4)));
  }
}

function addHolders({ sources, people, by, list }: Deriving, person: number): void {
  const { keys } = sources;
  const holders = [
    ['url', people.urls, by.urls],
    ['email', people.emails, by.emails],
    ['phone', people.phones, by.phones],
  ] as const;
  for (const [kind, { keys: held, tags }, { starts, order }] of holders)
    for (let at = starts[person]!; at < starts[person + 1]!; at++)
      list.add(keys.ofHolder(kind, held.at(order[at]!), tags.at(order[at]!)));
  for (let at = by.locals.starts[person]!; at < by.locals.starts[person + 1]!; at++)
    list.add(keys.ofLocal(people.facts.locals.keys.at(by.locals.order[at]!)));
}

function addCounts({ sources: { names }, people, forms, numbered }: Deriving): void {
  const { firstCounts, lastCounts } = countNames(people, forms);
  for (const [name, id] of numbered.ids.entries()) {
    raise(names.firsts, id, firstCounts![name]!);
    raise(names.lasts, id, lastCounts![name]!);
  }
}

export function* derivePeople(sources: DeriveSources, range: IdRange): Generator<DerivedPerson> {
  const { db, companies, nicknames, names, keys } = sources;
  const people = gatherPeople(db, companies, nicknames, () => {}, range);
  const [list, document, writer] = [createKeyList(), emptyDocument(), createByteWriter()];
  const deriving: Deriving = {
    sources,
    people,
    list,
    document,
    groups: [],
    surnames: [],
    by: listByPerson(people),
    forms: contentOfForms(people),
    numbered: numberNames(people, names, keys),
  };
  addCounts(deriving);
  for (let person = 0; person < people.ids.length; person++) {
    list.clear();
    document.flags = people.flags.at(person);
    document.generation = people.generations.at(person);
    document.titles = people.titles.at(person);
    const middle = people.middles.at(person);
    document.middle = middle === 0 ? 0 : deriving.numbered.idOf(middle - 1) + 1;
    readJobs(deriving, person);
    const groupCount = list.keys.length;
    readForms(deriving, person);
    readFacts(deriving, person);
    addHolders(deriving, person);
    writeDocument(writer, document);
    const doc = writer.take();
    writeSurnames(writer, deriving.surnames);
    const surnames = writer.take();
    yield { personId: people.ids.at(person), doc, keys: list.keys, groupCount, surnames };
  }
}

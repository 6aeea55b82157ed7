// Builds the match index from the directory: reads and counts, then fills one shared buffer.
import { invalid } from '../../contract/errors.ts';
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import { loadNicknames, type Nicknames, noNicknames } from '../normalize/nicknames.ts';
import { letterMask, weighWord } from '../normalize/similarity.ts';
import {
  type GatheredCompanies,
  gatherCompanies,
  listDomainGroups,
  readCompanyRows,
} from './index-companies.ts';
import type { Dictionary, DictionaryBuilder } from './index-dictionary.ts';
import { contentOfGraded, type Keyed } from './index-graded.ts';
import { allocateIndex, formKinds, type MatchIndex, type SectionName } from './index-layout.ts';
import { groupByOwner, pick, releaseNumbers } from './index-lists.ts';
import { type GatheredPeople, gatherPeople, type KeyLists, startPeople } from './index-people.ts';
import {
  bucketBits,
  companyFirstKey,
  companyLastKey,
  createNumberList,
  fillPacked,
  fillTagged,
  firstLastKey,
  type NumberList,
  type Postings,
  peopleMax,
} from './index-postings.ts';

/** The keys by person, each once. The given lists are freed. */
function sortKeys({ keys, tags, people }: KeyLists, peopleCount: number): KeyLists {
  const { order } = groupByOwner(people.view(), peopleCount);
  const sorted = {
    keys: createNumberList(),
    tags: createNumberList(),
    people: createNumberList(),
  };
  let first = 0;
  for (const at of order) {
    const [key, tag, person] = [keys.at(at), tags.at(at), people.at(at)];
    if (first < sorted.people.length && sorted.people.at(first) !== person)
      first = sorted.people.length;
    let known = first;
    while (known < sorted.keys.length && !isPair(sorted, known, key, tag)) known++;
    if (known < sorted.keys.length) continue;
    sorted.keys.push(key);
    sorted.tags.push(tag);
    sorted.people.push(person);
  }
  for (const list of [keys, tags, people]) releaseNumbers(list.view());
  return sorted;
}

const isPair = ({ keys, tags }: KeyLists, at: number, key: number, tag: number): boolean =>
  keys.at(at) === key && tags.at(at) === tag;

type Numbers = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float32Array;
export type Content = Partial<Record<SectionName, Numbers>>;

const formsPerPersonMax = 16;

export function listMasks(dictionary: Dictionary): Int32Array {
  const masks = new Int32Array(dictionary.starts.length - 1);
  for (let id = 0; id < masks.length; id++) {
    const start = dictionary.starts[id]!;
    masks[id] = letterMask(dictionary.pool, start, dictionary.starts[id + 1]! - start);
  }
  return masks;
}

/** The forms of each person's name without duplicates; the most certain kind is kept. */
export function contentOfForms(people: GatheredPeople): Content {
  const { forms } = people;
  const sorted = groupByOwner(forms.people.view(), people.ids.length);
  const starts = new Uint32Array(people.ids.length + 1);
  const mains = new Uint32Array(people.ids.length * 2);
  const kept = createNumberList();
  for (let person = 0; person < people.ids.length; person++) {
    const from = kept.length;
    // The main form comes first and has its own section, where one access finds it.
    for (let at = sorted.starts[person]!; at < sorted.starts[person + 1]!; at++)
      addForm(
        kept,
        from,
        forms,
        sorted.order[at]!,
        people.mainFirsts.at(person),
        people.mainLasts.at(person),
      );
    starts[person + 1] = kept.length / 2;
    mains[person * 2] = people.mainFirsts.at(person);
    mains[person * 2 + 1] = people.mainLasts.at(person) * 2 + (kept.length > from ? 1 : 0);
  }
  return { mainNames: mains, formStarts: starts, formNames: kept.view() };
}

function addForm(
  kept: NumberList,
  from: number,
  forms: GatheredPeople['forms'],
  position: number,
  mainFirst: number,
  mainLast: number,
): void {
  const [first, last] = [forms.firsts.at(position), forms.lasts.at(position)];
  if (first === mainFirst && last === mainLast) return;
  const packed = last * 4 + forms.kinds.at(position);
  for (let at = from; at < kept.length; at += 2) {
    if (kept.at(at) !== first || kept.at(at + 1) >>> 2 !== last) continue;
    if (packed < kept.at(at + 1)) kept.set(at + 1, packed);
    return;
  }
  if (kept.length - from >= formsPerPersonMax * 2) return;
  kept.push(first);
  kept.push(packed);
}

/** Nicknames as numbers of the name dictionary, by name. The names must be in it. */
export function contentOfNicknames(names: DictionaryBuilder, nicknames: Nicknames): Content {
  const { numbered } = nicknames;
  const ids = numbered.names.map(names.add);
  const owners = numbered.owners.map((name) => ids[name]!);
  const values = numbered.values.map((value) => ids[value >>> 1]! * 2 + (value & 1));
  const lists = groupByOwner(owners, names.count());
  return { nicknameStarts: lists.starts, nicknames: pick(values, lists.order) };
}

export function countNames(people: GatheredPeople, forms: Content): Content {
  const firstCounts = new Uint32Array(people.names.count());
  const lastCounts = new Uint32Array(people.names.count());
  const [mains, others] = [forms.mainNames!, forms.formNames!];
  for (let at = 0; at < mains.length; at += 2) {
    firstCounts[mains[at]!]!++;
    lastCounts[mains[at + 1]! >>> 1]!++;
  }
  for (let at = 0; at < others.length; at += 2) {
    const kind = others[at + 1]! & 3;
    if (kind === formKinds.derived || kind === formKinds.peerage) continue;
    firstCounts[others[at]!]!++;
    lastCounts[others[at + 1]! >>> 2]!++;
  }
  return { firstCounts, lastCounts };
}

/** People by employer and last name, by employer and first name, by first and last name. */
function listBlocks(content: Content, companyGroups: Uint32Array) {
  const newKeyed = (): Keyed => ({ keys: createNumberList(), people: createNumberList() });
  const blocks = { companyLast: newKeyed(), companyFirst: newKeyed(), firstLast: newKeyed() };
  const add = (block: Keyed, seen: Set<number>, key: number, person: number): void => {
    if (seen.has(key)) return;
    seen.add(key);
    block.keys.push(key);
    block.people.push(person);
  };
  const [lasts, firsts, pairs] = [new Set<number>(), new Set<number>(), new Set<number>()];
  const addForms = (person: number, first: number, last: number): void => {
    add(blocks.firstLast, pairs, firstLastKey(first, last), person);
    for (let job = content.jobStarts![person]!; job < content.jobStarts![person + 1]!; job++) {
      const company = content.jobs![job]! >>> 2;
      if (company === 0) continue;
      const group = companyGroups[company - 1]!;
      add(blocks.companyLast, lasts, companyLastKey(group, last), person);
      add(blocks.companyFirst, firsts, companyFirstKey(group, first), person);
    }
  };
  const { mainNames, formStarts, formNames } = content;
  for (let person = 0; person + 1 < formStarts!.length; person++) {
    for (const seen of [lasts, firsts, pairs]) seen.clear();
    addForms(person, mainNames![person * 2]!, mainNames![person * 2 + 1]! >>> 1);
    for (let at = formStarts![person]!; at < formStarts![person + 1]!; at++)
      addForms(person, formNames![at * 2]!, formNames![at * 2 + 1]! >>> 2);
  }
  return blocks;
}

function contentOfWeights({ tokenGroups, groupTokens }: GatheredCompanies): Content {
  const groupsCount = groupTokens.starts.length - 1;
  const tokenWeights = new Float32Array(tokenGroups.starts.length - 1);
  for (let token = 0; token < tokenWeights.length; token++) {
    const holders = tokenGroups.starts[token + 1]! - tokenGroups.starts[token]!;
    tokenWeights[token] = weighWord(holders, groupsCount);
  }
  const groupWeights = new Float32Array(groupsCount);
  for (let group = 0; group < groupsCount; group++)
    for (let at = groupTokens.starts[group]!; at < groupTokens.starts[group + 1]!; at++)
      groupWeights[group]! += tokenWeights[groupTokens.values[at]!]!;
  return { tokenWeights, groupWeights };
}

export function contentOfCompanies(companies: GatheredCompanies): Content {
  const domains = listDomainGroups(companies);
  for (const list of Object.values(companies.domainPairs)) releaseNumbers(list.view());
  const [keys, tokens, domainKeys] = [
    companies.keys.finish(),
    companies.tokens.finish(),
    companies.domains.finish(),
  ];
  return {
    companyIds: companies.ids,
    companyGroups: companies.groups,
    groupTokenStarts: companies.groupTokens.starts,
    groupTokens: companies.groupTokens.values,
    groupCompanyStarts: companies.groupCompanies.starts,
    groupCompanies: companies.groupCompanies.order,
    keySlots: keys.slots,
    keyGroupStarts: companies.keyGroups.starts,
    keyGroups: companies.keyGroups.values,
    tokenSlots: tokens.slots,
    tokenStarts: tokens.starts,
    tokenPool: tokens.pool,
    tokenMasks: listMasks(tokens),
    ...contentOfWeights(companies),
    tokenGroupStarts: companies.tokenGroups.starts,
    tokenGroups: companies.tokenGroups.values,
    domainSlots: domainKeys.slots,
    domainGroupStarts: domains.starts,
    domainGroups: domains.values,
  };
}

function contentOfPeople(people: GatheredPeople, nicknames: Nicknames): Content {
  const jobLists = groupByOwner(people.jobs.people.view(), people.ids.length);
  const forms = contentOfForms(people);
  const nicknameContent = contentOfNicknames(people.names, nicknames);
  const counts = countNames(people, forms);
  const names = people.names.finish();
  return {
    personIds: people.ids.view(),
    personFlags: Uint8Array.from(people.flags.view()),
    personGenerations: Uint8Array.from(people.generations.view()),
    personMiddles: people.middles.view(),
    personTitles: people.titles.view(),
    ...forms,
    jobStarts: jobLists.starts,
    jobs: pick(people.jobs.packed.view(), jobLists.order),
    nameSlots: names.slots,
    nameStarts: names.starts,
    namePool: names.pool,
    nameMasks: listMasks(names),
    ...counts,
    ...nicknameContent,
  };
}

export type Blocks = Record<'companyLast' | 'companyFirst' | 'firstLast' | 'phonetic', Keyed>;
export type KeyedLists = Record<'url' | 'email' | 'phone' | 'local' | 'orgKey', KeyLists>;

const readNumber = (db: ReadableDatabase): number =>
  db.prepare('SELECT number FROM generation').pluck().get() as number;

const hasPeople = (db: ReadableDatabase): boolean =>
  db.prepare('SELECT 1 FROM person LIMIT 1').get() !== undefined;

interface Gathered {
  readonly generation: number;
  readonly nicknames: Nicknames;
  readonly companies: GatheredCompanies;
  readonly people: GatheredPeople;
}

/** Allocates an index and fills its sections. The given arrays and lists are freed. */
export function fillSections(
  generation: number,
  content: Content,
  blocks: Blocks,
  keyed: KeyedLists,
): MatchIndex {
  const lengths: Record<string, number> = {};
  for (const [name, values] of Object.entries(content)) lengths[name] = values.length;
  for (const [name, { people: holders }] of Object.entries({ ...blocks, ...keyed })) {
    lengths[`${name}Offsets`] = 2 ** bucketBits(holders.length) + 1;
    lengths[`${name}Entries`] = name in keyed ? holders.length * 2 : holders.length;
  }
  const index = allocateIndex(generation, lengths as Record<SectionName, number>);
  const { sections } = index;
  // Each array is freed once it is copied: a page of the shared buffer takes memory when it is
  // written, so that both together take little more than one of them.
  for (const [name, values] of Object.entries(content)) {
    (sections[name as SectionName] as Uint32Array).set(values as Uint32Array);
    releaseNumbers(values);
  }
  const roomOf = (name: keyof Blocks | keyof KeyedLists): Postings => ({
    offsets: sections[`${name}Offsets`],
    entries: sections[`${name}Entries`],
  });
  for (const [name, block] of Object.entries(blocks)) {
    fillPacked(roomOf(name as keyof Blocks), block.keys.view(), block.people.view());
    for (const list of [block.keys, block.people]) releaseNumbers(list.view());
  }
  for (const [name, { keys, tags, people: holders }] of Object.entries(keyed)) {
    fillTagged(roomOf(name as keyof KeyedLists), keys.view(), tags.view(), holders.view());
    for (const list of [keys, tags, holders]) releaseNumbers(list.view());
  }
  return index;
}

export const listOrganisationKeys = ({ organisations }: GatheredCompanies): KeyLists => {
  const { keys, tags, groups } = organisations.keys;
  return { keys, tags, people: groups };
};

function fillIndex(gathered: Gathered): MatchIndex {
  const { generation, nicknames, companies, people } = gathered;
  if (people.ids.length > peopleMax)
    throw invalid(
      `The directory has more than ${peopleMax} people, the most for matching. Undo an import.`,
    );
  const base = { ...contentOfPeople(people, nicknames), ...contentOfCompanies(companies) };
  const graded = contentOfGraded(people, companies);
  const content = { ...base, ...graded.content };
  const blocks = { ...listBlocks(content, companies.groups), phonetic: graded.phonetics };
  const peopleCount = people.ids.length;
  return fillSections(generation, content, blocks, {
    url: sortKeys(people.urls, peopleCount),
    email: sortKeys(people.emails, peopleCount),
    phone: sortKeys(people.phones, peopleCount),
    local: sortKeys(people.facts.locals, peopleCount),
    orgKey: listOrganisationKeys(companies),
  });
}

/** Everything in the directory, in one shared buffer. @param onProgress people read, and all */
export function buildIndex(
  db: ReadableDatabase,
  onProgress: (done: number, total: number) => void = () => {},
): MatchIndex {
  const read = db.transaction((): Gathered => {
    // The first start of an engine indexes nobody. Reading the table takes a fifth of its CPU time.
    const nicknames = hasPeople(db) ? loadNicknames() : noNicknames;
    const companies = gatherCompanies(readCompanyRows(db));
    const people = gatherPeople(db, companies, nicknames, onProgress);
    return { generation: readNumber(db), nicknames, companies, people };
  });
  return fillIndex(read());
}

export function buildCompanyIndex(db: ReadableDatabase): MatchIndex {
  return fillIndex({
    generation: readNumber(db),
    nicknames: noNicknames,
    companies: gatherCompanies(readCompanyRows(db)),
    people: startPeople(),
  });
}

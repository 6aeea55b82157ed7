// The people that were fetched from the shared directory, in the sections of an index, and the
// lists that were asked for. A list or a person that is not known yet ends its row: the row is
// matched again when it is here. So no answer rests on what is missing.
import { hashText, tagOf, textAt } from '../directory/index/index-dictionary.ts';
import type { MatchIndex } from '../directory/index/index-layout.ts';
import type { HolderKind, PeopleLists, TakePerson } from '../directory/index/people-lists.ts';
import { createNumberCache } from '../platform/bounded-cache.ts';
import { type BlockKeys, type KeyKind, keyCaps } from './block-keys.ts';
import { createGroupLists, type GroupAsk } from './group-lists.ts';
import type { Key } from './key-hash.ts';
import type { DocumentReader, PersonDocument } from './person-document.ts';
import type { ResidentLayer } from './resident-layer.ts';

// Numbers pairs of whole numbers in the order in which they are added. A Map would need a text or a
// large number as its key, and an object for each entry: most time of a batch was spent on that.

interface PairTable {
  readonly count: number;
  /** The number of a pair; -1 if it was not added. */
  find(one: number, other: number): number;
  /** Adds a pair that is not there. Returns its number. */
  add(one: number, other: number): number;
}

const hashOf = (one: number, other: number): number => {
  const mixed = Math.imul(one, 0x9e3779b1) ^ Math.imul(other, 0x85ebca6b);
  return mixed ^ (mixed >>> 15);
};

const grow = (numbers: Int32Array, length: number): Int32Array<ArrayBuffer> => {
  const grown = new Int32Array(length);
  grown.set(numbers);
  return grown;
};

/** Pairs of numbers of 32 bits. @param room entries before it grows, a power of two */
export function createPairTable(room = 1 << 10): PairTable {
  let ones = new Int32Array(room);
  let others = new Int32Array(room);
  /** Number + 1 of the pair of a slot; 0 for a free one. At most half of the slots are taken. */
  let slots = new Int32Array(room * 2);
  let count = 0;
  const put = (number: number): void => {
    const mask = slots.length - 1;
    let slot = hashOf(ones[number]!, others[number]!) & mask;
    while (slots[slot] !== 0) slot = (slot + 1) & mask;
    slots[slot] = number + 1;
  };
  const makeRoom = (): void => {
    ones = grow(ones, count * 2);
    others = grow(others, count * 2);
    slots = new Int32Array(count * 4);
    for (let number = 0; number < count; number++) put(number);
  };
  return {
    get count() {
      return count;
    },
    find(one, other) {
      const mask = slots.length - 1;
      for (let slot = hashOf(one, other) & mask; ; slot = (slot + 1) & mask) {
        const number = slots[slot]! - 1;
        if (number < 0) return -1;
        if (ones[number] === (one | 0) && others[number] === (other | 0)) return number;
      }
    },
    add(one, other) {
      if (count === ones.length) makeRoom();
      ones[count] = one;
      others[count] = other;
      put(count);
      return count++;
    },
  };
}

export interface Ask {
  readonly key: Key;
  readonly cap: number;
  /** Takes its people by ascending id: some of the numbers of a pass. */
  readonly take: (people: Uint32Array, from: number, to: number) => void;
}

export interface Asks {
  readonly lists: readonly Ask[];
  readonly groups: readonly GroupAsk[];
  /** person.id of people of groups. */
  readonly people: ReadonlySet<number>;
}

/** Thrown by a row that asked for a list that is not known yet. */
export const openRow = new Error('a row waits for people');

export interface PeopleSlice {
  readonly index: MatchIndex;
  startRow(): void;
  /** Whether the row asked for what is not known yet. */
  isRowOpen(): boolean;
  takeAsks(): Asks;
  /** Number of a person in the index; -1 if the person is not here. */
  numberOf(personId: number): number;
  /** Adds people. Returns false if there is no room: the slice must be replaced. */
  addPeople(personIds: Int32Array, documents: DocumentReader): boolean;
  readonly listsCount: number;
}

const asked = new Uint32Array(0);
const namesMax = 65_536;

interface ListsScope {
  readonly asks: Ask[];
  /** Called for every look at a list that is not known yet. */
  onMiss(): void;
  onList(): void;
}

function createLists<Name>(
  toKey: (name: Name) => Key,
  cap: number,
  { asks, onMiss, onList }: ListsScope,
) {
  const lists = new Map<Name, Uint32Array>();
  return (name: Name): Uint32Array => {
    const known = lists.get(name);
    if (known === undefined) {
      lists.set(name, asked);
      onList();
      asks.push({
        key: toKey(name),
        cap,
        // An empty list must not be taken for one that is asked for.
        take: (people, from, to) => lists.set(name, from === to ? noOne : people.slice(from, to)),
      });
    }
    if (known === undefined || known === asked) onMiss();
    return known ?? asked;
  };
}

const noOne = new Uint32Array(0);

/** Lists of people by two numbers, one behind the other in one array: a batch has many. */
function createPairLists(
  toKey: (one: number, other: number) => Key,
  cap: number,
  { asks, onMiss, onList }: ListsScope,
) {
  const table = createPairTable();
  /** Where each list begins and ends. One that is asked for ends before it begins. */
  let starts = new Int32Array(1 << 10);
  let ends = new Int32Array(1 << 10);
  let pool = new Uint32Array(1 << 12);
  let filled = 0;
  const add = (one: number, other: number): void => {
    const list = table.add(one, other);
    if (list === starts.length) {
      starts = growInts(starts);
      ends = growInts(ends);
    }
    ends[list] = -1;
    onList();
    asks.push({
      key: toKey(one, other),
      cap,
      take(people, from, to) {
        while (filled + to - from > pool.length) {
          const grown = new Uint32Array(pool.length * 2);
          grown.set(pool);
          pool = grown;
        }
        starts[list] = filled;
        for (let at = from; at < to; at++) pool[filled++] = people[at]!;
        ends[list] = filled;
      },
    });
  };
  return (one: number, other: number, take: TakePerson): void => {
    const list = table.find(one, other);
    if (list < 0) add(one, other);
    if (list < 0 || ends[list]! < 0) onMiss();
    else {
      const [people, to] = [pool, ends[list]!];
      for (let at = starts[list]!; at < to; at++) take(people[at]!);
    }
  };
}

function growInts(numbers: Int32Array): Int32Array<ArrayBuffer> {
  const grown = new Int32Array(numbers.length * 2);
  grown.set(numbers);
  return grown;
}

function createPeopleLists(
  { index, groupHashes }: ResidentLayer,
  keys: BlockKeys,
  scope: ListsScope,
): Omit<PeopleLists, 'settle' | 'ofGroup' | 'membersOf'> {
  const hashOf = createNumberCache((name) => keys.hashText(textAt(index.names, name)), namesMax);
  const listBy = <Name>(kind: KeyKind, toKey: (name: Name) => Key) =>
    createLists(toKey, keyCaps[kind], scope);
  const pairsBy = (kind: KeyKind, toKey: (one: number, other: number) => Key) =>
    createPairLists(toKey, keyCaps[kind], scope);
  const ofGroup =
    (kind: 'companyLast' | 'companyFirst') =>
    (group: number, name: number): Key =>
      keys.ofPair(kind, groupHashes[group]!, hashOf(name));
  const local = pairsBy('local', keys.ofLocal);
  const surname = listBy('surname', (name: number) => keys.ofSurname(hashOf(name)));
  const holdersBy = (kind: HolderKind) =>
    listBy(kind, (text: string) => keys.ofHolder(kind, hashText(text), tagOf(text)));
  const holders = { url: holdersBy('url'), email: holdersBy('email'), phone: holdersBy('phone') };
  return {
    takeCompanyLast: pairsBy('companyLast', ofGroup('companyLast')),
    takeCompanyFirst: pairsBy('companyFirst', ofGroup('companyFirst')),
    takeFirstLast: pairsBy('firstLast', (first, last) =>
      keys.ofPair('firstLast', hashOf(first), hashOf(last)),
    ),
    takeLocal: (key, take) => local(key, 0, take),
    holdersOf: (kind, text) => (text === '' ? [] : [...holders[kind](text)]),
    // The server would be asked for a thousand addresses.
    nearHolderOf: () => -1,
    ofSurname: surname,
  };
}

function createPeopleWriter({ index, nameOf, denseOf }: ResidentLayer) {
  const s = index.sections;
  const numbers = createPairTable();
  let [count, forms, facts, jobs] = [0, 0, 0, 0];
  const hasRoom = (document: PersonDocument): boolean =>
    count < s.personIds.length &&
    forms + document.forms.length <= s.formNames.length &&
    facts + document.facts.length <= s.facts.length &&
    jobs + document.jobs.length <= s.jobs.length;
  const addLists = (document: PersonDocument): void => {
    for (let at = 0; at < document.forms.length; at += 2) {
      const packed = document.forms[at + 1]!;
      s.formNames[forms++] = nameOf[document.forms[at]!]!;
      s.formNames[forms++] = nameOf[Math.floor(packed / 4)]! * 4 + (packed & 3);
    }
    for (const fact of document.facts)
      s.facts[facts++] = nameOf[Math.floor(fact / 16)]! * 16 + (fact & 15);
    for (let at = 0; at < document.jobs.length; at += 2) {
      const company = document.jobs[at]!;
      s.jobs[jobs++] = (company === 0 ? 0 : denseOf[company]!) * 4 + document.jobs[at + 1]!;
    }
  };
  return {
    numberOf: (personId: number): number => numbers.find(personId, 0),
    /** Returns false if there is no room. */
    add(personId: number, document: PersonDocument): boolean {
      if (!hasRoom(document)) return false;
      s.personIds[count] = personId;
      s.personFlags[count] = document.flags;
      s.personGenerations[count] = document.generation;
      s.personMiddles[count] = document.middle === 0 ? 0 : nameOf[document.middle - 1]! + 1;
      s.personTitles[count] = document.titles;
      s.mainNames[count * 2] = nameOf[document.mainFirst]!;
      const hasForms = document.forms.length > 0 ? 1 : 0;
      s.mainNames[count * 2 + 1] = nameOf[document.mainLast]! * 2 + hasForms;
      addLists(document);
      count = numbers.add(personId, 0) + 1;
      s.formStarts[count] = forms / 2;
      s.factStarts[count] = facts;
      s.jobStarts[count] = jobs;
      return true;
    },
  };
}

/** Creates a slice without people in the room of a resident layer, which it takes over. */
export function createPeopleSlice(layer: ResidentLayer, keys: BlockKeys): PeopleSlice {
  let isOpen = false;
  let listsCount = 0;
  const asks: Ask[] = [];
  const groupAsks: GroupAsk[] = [];
  let wanted = new Set<number>();
  const onMiss = (): void => {
    isOpen = true;
  };
  const onList = (): void => {
    listsCount++;
  };
  const settle = (): void => {
    if (isOpen) throw openRow;
  };
  const people = createPeopleWriter(layer);
  const lists = {
    ...createPeopleLists(layer, keys, { asks, onMiss, onList }),
    ...createGroupLists({
      asks: groupAsks,
      onMiss,
      nameOf: layer.nameOf,
      keyOf: (group) => keys.ofGroup(layer.groupHashes[group]!),
      onList(entries) {
        listsCount += entries === null ? 1 : entries >>> 2;
      },
      personOf(personId) {
        const person = people.numberOf(personId);
        if (person < 0) {
          wanted.add(personId);
          onMiss();
        }
        return person;
      },
    }),
    settle,
  };
  return {
    index: { ...layer.index, people: lists },
    startRow() {
      isOpen = false;
    },
    isRowOpen: () => isOpen,
    takeAsks() {
      const taken = { lists: asks.splice(0), groups: groupAsks.splice(0), people: wanted };
      wanted = new Set();
      return taken;
    },
    numberOf: people.numberOf,
    addPeople: (personIds, documents) =>
      personIds.every((personId) => people.add(personId, documents.read())),
    get listsCount() {
      return listsCount;
    },
  };
}

/**
 * The people that were fetched from the shared directory, in the sections of an index, and the
 * lists that were asked for. A list that is not known yet ends its row: the row is matched again
 * when the list is here. So no answer rests on a list that is missing.
 */
import { hashText, tagOf, textAt } from '../directory/index/index-dictionary.ts';
import type { MatchIndex } from '../directory/index/index-layout.ts';
import type { HolderKind, PeopleLists, TakePerson } from '../directory/index/people-lists.ts';
import { createNumberCache } from '../platform/bounded-cache.ts';
import { type BlockKeys, type KeyKind, keyCaps } from './block-keys.ts';
import type { Key } from './key-hash.ts';
import type { DocumentReader, PersonDocument } from './person-document.ts';
import type { ResidentLayer } from './resident-layer.ts';

/** A list of people that is to be fetched. */
export interface Ask {
  readonly key: Key;
  /** The most people that are read of it. */
  readonly cap: number;
  /** Takes the people by ascending id. */
  readonly take: (people: Uint32Array) => void;
}

/** Thrown by a row that asked for a list that is not known yet. */
export const openRow = new Error('a row waits for people');

/** People of a part of the shared directory. */
export interface PeopleSlice {
  readonly index: MatchIndex;
  /** Begins a row. */
  startRow(): void;
  /** Whether the row asked for a list that is not known yet. */
  isRowOpen(): boolean;
  /** The lists that rows asked for since the last call. */
  takeAsks(): Ask[];
  /** Number of a person in the index; -1 if the person is not here. */
  numberOf(personId: number): number;
  /** Adds people. Returns false if there is no room: the slice must be replaced. */
  addPeople(personIds: readonly number[], documents: DocumentReader): boolean;
  /** Number of lists. */
  readonly listsCount: number;
}

const asked = new Uint32Array(0);
/** More than any index has names. */
const nameSpan = 2 ** 27;
const namesMax = 65_536;

/** Lists of people by a number, or by a text. */
function createLists<Name>(
  toKey: (name: Name) => Key,
  cap: number,
  asks: Ask[],
  onMiss: () => void,
  onList: () => void,
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
        take: (people) => lists.set(name, people.length === 0 ? noOne : people),
      });
    }
    if (known === undefined || known === asked) onMiss();
    return known ?? asked;
  };
}

const noOne = new Uint32Array(0);

function createPeopleLists(
  { index, groupHashes }: ResidentLayer,
  keys: BlockKeys,
  asks: Ask[],
  onMiss: () => void,
  onList: () => void,
): Omit<PeopleLists, 'settle'> {
  const hashOf = createNumberCache((name) => keys.hashText(textAt(index.names, name)), namesMax);
  const listBy = <Name>(kind: KeyKind, toKey: (name: Name) => Key) =>
    createLists(toKey, keyCaps[kind], asks, onMiss, onList);
  const pairOf =
    (kind: 'companyLast' | 'companyFirst') =>
    (pair: number): Key =>
      keys.ofPair(kind, groupHashes[Math.floor(pair / nameSpan)]!, hashOf(pair % nameSpan));
  const companyLast = listBy('companyLast', pairOf('companyLast'));
  const companyFirst = listBy('companyFirst', pairOf('companyFirst'));
  const firstLast = listBy('firstLast', (pair: number) =>
    keys.ofPair('firstLast', hashOf(Math.floor(pair / nameSpan)), hashOf(pair % nameSpan)),
  );
  const local = listBy('local', keys.ofLocal);
  const surname = listBy('surname', (name: number) => keys.ofSurname(hashOf(name)));
  const group = listBy('group', (number: number) => keys.ofGroup(groupHashes[number]!));
  const holdersBy = (kind: HolderKind) =>
    listBy(kind, (text: string) => keys.ofHolder(kind, hashText(text), tagOf(text)));
  const holders = { url: holdersBy('url'), email: holdersBy('email'), phone: holdersBy('phone') };
  const takeAll = (people: Uint32Array, take: TakePerson): void => {
    for (const person of people) take(person);
  };
  return {
    takeCompanyLast: (of, last, take) => takeAll(companyLast(of * nameSpan + last), take),
    takeCompanyFirst: (of, first, take) => takeAll(companyFirst(of * nameSpan + first), take),
    takeFirstLast: (first, last, take) => takeAll(firstLast(first * nameSpan + last), take),
    takeLocal: (key, take) => takeAll(local(key), take),
    holdersOf: (kind, text) => (text === '' ? [] : [...holders[kind](text)]),
    ofGroup: group,
    ofSurname: surname,
  };
}

/** Writes people into the sections of an index, one behind the other. */
function createPeopleWriter({ index, nameOf, denseOf }: ResidentLayer) {
  const s = index.sections;
  const numbers = new Map<number, number>();
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
    numberOf: (personId: number): number => numbers.get(personId) ?? -1,
    /** Returns false if there is no room. */
    add(personId: number, document: PersonDocument): boolean {
      if (!hasRoom(document)) return false;
      s.personIds[count] = personId;
      s.personFlags[count] = document.flags;
      s.personGenerations[count] = document.generation;
      s.personMiddles[count] = document.middle === 0 ? 0 : nameOf[document.middle - 1]! + 1;
      s.mainNames[count * 2] = nameOf[document.mainFirst]!;
      const hasForms = document.forms.length > 0 ? 1 : 0;
      s.mainNames[count * 2 + 1] = nameOf[document.mainLast]! * 2 + hasForms;
      addLists(document);
      numbers.set(personId, count++);
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
  const lists = { ...createPeopleLists(layer, keys, asks, onMiss, onList), settle };
  return {
    index: { ...layer.index, people: lists },
    startRow() {
      isOpen = false;
    },
    isRowOpen: () => isOpen,
    takeAsks: () => asks.splice(0),
    numberOf: people.numberOf,
    addPeople: (personIds, documents) =>
      personIds.every((personId) => people.add(personId, documents.read())),
    get listsCount() {
      return listsCount;
    },
  };
}

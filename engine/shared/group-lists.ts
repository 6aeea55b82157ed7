// The people of groups of companies, as far as they were fetched: whose they are, and their
// surnames. Most of them are never more than compared by surname, so the rest of a person is
// fetched only when a row needs it.
import type { GroupMembers } from '../directory/index/people-lists.ts';
import { keyCaps } from './block-keys.ts';
import type { Key } from './key-hash.ts';
import type { ByteReader } from './person-document.ts';

export interface GroupAsk {
  readonly key: Key;
  /** The most people that are read of it. */
  readonly cap: number;
  /** Takes people by ascending id: some of a query, whose surnames follow each other. */
  readonly take: (personIds: Int32Array, from: number, to: number, surnames: ByteReader) => void;
}

export interface GroupScope {
  readonly asks: GroupAsk[];
  /** Called for every use of a list that is not known yet. */
  onMiss(): void;
  /** Called for every new list. @param entries its length, null while it is not known */
  onList(entries: number | null): void;
  /** Number of a person; -1 if the person is not here yet, and is asked for. */
  personOf(personId: number): number;
  keyOf(group: number): Key;
  /** Number of a name in the index, by match_name.name_id. */
  readonly nameOf: Uint32Array;
}

interface GroupList extends GroupMembers {
  /** Everyone's number in the index; null until everyone is here. */
  people: Uint32Array | null;
}

const nobody = (): number => -1;
/** -1 among numbers without sign. */
const nobodyHere = 2 ** 32 - 1;
const noNumbers = new Uint32Array(0);

/** A list without people. Each is another list for who compares them. */
const emptyList = (): GroupList => ({
  members: new Uint32Array(0),
  factStarts: noNumbers,
  facts: noNumbers,
  personOf: nobody,
  people: null,
});

function readList(
  { nameOf, personOf }: GroupScope,
  personIds: Int32Array,
  surnames: ByteReader,
): GroupList {
  const members = Uint32Array.from(personIds, (_id, at) => at);
  const factStarts = new Uint32Array(personIds.length + 1);
  const facts: number[] = [];
  for (let member = 0; member < personIds.length; member++) {
    for (let left = surnames.number(); left > 0; left--) {
      const fact = surnames.number();
      facts.push(nameOf[Math.floor(fact / 16)]! * 16 + (fact & 15));
    }
    factStarts[member + 1] = facts.length;
  }
  return {
    members,
    factStarts,
    facts: Uint32Array.from(facts),
    people: null,
    personOf: (member) => personOf(personIds[member]!),
  };
}

export function createGroupLists(scope: GroupScope) {
  const lists = new Map<number, GroupList>();
  const asked = emptyList();
  const membersOf = (group: number): GroupList => {
    const known = lists.get(group);
    if (known === undefined) {
      lists.set(group, asked);
      scope.onList(null);
      scope.asks.push({
        key: scope.keyOf(group),
        cap: keyCaps.group,
        take(personIds, from, to, surnames) {
          scope.onList(to - from);
          lists.set(group, readList(scope, personIds.slice(from, to), surnames));
        },
      });
    }
    if (known === undefined || known === asked) scope.onMiss();
    return known ?? asked;
  };
  return {
    membersOf,
    ofGroup(group: number): Uint32Array {
      const list = membersOf(group);
      if (list.people) return list.people;
      const people = list.members.map(list.personOf);
      const isWhole = !people.includes(nobodyHere);
      if (isWhole && list !== asked) list.people = people;
      return isWhole ? people : people.filter((person) => person !== nobodyHere);
    },
  };
}

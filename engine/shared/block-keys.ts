// The keys by which people are found in the shared directory: one definition for the loader, which
// writes every key of a person, and for the matcher, which asks for some.
import { listBounds } from '../directory/index/people-lists.ts';
import { createKeyHasher, type Key } from './key-hash.ts';

/** What a key is made of. A number never changes: it is part of every stored key. */
const keyKinds = {
  url: 1,
  email: 2,
  phone: 3,
  local: 4,
  surname: 5,
  group: 6,
  companyLast: 7,
  companyFirst: 8,
  firstLast: 9,
} as const;
export type KeyKind = keyof typeof keyKinds;

/** The most people that the matcher reads of one key: the first by person.id. */
export const keyCaps: Readonly<Record<KeyKind, number>> = {
  url: listBounds.holders,
  email: listBounds.holders,
  phone: listBounds.holders,
  local: listBounds.holders,
  surname: listBounds.surname,
  group: listBounds.organisation,
  companyLast: listBounds.block,
  companyFirst: listBounds.block,
  firstLast: listBounds.namesakes,
};

function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

const none: Key = { high: 0, low: 0 };

/** The key of one or two hashes. They depend on the secret, so a fast mixing is enough. */
function combine(kind: KeyKind, a: Key, b: Key): Key {
  const first = mix(a.high + Math.imul(b.high, 0x9e3779b1) + Math.imul(keyKinds[kind], 0x27d4eb2f));
  const low = mix(a.low + Math.imul(b.low, 0x165667b1) + first);
  return { high: mix(first ^ Math.imul(low, 0x2c1b3c6d)) >>> 0, low: low >>> 0 };
}

export interface BlockKeys {
  /** Hash of a name, or of the text that identifies a group of companies. */
  hashText(text: string): Key;
  /** By both hashes of the compared form: hashText and tagOf of index-dictionary.ts. */
  ofHolder(kind: 'url' | 'email' | 'phone', key: number, tag: number): Key;
  ofLocal(local: number): Key;
  ofSurname(name: Key): Key;
  ofGroup(group: Key): Key;
  ofPair(kind: 'companyLast' | 'companyFirst' | 'firstLast', one: Key, other: Key): Key;
}

/** The 32 bits of a number as two code units. */
const numberText = (value: number): string =>
  String.fromCharCode(value & 0xffff, (value >>> 16) & 0xffff);

/** @param secret of the tenant, 16 bytes */
export function createBlockKeys(secret: Uint8Array): BlockKeys {
  const hash = createKeyHasher(secret);
  return {
    hashText: hash,
    ofHolder: (kind, key, tag) => combine(kind, hash(numberText(key) + numberText(tag)), none),
    ofLocal: (local) => combine('local', hash(numberText(local)), none),
    ofSurname: (name) => combine('surname', name, none),
    ofGroup: (group) => combine('group', group, none),
    ofPair: combine,
  };
}

// The loader writes every list that matching asks for, under the same keys.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildIndex } from '../../engine/directory/index/index-build.ts';
import { hashText, tagOf, textAt } from '../../engine/directory/index/index-dictionary.ts';
import { localKey } from '../../engine/directory/index/index-facts.ts';
import type { MatchIndex } from '../../engine/directory/index/index-layout.ts';
import { loadNicknames } from '../../engine/directory/normalize/nicknames.ts';
import { createBlockKeys } from '../../engine/shared/block-keys.ts';
import { createKeyHasher, type Key, keyText } from '../../engine/shared/key-hash.ts';
import { derivePeople, startNames } from '../../engine/shared/load/derive-people.ts';
import { deriveCompanies } from '../../engine/shared/load/load-directory.ts';
import { makeRandomDirectory, randomDirectory } from './random-directory.ts';

const secret = Buffer.from(Array.from({ length: 16 }, (_, at) => at));

test('hashes are those of SipHash-2-4', () => {
  const hash = createKeyHasher(secret);
  const bytes = Buffer.from([0, 1, 2, 3, 4, 5, 6, 7]);
  const hashes = [0, 2, 4, 6, 8].map((length) => {
    const { high, low } = hash(bytes.toString('utf16le', 0, length));
    const written = Buffer.alloc(8);
    written.writeUInt32LE(low, 0);
    written.writeUInt32LE(high, 4);
    return written.toString('hex');
  });
  // The test vectors of the reference implementation.
  expect(hashes).toEqual([
    '310e0edd47db6f72',
    '5a4fa9d909806c0d',
    'b7877127e09427cf',
    'cee3fe586e46c9cb',
    '6224939a79f5f593',
  ]);
});

/** The people of every key, as the loader writes them, in groups of a few ids. */
function deriveLists(db: Parameters<typeof deriveCompanies>[0], count: number) {
  const keys = createBlockKeys(secret);
  const derived = deriveCompanies(db, keys);
  const names = startNames();
  const groupPeople = new Uint32Array(derived.groupHashes.length);
  const sources = { ...derived, db, keys, names, groupPeople, nicknames: loadNicknames() };
  const lists = new Map<string, number[]>();
  for (let from = 1; from <= count; from += 7)
    for (const { personId, keys: own } of derivePeople(sources, { from, to: from + 6 }))
      for (const key of own) {
        const list = lists.get(keyText(key));
        if (list) list.push(personId);
        else lists.set(keyText(key), [personId]);
      }
  const listOf = (key: Key): number[] => lists.get(keyText(key)) ?? [];
  return { keys, listOf, groupHashes: derived.groupHashes, groupPeople };
}

function idsOf({ sections }: MatchIndex, list: (take: (person: number) => void) => void) {
  const ids: number[] = [];
  list((person) => ids.push(sections.personIds[person]!));
  return ids;
}

test('every list of the index in memory is found under its key', () => {
  fc.assert(
    fc.property(randomDirectory(16), ({ people, rows }) => {
      const db = makeRandomDirectory(people);
      const index = buildIndex(db);
      const { keys, listOf, groupHashes, groupPeople } = deriveLists(db, people.length);
      const { people: lists, names, sections } = index;
      const texts = Array.from(sections.nameMasks, (_, id) => textAt(names, id));
      const held = texts.flatMap((text, id) =>
        sections.firstCounts[id]! + sections.lastCounts[id]! > 0 ? [{ id, text }] : [],
      );
      for (const { id, text } of held) {
        const name = keys.hashText(text);
        const surnames = [...new Set(lists.ofSurname(id))].sort((a, b) => a - b);
        expect(listOf(keys.ofSurname(name))).toEqual(surnames.map((at) => sections.personIds[at]));
        for (const [group, hashed] of groupHashes.entries()) {
          expect(listOf(keys.ofPair('companyLast', hashed, name))).toEqual(
            idsOf(index, (take) => lists.takeCompanyLast(group, id, take)),
          );
          expect(listOf(keys.ofPair('companyFirst', hashed, name))).toEqual(
            idsOf(index, (take) => lists.takeCompanyFirst(group, id, take)),
          );
        }
        for (const other of held)
          expect(listOf(keys.ofPair('firstLast', name, keys.hashText(other.text)))).toEqual(
            idsOf(index, (take) => lists.takeFirstLast(id, other.id, take)),
          );
      }
      for (const [group, hashed] of groupHashes.entries()) {
        const members = lists.ofGroup(group);
        expect(listOf(keys.ofGroup(hashed))).toEqual([...members].map((at) => at + 1));
        expect(groupPeople[group]).toBe(members.length);
      }
      for (const { email = '' } of rows) {
        const holders = lists.holdersOf('email', email).map((at) => at + 1);
        expect(listOf(keys.ofHolder('email', hashText(email), tagOf(email)))).toEqual(holders);
        const local = localKey(email.slice(0, email.indexOf('@')));
        expect(listOf(keys.ofLocal(local))).toEqual(
          idsOf(index, (take) => lists.takeLocal(local, take)),
        );
      }
    }),
    { numRuns: 4 },
  );
});

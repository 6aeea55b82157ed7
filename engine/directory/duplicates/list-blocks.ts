/**
 * The blocks in which duplicates are searched: records that share an identifier, or an employer and
 * a surname. No other pairs are compared.
 */
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';
import type { MatchIndex } from '../index/index-layout.ts';
import type { Postings } from '../index/index-postings.ts';

/** People who share a key of the match index, by their dense numbers. */
export interface PeopleBlock {
  readonly bucket: number;
  readonly people: readonly number[];
}

const personBits = 24;

/** The blocks of one bucket: entries of 64 bits have a tag, those of 32 bits eight bits of it. */
function* readBucket({ entries }: Postings, from: number, to: number, isTagged: boolean) {
  if (to - from < 2) return;
  const byKey = new Map<number, number[]>();
  for (let at = from; at < to; at++) {
    const entry = entries[isTagged ? at * 2 : at]!;
    const key = isTagged ? entry : entry >>> personBits;
    const person = isTagged ? entries[at * 2 + 1]! : entry & (2 ** personBits - 1);
    const known = byKey.get(key);
    if (!known) byKey.set(key, [person]);
    else if (!known.includes(person)) known.push(person);
  }
  for (const people of byKey.values()) if (people.length > 1) yield people;
}

const indexBlocks = [
  {
    of: ({ sections: s }: MatchIndex): Postings => ({
      offsets: s.emailOffsets,
      entries: s.emailEntries,
    }),
    isTagged: true,
    isByName: false,
  },
  {
    of: ({ sections: s }: MatchIndex): Postings => ({
      offsets: s.urlOffsets,
      entries: s.urlEntries,
    }),
    isTagged: true,
    isByName: false,
  },
  {
    of: ({ sections: s }: MatchIndex): Postings => ({
      offsets: s.phoneOffsets,
      entries: s.phoneEntries,
    }),
    isTagged: true,
    isByName: false,
  },
  {
    of: ({ sections: s }: MatchIndex): Postings => ({
      offsets: s.companyLastOffsets,
      entries: s.companyLastEntries,
    }),
    isTagged: false,
    isByName: true,
  },
] as const;

export const peoplePhases = indexBlocks.length;

export const countBuckets = (index: MatchIndex, phase: number): number =>
  (indexBlocks[phase]?.of(index).offsets.length ?? 1) - 1;

/** The blocks of a kind, from a bucket on. */
export function* listPeopleBlocks(
  index: MatchIndex,
  phase: number,
  fromBucket: number,
): Generator<PeopleBlock> {
  const kind = indexBlocks[phase];
  if (!kind) return;
  const postings = kind.of(index);
  const { offsets } = postings;
  for (let bucket = fromBucket; bucket + 1 < offsets.length; bucket++)
    for (const people of readBucket(
      postings,
      offsets[bucket]!,
      offsets[bucket + 1]!,
      kind.isTagged,
    ))
      yield { bucket, people };
}

/** Whether the names of a block's people decide first: it is a block by employer and surname. */
export const isByName = (phase: number): boolean => indexBlocks[phase]?.isByName ?? false;

const initialOf = ({ sections }: MatchIndex, name: number): number =>
  sections.namePool[sections.nameStarts[name]!] ?? 0;

/** Whether the first names of two people can stand for each other. Most pairs of a block cannot. */
export function canBeOne(index: MatchIndex, one: number, other: number): boolean {
  const { mainNames, nicknameStarts, nicknames } = index.sections;
  const [a, b] = [mainNames[one * 2]!, mainNames[other * 2]!];
  if (initialOf(index, a) === initialOf(index, b)) return true;
  for (let at = nicknameStarts[a]!; at < nicknameStarts[a + 1]!; at++)
    if (nicknames[at]! >>> 1 === b) return true;
  return false;
}

export const companyPhases = ['name_key', 'domain'] as const;
const companyBlocksRead = 500;

/** Keys that several companies have, in order, after a key. */
export const listCompanyKeys = (
  db: ReadableDatabase,
  column: (typeof companyPhases)[number],
  after: string,
): { key: string; count: number }[] =>
  statement<{ key: string; count: number }>(
    db,
    `SELECT ${column} AS key, count(*) AS count FROM company
     WHERE ${column} > ? AND ${column} <> '' GROUP BY ${column} HAVING count(*) > 1
     ORDER BY ${column} LIMIT ${companyBlocksRead}`,
  ).all(after);

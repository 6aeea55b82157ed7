// Members of a set that a search sends with its query, by chunk. They are drawn once, because the
// same ones are left out of every search.
import { addBit, chunkBytes, chunkPeople, chunkShift } from './search-sets.ts';

export interface ChunkMembers {
  readonly chunk: number;
  readonly ids: readonly number[];
  /** The ids as an element of a varbit[] (bitsArray); null if they are few. */
  readonly bits: Buffer | null;
}

/** Ids of a chunk that are sent as they are. A set is faster for more, but has many bits. */
const singleMax = 32;

/** Bytes before the bits: the length of the element, and the number of bits. */
const elementHead = 8;

function drawBits(ids: readonly number[]): Buffer {
  const element = Buffer.alloc(elementHead + chunkBytes);
  element.writeInt32BE(elementHead / 2 + chunkBytes, 0);
  element.writeInt32BE(chunkPeople, elementHead / 2);
  const bits = element.subarray(elementHead);
  for (const id of ids) addBit(bits, id);
  return element;
}

export function splitMembers(ids: readonly number[]): ChunkMembers[] {
  const chunks = new Map<number, number[]>();
  for (const id of ids) {
    const chunk = id >>> chunkShift;
    const known = chunks.get(chunk);
    if (known) known.push(id);
    else chunks.set(chunk, [id]);
  }
  return [...chunks].map(([chunk, own]) => ({
    chunk,
    ids: own,
    bits: own.length > singleMax ? drawBits(own) : null,
  }));
}

/** OID of varbit in every PostgreSQL (pg_type.dat). */
const varbitOid = 1562;

/** varbit[] in binary (array_recv): half of the bytes of digits, and neither side parses. */
export function bitsArray(elements: readonly Buffer[]): Buffer {
  const numbers = elements.length === 0 ? [0, 0, varbitOid] : [1, 0, varbitOid, elements.length, 1];
  const head = Buffer.alloc(numbers.length * 4);
  for (const [at, number] of numbers.entries()) head.writeInt32BE(number, at * 4);
  return Buffer.concat([head, ...elements]);
}

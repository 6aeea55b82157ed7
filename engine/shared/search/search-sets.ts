// Sets of people as rows of search_set: bits in chunks of ids.

/** People of a chunk. The table has it as the length of its column. */
export const chunkPeople = 16_384;
export const chunkBytes = chunkPeople / 8;
/** person_id >> chunkShift is the chunk. */
export const chunkShift = Math.log2(chunkPeople);

/** Adds a person to the bits of their chunk. Bits begin with the highest one of a byte. */
export function addBit(bits: Uint8Array, personId: number): void {
  const at = personId % chunkPeople;
  bits[at >>> 3]! |= 0x80 >>> (at & 7);
}

export function listPeople(chunk: number, bits: Uint8Array): number[] {
  const people: number[] = [];
  for (let at = 0; at < chunkBytes; at++)
    for (let byte = bits[at]!; byte !== 0; ) {
      const lead = Math.clz32(byte) - 24;
      people.push(chunk * chunkPeople + at * 8 + lead);
      byte &= ~(0x80 >>> lead);
    }
  return people;
}

/** A set of one person as SQL. @param person an expression of their id */
export const maskSql = (person: string): string =>
  `set_bit(B'0'::bit(${chunkPeople}), ${person} & ${chunkPeople - 1}, 1)`;

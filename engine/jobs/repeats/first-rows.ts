/**
 * The first row of each person of a running job: a hash table with 12 bytes a slot. It is filled
 * from the committed results when the job starts or continues, and after each committed batch.
 */
import { hashText } from '../../platform/hash-text.ts';

/** The first rows. */
export interface FirstRows {
  /** Rows that may be the first of a person. Two people may share a hash: compare their ids. */
  find(personUuid: string): number[];
  add(personUuid: string, rowIndex: number): void;
}

const slotsMin = 1_024;
/** Free slots keep the searches short. */
const loadMax = 2 / 3;

/** Creates an empty table, which grows with its entries. */
export function createFirstRows(): FirstRows {
  let hashes = new Float64Array(slotsMin);
  let rows = new Int32Array(slotsMin);
  let count = 0;
  const put = (hash: number, row: number) => {
    let at = hash % hashes.length;
    while (hashes[at] !== 0) at = (at + 1) % hashes.length;
    hashes[at] = hash;
    rows[at] = row;
  };
  const grow = () => {
    const [oldHashes, oldRows] = [hashes, rows];
    hashes = new Float64Array(oldHashes.length * 2);
    rows = new Int32Array(hashes.length);
    for (const [at, hash] of oldHashes.entries()) if (hash !== 0) put(hash, oldRows[at] ?? 0);
  };
  return {
    find(personUuid) {
      const hash = hashText(personUuid);
      const found: number[] = [];
      for (let at = hash % hashes.length; hashes[at] !== 0; at = (at + 1) % hashes.length)
        if (hashes[at] === hash) found.push(rows[at] ?? 0);
      return found;
    },
    add(personUuid, rowIndex) {
      if (count + 1 > hashes.length * loadMax) grow();
      put(hashText(personUuid), rowIndex);
      count += 1;
    },
  };
}

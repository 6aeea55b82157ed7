// The first row of each person of a running job: a hash table with 12 bytes a slot. It is filled
// from the committed results when the job starts or continues, and after each committed batch.
import { hashText } from '../../platform/hash-text.ts';

export interface FirstRows {
  /** Rows that may be the first of a person. Two people may share a hash: compare their ids. */
  find(personUuid: string): number[];
  add(personUuid: string, rowIndex: number): void;
}

const slotsMin = 1_024;
/** Free slots keep the searches short. */
const loadMax = 2 / 3;

export function createFirstRows(): FirstRows {
  let hashes = new Float64Array(slotsMin);
  let rows = new Int32Array(slotsMin);
  let count = 0;
  // The number of slots is a power of two. Integers are several times as fast as `%` here.
  const slotOf = (hash: number) => (hash >>> 0) & (hashes.length - 1);
  const next = (at: number) => (at + 1) & (hashes.length - 1);
  const put = (hash: number, row: number) => {
    let at = slotOf(hash);
    while (hashes[at] !== 0) at = next(at);
    hashes[at] = hash;
    rows[at] = row;
  };
  const grow = () => {
    const [oldHashes, oldRows] = [hashes, rows];
    hashes = new Float64Array(oldHashes.length * 2);
    rows = new Int32Array(hashes.length);
    for (let at = 0; at < oldHashes.length; at += 1) {
      const hash = oldHashes[at] ?? 0;
      if (hash !== 0) put(hash, oldRows[at] ?? 0);
    }
  };
  return {
    find(personUuid) {
      const hash = hashText(personUuid);
      const found: number[] = [];
      for (let at = slotOf(hash); hashes[at] !== 0; at = next(at))
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

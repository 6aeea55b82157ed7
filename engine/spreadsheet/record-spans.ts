// Finds cells in the bytes of canonical records without making their texts.

const lineFeed = 10;
const quote = 34;
const comma = 44;

/** The cells of some columns of a block of records. It is read again for each block. */
export interface RecordSpans {
  /**
   * Finds the cells of complete records (as parseRecords). Returns the number of records.
   * @param bytes must not change while its texts are read
   * @param columns those whose cells are found, each once
   */
  read(bytes: Uint8Array, columns: readonly number[]): number;
  /** Where a cell begins and ends: at `(record * columns + place) * 2`; both 0 if it is missing. */
  spans(): Uint32Array;
  /** The text of a cell. @param place position of its column among the columns */
  text(record: number, place: number): string;
}

export function createRecordSpans(): RecordSpans {
  let width = 0;
  /** The place of each column; -1 of one that is not read. */
  let placeOf = new Int32Array(0);
  let spans = new Uint32Array(1 << 14);
  let buffer: Buffer = Buffer.alloc(0);
  /** The bytes as Latin-1, of which each character is one byte; null until first used. */
  let whole: string | null = null;

  /** Finds the cells of the record from `start` on, into the spans from `base` on. */
  function readRecord(bytes: Uint8Array, start: number, base: number): number {
    for (let at = base; at < base + width; at++) spans[at] = 0;
    let [at, from, column, isQuoted] = [start, start, 0, 0];
    for (;;) {
      const code = at < bytes.length ? bytes[at]! : lineFeed;
      if (code === comma || code === lineFeed) {
        const place = column < placeOf.length ? placeOf[column]! : -1;
        if (place >= 0) {
          spans[base + place * 2] = from + isQuoted;
          spans[base + place * 2 + 1] = at - isQuoted;
        }
        at++;
        if (code === lineFeed) return at;
        column++;
        from = at;
        isQuoted = 0;
      } else if (code === quote && at === from) {
        // A doubled quote closes and opens at once.
        for (at++; at < bytes.length; at++) if (bytes[at] === quote && bytes[++at] !== quote) break;
        isQuoted = 1;
      } else at++;
    }
  }

  return {
    read(bytes, columns) {
      width = columns.length * 2;
      placeOf = new Int32Array(Math.max(-1, ...columns) + 1).fill(-1);
      for (const [place, column] of columns.entries()) placeOf[column] = place;
      buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      whole = null;
      let count = 0;
      for (let at = 0; at < bytes.length; count++) {
        if (width * (count + 1) > spans.length) {
          const longer = new Uint32Array(spans.length * 2);
          longer.set(spans);
          spans = longer;
        }
        at = readRecord(bytes, at, count * width);
      }
      return count;
    },
    spans: () => spans,
    text(record, place) {
      const [from, to] = [
        spans[record * width + place * 2]!,
        spans[record * width + place * 2 + 1]!,
      ];
      if (from === to) return '';
      whole ??= buffer.toString('latin1');
      let highest = 0;
      for (let at = from; at < to; at++) highest |= buffer[at]!;
      const text = highest < 128 ? whole.slice(from, to) : buffer.toString('utf8', from, to);
      return text.includes('"') ? text.replaceAll('""', '"') : text;
    },
  };
}

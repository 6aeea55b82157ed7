// Packs texts and numbers of many rows into two values, which cross threads at almost no cost.

/** Rows as one text, and the numbers that separate its pieces. */
export interface PackedRows {
  readonly text: string;
  readonly numbers: Uint32Array<ArrayBuffer>;
}

export interface RowPacker {
  text(value: string): void;
  /** A whole number from 0 to 2^32 - 1. */
  number(value: number): void;
  /** Returns everything since the last call, and starts over. */
  finish(): PackedRows;
}

export interface RowUnpacker {
  text(): string;
  number(): number;
}

export function createRowPacker(): RowPacker {
  let numbers = new Uint32Array(65_536);
  let count = 0;
  let pieces: string[] = [];
  const add = (value: number) => {
    if (count === numbers.length) {
      const longer = new Uint32Array(numbers.length * 2);
      longer.set(numbers);
      numbers = longer;
    }
    numbers[count++] = value;
  };
  return {
    text(value) {
      add(value.length);
      if (value !== '') pieces.push(value);
    },
    number: add,
    finish() {
      const packed = { text: pieces.join(''), numbers: numbers.slice(0, count) };
      pieces = [];
      count = 0;
      return packed;
    },
  };
}

/** A returned text may share memory with the whole; store it only as a copy (copyText). */
export function createRowUnpacker({ text, numbers }: PackedRows): RowUnpacker {
  let at = 0;
  let next = 0;
  return {
    text() {
      const length = numbers[next++] ?? 0;
      if (length === 0) return '';
      at += length;
      return text.slice(at - length, at);
    },
    number: () => numbers[next++] ?? 0,
  };
}

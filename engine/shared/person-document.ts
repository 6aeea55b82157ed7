// What matching knows of a person, as bytes: the forms of the name, its words, employments. Names
// are numbers of match_name, so that a document holds no text, and no email, URL or phone.

export interface PersonDocument {
  /** Bits of personFlags. The first byte of a document: suppression changes it in place. */
  flags: number;
  generation: number;
  /** Functions of titles, as in the index. */
  titles: number;
  /** Name number of the middle name + 1; 0 if unknown. */
  middle: number;
  mainFirst: number;
  mainLast: number;
  /** First name; last name * 4 + kind of formKinds. */
  forms: number[];
  /** Name number * 16 + kind of factKinds. */
  facts: number[];
  /** company.id, or 0 if unknown; bits of jobFlags. */
  jobs: number[];
}

export const emptyDocument = (): PersonDocument => ({
  flags: 0,
  generation: 0,
  titles: 0,
  middle: 0,
  mainFirst: 0,
  mainLast: 0,
  forms: [],
  facts: [],
  jobs: [],
});

/** Bytes that grow. */
export interface ByteWriter {
  byte(value: number): void;
  /** A number below 2 ** 48, seven bits in each byte, the lowest first. */
  number(value: number): void;
  /** The bytes so far, as a copy; the writer is empty afterwards. */
  take(): Buffer;
}

export function createByteWriter(): ByteWriter {
  let bytes = Buffer.allocUnsafe(1 << 10);
  let length = 0;
  const byte = (value: number): void => {
    if (length === bytes.length) bytes = Buffer.concat([bytes, Buffer.allocUnsafe(length)]);
    bytes[length++] = value;
  };
  return {
    byte,
    number(value) {
      let rest = value;
      for (; rest > 127; rest = Math.floor(rest / 128)) byte((rest & 127) | 128);
      byte(rest);
    },
    take() {
      const taken = Buffer.from(bytes.subarray(0, length));
      length = 0;
      return taken;
    },
  };
}

/** One number with the titles: an older version reads its lowest byte as the generation. */
const generationEnd = 256;

export function writeDocument(into: ByteWriter, document: PersonDocument): void {
  const { flags, generation, titles, middle, mainFirst, mainLast, forms, facts, jobs } = document;
  into.byte(flags);
  const generationAndTitles = generation + titles * generationEnd;
  for (const value of [generationAndTitles, middle, mainFirst, mainLast]) into.number(value);
  for (const list of [forms, facts, jobs]) {
    into.number(list.length);
    for (const value of list) into.number(value);
  }
}

export interface ByteReader {
  byte(): number;
  number(): number;
  readonly isEnd: boolean;
}

/** Reads bytes from their start. */
export function createByteReader(bytes: Uint8Array): ByteReader {
  let at = 0;
  return {
    byte: () => bytes[at++]!,
    number() {
      let byte = bytes[at++]!;
      if (byte < 128) return byte;
      let value = byte & 127;
      for (let scale = 128; ; scale *= 128) {
        byte = bytes[at++]!;
        value += (byte & 127) * scale;
        if (byte < 128) return value;
      }
    },
    get isEnd() {
      return at >= bytes.length;
    },
  };
}

/** Writes how many surnames there are, and each as a fact (name number * 16 + factKinds). */
export function writeSurnames(into: ByteWriter, facts: readonly number[]): void {
  into.number(facts.length);
  for (const fact of facts) into.number(fact);
}

export interface DocumentReader {
  /** Reads the next one; its lists are those of the next call too. */
  read(): PersonDocument;
  readonly isEnd: boolean;
}

/** @param bytes whole documents */
export function readDocuments(bytes: Uint8Array): DocumentReader {
  const reader = createByteReader(bytes);
  const { number } = reader;
  const document = emptyDocument();
  const list = (into: number[]): void => {
    into.length = number();
    for (let entry = 0; entry < into.length; entry++) into[entry] = number();
  };
  return {
    read() {
      document.flags = reader.byte();
      const generationAndTitles = number();
      document.generation = generationAndTitles % generationEnd;
      document.titles = Math.floor(generationAndTitles / generationEnd);
      document.middle = number();
      document.mainFirst = number();
      document.mainLast = number();
      list(document.forms);
      list(document.facts);
      list(document.jobs);
      return document;
    },
    get isEnd() {
      return reader.isEnd;
    },
  };
}

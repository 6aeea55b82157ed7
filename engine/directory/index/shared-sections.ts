/** The layout of every index: typed-array sections after one header in one SharedArrayBuffer. */
const makers = {
  u8: Uint8Array,
  u16: Uint16Array,
  u32: Uint32Array,
  i32: Int32Array,
  f32: Float32Array,
} as const;
interface Arrays {
  readonly u8: Uint8Array;
  readonly u16: Uint16Array;
  readonly u32: Uint32Array;
  readonly i32: Int32Array;
  readonly f32: Float32Array;
}
type Kinds = Readonly<Record<string, keyof typeof makers>>;

export type SectionsOf<K extends Kinds> = { readonly [Name in keyof K]: Arrays[K[Name]] };
export type SectionLengths<K extends Kinds> = Readonly<Record<keyof K, number>>;

/** What identifies a kind of index, and its sections in the order of the file. */
export interface SectionsFormat<K extends Kinds> {
  readonly magic: number;
  /** Must be raised whenever the sections or their content change. */
  readonly version: number;
  readonly kinds: K;
}

/** A format whose sections do not matter. */
export type AnyFormat = SectionsFormat<Kinds>;

export interface OpenedSections<K extends Kinds> {
  readonly generation: number;
  readonly count: number;
  view<Name extends keyof K>(name: Name): SectionsOf<K>[Name];
}

const headerFields = 8;
const namesOf = ({ kinds }: AnyFormat) => Object.keys(kinds);
const headerBytesOf = (sectionsCount: number) => (headerFields + sectionsCount * 2) * 4;
const alignBytes = (bytes: number) => Math.ceil(bytes / 8) * 8;

export function allocateSections<K extends Kinds>(
  format: SectionsFormat<K>,
  generation: number,
  count: number,
  lengths: SectionLengths<K>,
): SharedArrayBuffer {
  const names = namesOf(format);
  const headerBytes = headerBytesOf(names.length);
  let bytes = alignBytes(headerBytes);
  const places: number[] = [];
  for (const name of names) {
    places.push(bytes, lengths[name]!);
    bytes += alignBytes(lengths[name]! * makers[format.kinds[name]!].BYTES_PER_ELEMENT);
  }
  const buffer = new SharedArrayBuffer(bytes);
  const header = new Uint32Array(buffer, 0, headerBytes / 4);
  header.set([format.magic, format.version, generation, count, bytes, names.length]);
  header.set(places, headerFields);
  return buffer;
}

export function hasFormat(format: AnyFormat, buffer: SharedArrayBuffer): boolean {
  const sectionsCount = namesOf(format).length;
  if (buffer.byteLength < headerBytesOf(sectionsCount)) return false;
  const header = new Uint32Array(buffer, 0, headerFields);
  return (
    header[0] === format.magic &&
    header[1] === format.version &&
    header[4] === buffer.byteLength &&
    header[5] === sectionsCount
  );
}

/** Opens a shared buffer without copying it. Throws if the buffer is not of the format. */
export function openSections<K extends Kinds>(
  format: SectionsFormat<K>,
  buffer: SharedArrayBuffer,
): OpenedSections<K> {
  if (!hasFormat(format, buffer)) throw new Error('not an index of this kind and version');
  const names = namesOf(format);
  const header = new Uint32Array(buffer, 0, headerBytesOf(names.length) / 4);
  return {
    generation: header[2]!,
    count: header[3]!,
    view(name) {
      const at = headerFields + names.indexOf(String(name)) * 2;
      const Maker: new (buffer: SharedArrayBuffer, start: number, length: number) => unknown =
        makers[format.kinds[name]!];
      return new Maker(buffer, header[at]!, header[at + 1]!) as SectionsOf<K>[typeof name];
    },
  };
}

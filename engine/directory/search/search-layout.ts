// The layout of the search index: views of one shared buffer.
import { openSections, type SectionsFormat } from '../index/shared-sections.ts';
import { type SearchField, searchFields } from './search-keys.ts';
import type { MemberLists } from './search-members.ts';
import type { TextPool } from './search-texts.ts';

const fieldParts = {
  /** The keys of the values, ascending. */
  KeyStarts: 'u32',
  KeyPool: 'u16',
  /** The displayed values in key order; none for fields that are searched by words. */
  NameStarts: 'u32',
  NamePool: 'u16',
  /** The people, or the companies, with the value. */
  MemberStarts: 'u32',
  MemberEntries: 'u32',
} as const;
const rowParts = {
  /** person.id of each searchable person, ascending; company.id of each company likewise. */
  personIds: 'u32',
  companyIds: 'u32',
  /** People by the company of the employment that represents them. */
  companyPeopleStarts: 'u32',
  companyPeople: 'u32',
  /** Number of people by their import and the day of their newest value (since 1970). */
  originImports: 'u32',
  originDays: 'u32',
  originCounts: 'u32',
} as const;

type Parts = typeof fieldParts;
type FieldKinds = {
  readonly [Part in keyof Parts as `${SearchField}${Part}`]: Parts[Part];
};
type SectionKinds = typeof rowParts & FieldKinds;

const fieldKinds = Object.fromEntries(
  searchFields.flatMap((field) =>
    Object.entries(fieldParts).map(([part, kind]) => [`${field}${part}`, kind]),
  ),
) as unknown as FieldKinds;

/** Raise the version when the sections, or the keys in them, change. */
export const searchIndexFormat: SectionsFormat<SectionKinds> = {
  magic: 0x52434553,
  version: 2,
  kinds: { ...rowParts, ...fieldKinds },
};

/** A field of the index: its values in key order. */
export interface SearchValues {
  readonly keys: TextPool;
  readonly names: TextPool;
  readonly members: MemberLists;
}

export interface PeopleOrigins {
  readonly imports: Uint32Array;
  /** Days since 1970. */
  readonly days: Uint32Array;
  readonly counts: Uint32Array;
}

/**
 * The search index. Suppressed people are not in it. People and companies are numbered densely in
 * id order; the name of a field says which of them its members are.
 */
export interface SearchIndex {
  readonly buffer: SharedArrayBuffer;
  readonly generation: number;
  readonly personIds: Uint32Array;
  readonly companyIds: Uint32Array;
  readonly companyPeople: MemberLists;
  readonly origins: PeopleOrigins;
  readonly fields: Readonly<Record<SearchField, SearchValues>>;
}

/** Opens a search index. Throws if the buffer does not have one of this version. */
export function openSearchIndex(buffer: SharedArrayBuffer): SearchIndex {
  const { generation, view } = openSections(searchIndexFormat, buffer);
  const openField = (field: SearchField): SearchValues => ({
    keys: { starts: view(`${field}KeyStarts`), pool: view(`${field}KeyPool`) },
    names: { starts: view(`${field}NameStarts`), pool: view(`${field}NamePool`) },
    members: { starts: view(`${field}MemberStarts`), entries: view(`${field}MemberEntries`) },
  });
  return {
    buffer,
    generation,
    personIds: view('personIds'),
    companyIds: view('companyIds'),
    companyPeople: { starts: view('companyPeopleStarts'), entries: view('companyPeople') },
    origins: {
      imports: view('originImports'),
      days: view('originDays'),
      counts: view('originCounts'),
    },
    fields: Object.fromEntries(
      searchFields.map((field) => [field, openField(field)]),
    ) as SearchIndex['fields'],
  };
}

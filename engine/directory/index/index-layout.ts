// The layout of an index: typed-array sections after one header, in one SharedArrayBuffer.
import type { Dictionary, Keys } from './index-dictionary.ts';
import type { Postings } from './index-postings.ts';
import { createPeopleLists, type PeopleLists } from './people-lists.ts';
import {
  allocateSections,
  openSections,
  type SectionLengths,
  type SectionsFormat,
  type SectionsOf,
} from './shared-sections.ts';

/** Sections in the order of the file. A change requires a new version of matchIndexFormat. */
const sectionKinds = {
  /** person.id of each person; people are numbered densely in the index. */
  personIds: 'u32',
  /** Bits of personFlags. */
  personFlags: 'u8',
  personGenerations: 'u8',
  /** Name number + 1 of the middle name; 0 if unknown. */
  personMiddles: 'u32',
  /** Up to four functions of a person's titles, a byte each (title-functions.ts); 0 if unknown. */
  personTitles: 'u32',
  /** A person's main name: first name; last name * 2, plus 1 if it has other forms. */
  mainNames: 'u32',
  /** The other forms by person: first name; last name * 4 + kind. */
  formStarts: 'u32',
  formNames: 'u32',
  /** Employments by person: (number of the company + 1, or 0 if unknown) * 4 + bits of jobFlags. */
  jobStarts: 'u32',
  jobs: 'u32',
  companyIds: 'u32',
  companyGroups: 'u32',
  groupTokenStarts: 'u32',
  groupTokens: 'u32',
  groupCompanyStarts: 'u32',
  groupCompanies: 'u32',
  nameSlots: 'u32',
  nameStarts: 'u32',
  namePool: 'u16',
  nameMasks: 'i32',
  firstCounts: 'u32',
  lastCounts: 'u32',
  /** Equivalents of a name: number * 2, plus 1 for a sibling. */
  nicknameStarts: 'u32',
  nicknames: 'u32',
  keySlots: 'u32',
  /** Groups of a company key: group * 4 + kind of the key. */
  keyGroupStarts: 'u32',
  keyGroups: 'u32',
  tokenSlots: 'u32',
  tokenStarts: 'u32',
  tokenPool: 'u16',
  tokenMasks: 'i32',
  /** The weight of a word, which is higher for a rarer one; and all words of a group. */
  tokenWeights: 'f32',
  groupWeights: 'f32',
  tokenGroupStarts: 'u32',
  tokenGroups: 'u32',
  domainSlots: 'u32',
  domainGroupStarts: 'u32',
  domainGroups: 'u32',
  urlOffsets: 'u32',
  urlEntries: 'u32',
  emailOffsets: 'u32',
  emailEntries: 'u32',
  companyLastOffsets: 'u32',
  companyLastEntries: 'u32',
  companyFirstOffsets: 'u32',
  companyFirstEntries: 'u32',
  firstLastOffsets: 'u32',
  firstLastEntries: 'u32',
  /** Words of a person's names: name number * 16 + kind of factKinds. */
  factStarts: 'u32',
  facts: 'u32',
  /** People by name number of a surname, of its core or of a part. */
  lastPeopleStarts: 'u32',
  lastPeople: 'u32',
  nameGramStarts: 'u32',
  nameGrams: 'u32',
  phoneticOffsets: 'u32',
  phoneticEntries: 'u32',
  /** Everyone who works or worked for a group of companies. */
  groupPeopleStarts: 'u32',
  groupPeople: 'u32',
  /** People by the local part of an email, and by phone, entries of 64 bits. */
  localOffsets: 'u32',
  localEntries: 'u32',
  phoneOffsets: 'u32',
  phoneEntries: 'u32',
  orgWordSlots: 'u32',
  orgWordStarts: 'u32',
  orgWordPool: 'u16',
  orgWordWeights: 'f32',
  orgSortedWords: 'u32',
  orgEntryGroups: 'u32',
  orgEntryStarts: 'u32',
  orgEntryWords: 'u32',
  orgWordEntryStarts: 'u32',
  orgWordEntries: 'u32',
  orgGramStarts: 'u32',
  orgGrams: 'u32',
  /** Words of the city and the state of a group. */
  orgPlaceStarts: 'u32',
  orgPlaces: 'u32',
  /** Groups by acronym and by joined words, entries of 64 bits. */
  orgKeyOffsets: 'u32',
  orgKeyEntries: 'u32',
} as const;

export type SectionName = keyof typeof sectionKinds;
export type Sections = SectionsOf<typeof sectionKinds>;

export const personFlags = {
  suppressed: 1,
  hasCurrentJob: 2,
  hasEmail: 4,
  hasMemberPage: 8,
  hasPhone: 16,
} as const;
export const jobFlags = { current: 1, primary: 2 } as const;
/** The origin of a form of a name, the most certain first. */
export const formKinds = { main: 0, other: 1, derived: 2, peerage: 3 } as const;
/**
 * The role of a word in a person's names. The core and the parts of a surname follow it if they
 * differ from it; `spelled` words occur only in an address of the person.
 */
export const factKinds = {
  first: 0,
  given: 1,
  otherGiven: 2,
  middle: 3,
  spelled: 4,
  last: 5,
  formerLast: 6,
  aliasLast: 7,
  lastCore: 8,
  lastPart: 9,
  peerage: 10,
} as const;
/** The origin of a company key, the most certain first. */
export const keyKinds = { name: 0, reading: 1, acronym: 2 } as const;

export interface MatchIndex {
  readonly buffer: SharedArrayBuffer;
  readonly generation: number;
  readonly peopleCount: number;
  readonly sections: Sections;
  readonly names: Dictionary;
  readonly companyKeys: Keys;
  readonly tokens: Dictionary;
  readonly domains: Keys;
  /** Surnames by phonetic key, entries of 32 bits. */
  readonly phonetics: Postings;
  readonly orgKeys: Postings;
  readonly orgWords: Dictionary;
  readonly people: PeopleLists;
}

/** Must be raised whenever the sections or the normalisation of their content change. */
export const matchIndexFormat: SectionsFormat<typeof sectionKinds> = {
  magic: 0x58444e49,
  version: 19,
  kinds: sectionKinds,
};

/** Allocates every section, zeroed. @param lengths entries of each section */
export const allocateIndex = (
  generation: number,
  lengths: SectionLengths<typeof sectionKinds>,
): MatchIndex =>
  openIndex(allocateSections(matchIndexFormat, generation, lengths.personIds, lengths));

const dictionaryOf = (slots: Uint32Array, starts: Uint32Array, pool: Uint16Array): Dictionary => ({
  slots,
  starts,
  pool,
});

type View = <Name extends SectionName>(name: Name) => Sections[Name];

function viewGraded(view: View) {
  return {
    factStarts: view('factStarts'),
    facts: view('facts'),
    lastPeopleStarts: view('lastPeopleStarts'),
    lastPeople: view('lastPeople'),
    nameGramStarts: view('nameGramStarts'),
    nameGrams: view('nameGrams'),
    phoneticOffsets: view('phoneticOffsets'),
    phoneticEntries: view('phoneticEntries'),
    groupPeopleStarts: view('groupPeopleStarts'),
    groupPeople: view('groupPeople'),
    localOffsets: view('localOffsets'),
    localEntries: view('localEntries'),
    phoneOffsets: view('phoneOffsets'),
    phoneEntries: view('phoneEntries'),
    orgWordSlots: view('orgWordSlots'),
    orgWordStarts: view('orgWordStarts'),
    orgWordPool: view('orgWordPool'),
    orgWordWeights: view('orgWordWeights'),
    orgSortedWords: view('orgSortedWords'),
    orgEntryGroups: view('orgEntryGroups'),
    orgEntryStarts: view('orgEntryStarts'),
    orgEntryWords: view('orgEntryWords'),
    orgWordEntryStarts: view('orgWordEntryStarts'),
    orgWordEntries: view('orgWordEntries'),
    orgGramStarts: view('orgGramStarts'),
    orgGrams: view('orgGrams'),
    orgPlaceStarts: view('orgPlaceStarts'),
    orgPlaces: view('orgPlaces'),
    orgKeyOffsets: view('orgKeyOffsets'),
    orgKeyEntries: view('orgKeyEntries'),
  };
}

/** They are listed: reading an object with computed names is many times slower. */
function viewSections(view: View): Sections {
  return {
    personIds: view('personIds'),
    personFlags: view('personFlags'),
    personGenerations: view('personGenerations'),
    personMiddles: view('personMiddles'),
    personTitles: view('personTitles'),
    mainNames: view('mainNames'),
    formStarts: view('formStarts'),
    formNames: view('formNames'),
    jobStarts: view('jobStarts'),
    jobs: view('jobs'),
    companyIds: view('companyIds'),
    companyGroups: view('companyGroups'),
    groupTokenStarts: view('groupTokenStarts'),
    groupTokens: view('groupTokens'),
    groupCompanyStarts: view('groupCompanyStarts'),
    groupCompanies: view('groupCompanies'),
    nameSlots: view('nameSlots'),
    nameStarts: view('nameStarts'),
    namePool: view('namePool'),
    nameMasks: view('nameMasks'),
    firstCounts: view('firstCounts'),
    lastCounts: view('lastCounts'),
    nicknameStarts: view('nicknameStarts'),
    nicknames: view('nicknames'),
    keySlots: view('keySlots'),
    keyGroupStarts: view('keyGroupStarts'),
    keyGroups: view('keyGroups'),
    tokenSlots: view('tokenSlots'),
    tokenStarts: view('tokenStarts'),
    tokenPool: view('tokenPool'),
    tokenMasks: view('tokenMasks'),
    tokenWeights: view('tokenWeights'),
    groupWeights: view('groupWeights'),
    tokenGroupStarts: view('tokenGroupStarts'),
    tokenGroups: view('tokenGroups'),
    domainSlots: view('domainSlots'),
    domainGroupStarts: view('domainGroupStarts'),
    domainGroups: view('domainGroups'),
    urlOffsets: view('urlOffsets'),
    urlEntries: view('urlEntries'),
    emailOffsets: view('emailOffsets'),
    emailEntries: view('emailEntries'),
    companyLastOffsets: view('companyLastOffsets'),
    companyLastEntries: view('companyLastEntries'),
    companyFirstOffsets: view('companyFirstOffsets'),
    companyFirstEntries: view('companyFirstEntries'),
    firstLastOffsets: view('firstLastOffsets'),
    firstLastEntries: view('firstLastEntries'),
    ...viewGraded(view),
  };
}

/** Views of an index in a shared buffer, without copying. Throws if the buffer has no index. */
export function openIndex(buffer: SharedArrayBuffer): MatchIndex {
  const { generation, count, view } = openSections(matchIndexFormat, buffer);
  const s = viewSections(view);
  return {
    buffer,
    generation,
    peopleCount: count,
    sections: s,
    names: dictionaryOf(s.nameSlots, s.nameStarts, s.namePool),
    companyKeys: { slots: s.keySlots },
    tokens: dictionaryOf(s.tokenSlots, s.tokenStarts, s.tokenPool),
    domains: { slots: s.domainSlots },
    phonetics: { offsets: s.phoneticOffsets, entries: s.phoneticEntries },
    orgKeys: { offsets: s.orgKeyOffsets, entries: s.orgKeyEntries },
    orgWords: dictionaryOf(s.orgWordSlots, s.orgWordStarts, s.orgWordPool),
    people: createPeopleLists(s, {
      urls: { offsets: s.urlOffsets, entries: s.urlEntries },
      emails: { offsets: s.emailOffsets, entries: s.emailEntries },
      phones: { offsets: s.phoneOffsets, entries: s.phoneEntries },
      companyLasts: { offsets: s.companyLastOffsets, entries: s.companyLastEntries },
      companyFirsts: { offsets: s.companyFirstOffsets, entries: s.companyFirstEntries },
      firstLasts: { offsets: s.firstLastOffsets, entries: s.firstLastEntries },
      locals: { offsets: s.localOffsets, entries: s.localEntries },
    }),
  };
}

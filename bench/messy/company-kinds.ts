// Kinds of dirt in lists of companies: name, place and domain.
import { join } from 'node:path';
import { organisationTokens } from '../../engine/directory/normalize/messy/organisation-tokens.ts';
import { isKindWord } from '../../engine/directory/normalize/messy/organisation-words.ts';
import { resourcesDir } from '../../engine/platform/paths.ts';
import type { Draws } from '../generate-draws.ts';
import {
  decodeWrongly,
  dropLetter,
  misreadLetter,
  slipInWord,
  slipOnce,
  writeAsHeard,
} from './letters.ts';
import {
  abbreviate,
  changeFrequentWord,
  cutAtWidth,
  dropSite,
  dropSmallWords,
  dropTail,
  reorder,
  shortenState,
  spellState,
  toAcronym,
  translate,
} from './organisation-words.ts';
import { type Company, readCsv } from './sample-people.ts';

/** Columns of a messy list of companies. */
export const companyCellNames = ['company_name', 'domain', 'city', 'state'] as const;
/** The cells of a company's row, '' if empty. */
export type CompanyCells = Record<(typeof companyCellNames)[number], string>;

/** A row of a company under construction. */
export interface CompanyDraft {
  readonly company: Company;
  readonly cells: CompanyCells;
  /** Other names that the directory has, and those that it lacks. */
  readonly aliases: { readonly held: readonly string[]; readonly unknown: readonly string[] };
}

/** The subject of a kind. A row has at most one kind of each group, applied in this order. */
export const companyGroups = ['identity', 'words', 'form', 'letters', 'place', 'text'] as const;
type CompanyGroup = (typeof companyGroups)[number];

/** One kind of dirt in a company's row. */
export interface CompanyKind {
  readonly name: string;
  readonly group: CompanyGroup;
  readonly does: string;
  readonly weight: number;
  /** Cells that it may change. */
  readonly changes: readonly (keyof CompanyCells)[];
  apply(draft: CompanyDraft, draws: Draws): void;
}

const changeName =
  (group: CompanyGroup) =>
  (
    name: string,
    weight: number,
    does: string,
    change: (name: string, draws: Draws, draft: CompanyDraft) => string,
  ): CompanyKind => ({
    name,
    group,
    does,
    weight,
    changes: ['company_name'],
    apply(draft, draws) {
      const { cells } = draft;
      if (cells.company_name !== '') cells.company_name = change(cells.company_name, draws, draft);
    },
  });
const identity = changeName('identity');
const words = changeName('words');
const form = changeName('form');
const letters = changeName('letters');
const text = changeName('text');

const place = (
  name: string,
  weight: number,
  does: string,
  changes: CompanyKind['changes'],
  apply: (cells: CompanyCells, draws: Draws, draft: CompanyDraft) => void,
): CompanyKind => ({
  name,
  group: 'place',
  does,
  weight,
  changes,
  apply: (draft, draws) => apply(draft.cells, draws, draft),
});

/** A legal form at the end of a company's name. */
export const legalForm =
  /,? (?:inc|incorporated|corp|corporation|co|company|ltd|limited|llc|plc|l\.?p|n\.?v|s\.?a|holdings|group)\.?(?: \/\w+\/?)?$/i;
/** Ways to write a legal form, by the standard form. */
const waysByForm: ReadonlyMap<string, readonly string[]> = new Map(
  [
    ...Map.groupBy(
      readCsv(join(resourcesDir(), 'reference', 'legal_forms.csv')),
      (row) => row.form!,
    ),
  ].map(([form, rows]) => [form, rows.map((row) => row.alias!)]),
);
const standardForms: Readonly<Record<string, string>> = {
  incorporated: 'inc',
  limited: 'ltd',
  'l.p': 'lp',
  'n.v': 'nv',
  's.a': 'sa',
};
const capitalize = (text: string): string =>
  text.replace(/\p{L}+/gu, (word) => word.slice(0, 1).toUpperCase() + word.slice(1));

/** The same legal form written in another way, after the name or before it. */
function spellForm(name: string, draws: Draws): string {
  const [found = ''] = legalForm.exec(name) ?? [];
  const plain = found.toLowerCase().replace(/^,? |\.$/g, '');
  const ways = waysByForm.get(standardForms[plain] ?? plain);
  if (found === '' || ways === undefined) return name;
  const bare = name.replace(legalForm, '');
  const way = draws.isHit(0.5) ? capitalize(draws.pick(ways)) : draws.pick(ways).toUpperCase();
  return draws.isHit(0.3) ? `${way} ${bare}` : `${bare} ${way}`;
}

const unitsBefore = [
  'Department of',
  'Dept. of',
  'School of',
  'Faculty of',
  'Division of',
  'Center for',
  'Institute of',
  'Laboratory of',
  'Office of',
  'Chair of',
  'Institut für',
  'Departamento de',
  'Dipartimento di',
  'Faculté de',
];
const fields = [
  'Physics',
  'Finance',
  'Surgery',
  'Public Health',
  'Computer Science',
  'Operations',
  'Mechanical Engineering',
  'Chemistry',
  'Economics',
  'Internal Medicine',
  'Law',
  'Student Affairs',
];
const functions = ['Finance', 'IT', 'HR', 'Marketing', 'Legal', 'Sales', 'Procurement', 'Research'];
const drawUnit = (draws: Draws): string =>
  draws.isHit(0.75)
    ? `${draws.pick(unitsBefore)} ${draws.pick(fields)}`
    : `${draws.pick(fields)} ${draws.pick(['Department', 'Dept.', 'Division'])}`;
const streets = [
  'Main Street',
  'Park Ave',
  'Oak Road',
  'Market St',
  'University Drive',
  'P.O. Box',
];

/** The name among the parts of an affiliation or of an address. */
function affiliate({ cells, company }: CompanyDraft, draws: Draws): void {
  const { city, state } = company;
  const units = [drawUnit(draws), draws.isHit(0.4) ? drawUnit(draws) : ''];
  const hasUnits = draws.isHit(0.6);
  const isUnitBehind = draws.isHit(0.25);
  const number = 10 + draws.below(9_000);
  const after = [
    draws.isHit(0.3) ? `${number} ${draws.pick(streets)}` : '',
    city,
    draws.isHit(0.3) ? `${state} ${10_000 + draws.below(89_999)}` : state,
    draws.pick(['USA', 'United States', 'U.S.A.', '', '']),
  ];
  const parts = [
    hasUnits && !isUnitBehind ? units : [],
    cells.company_name,
    hasUnits && isUnitBehind ? units : [],
    draws.isHit(0.7) ? after : [],
  ].flat();
  const given = parts.filter((part) => part.trim() !== '');
  cells.company_name = given.join(draws.pick([', ', ', ', '; ', '   ', ' - ', ' ']));
  if (draws.isHit(0.8)) cells.city = cells.state = '';
}

/** The name without its legal form and the words at its end that say what it is. */
function dropKinds(name: string): string {
  const parts = name.replace(legalForm, '').split(' ');
  const isKind = (word: string): boolean => organisationTokens(word).every(isKindWord);
  let count = parts.length;
  while (count > 1 && isKind(parts[count - 1]!)) count--;
  return count === parts.length || isKind(parts[0]!) ? name : parts.slice(0, count).join(' ');
}

const ordinals = 'first second third fourth fifth sixth seventh eighth ninth tenth'.split(' ');
const marks = ['st', 'nd', 'rd'];
/** Ordinal numbers in figures. */
const writeOrdinals = (name: string): string =>
  name.replace(/\p{L}+/gu, (word) => {
    const at = ordinals.indexOf(word.toLowerCase());
    return at < 0 ? word : `${at + 1}${marks[at] ?? 'th'}`;
  });

const addedForms = [', Inc.', ' LLC', ' Corp.', ' Ltd', ' Co.', ' Group', ' plc', ', Incorporated'];
const shareNames = [' Common Stock', ' - Class A', ' (The)', ' Ordinary Shares', ' ADR', ' New'];
const orKeep = (options: readonly string[], name: string, draws: Draws): string =>
  options.length === 0 ? name : draws.pick(options);

const identityKinds: readonly CompanyKind[] = [
  identity('alias-held', 6, 'another name that the directory has', (name, draws, { aliases }) =>
    orKeep(aliases.held, name, draws),
  ),
  identity(
    'alias-unknown',
    4,
    'another name that the directory lacks',
    (name, draws, { aliases }) => orKeep(aliases.unknown, name, draws),
  ),
  identity('formerly', 3, 'with another name in brackets', (name, draws, { aliases }) => {
    const other = orKeep([...aliases.held, ...aliases.unknown], '', draws);
    return other === ''
      ? name
      : draws.pick([`${name} (formerly ${other})`, `${other} dba ${name}`]);
  }),
  identity('acronym', 4, 'first letters', (name) => toAcronym(name)),
  identity('web-address', 4, 'the web address instead of the name', (name, draws, { company }) =>
    company.domain === ''
      ? name
      : draws.pick([company.domain, `www.${company.domain}`, `https://www.${company.domain}/`]),
  ),
  {
    name: 'domain-added',
    group: 'identity',
    does: 'the domain in its column',
    weight: 4,
    changes: ['domain'],
    apply({ cells, company }) {
      cells.domain = company.domain;
    },
  },
  {
    name: 'domain-alone',
    group: 'identity',
    does: 'the domain without a name',
    weight: 3,
    changes: ['company_name', 'domain'],
    apply({ cells, company }) {
      if (company.domain === '') return;
      cells.domain = company.domain;
      cells.company_name = '';
    },
  },
];

const wordKinds: readonly CompanyKind[] = [
  words('abbreviated', 8, 'words abbreviated', abbreviate),
  words('order', 5, 'words in another order', reorder),
  words('tail-lost', 4, 'without the last words', dropTail),
  words('cut', 4, 'cut at the width of a field', cutAtWidth),
  words('bare', 4, 'without signs and small words', dropSmallWords),
  words('site-lost', 3, 'without site or campus', dropSite),
  words('trading-name', 5, 'without legal form and kind', dropKinds),
  words('article', 2, 'an added or omitted article', (name) =>
    name.startsWith('The ') ? name.slice(4) : `The ${name}`,
  ),
  words('translated', 2, 'in another language', translate),
  words('state-code', 3, 'a state in the name as its code', shortenState),
  words('joined', 2, 'without spaces', (name) => name.replace(/ /g, '')),
  words('ordinal', 2, 'an ordinal number in figures', writeOrdinals),
  words('spaced-letters', 1, 'a space after each letter of a word', (name) =>
    name.replace(/\p{L}{4,}/u, (word) => [...word].join(' ')),
  ),
  words('one-word-lost', 4, 'without one of its words', (name, draws) => {
    const parts = name.split(' ');
    if (parts.length < 3) return name;
    parts.splice(1 + draws.below(parts.length - 1), 1);
    return parts.join(' ');
  }),
];

const formKinds: readonly CompanyKind[] = [
  form('form-lost', 6, 'without legal form', (name) => name.replace(legalForm, '')),
  form(
    'form-added',
    4,
    'a legal form after the name',
    (name, draws) => name + draws.pick(addedForms),
  ),
  form('form-changed', 4, 'another legal form', (name, draws) =>
    legalForm.test(name) ? name.replace(legalForm, draws.pick(addedForms)) : name,
  ),
  form('form-spelled', 5, 'the same legal form written in another way', spellForm),
  form('form-joined', 1, 'the legal form without a space', (name) =>
    legalForm.test(name) ? name.replace(legalForm, (form) => form.replace(/[ ,.]/g, '')) : name,
  ),
  {
    name: 'affiliation',
    group: 'form',
    does: 'the name among the parts of an affiliation or an address',
    weight: 6,
    changes: ['company_name', 'city', 'state'],
    apply: affiliate,
  },
  form('share-name', 3, 'the name of a share', (name, draws) => name + draws.pick(shareNames)),
  form('department', 4, 'a department in the cell', (name, draws) =>
    draws.pick([
      `${name} - ${draws.pick(functions)}`,
      `${drawUnit(draws)}, ${name}`,
      `${name} (HQ)`,
      `${name} / ${draws.pick(functions)}`,
    ]),
  ),
  form('number', 3, 'a number of the CRM', (name, draws) => {
    const number = 10_000 + draws.below(89_999);
    return draws.pick([`${name} (${number})`, `${number} - ${name}`, `${name} #${number}`]);
  }),
  form(
    'parent',
    3,
    'a parent before the name',
    (name, draws) =>
      draws.pick(['Ascension', 'HCA', 'State System', 'University System', 'Holdings']) +
      draws.pick([' - ', ': ', ' / ']) +
      name,
  ),
  form(
    'former-mark',
    2,
    'marked as closed or former',
    (name, draws) =>
      name + draws.pick([' (closed)', ' - INACTIVE', ' (old)', ' *do not use*', ' (acquired)']),
  ),
];

const letterKinds: readonly CompanyKind[] = [
  letters('slip', 7, 'a typing error in a word', slipInWord),
  letters('two-slips', 4, 'typing errors in two words', (name, draws) =>
    slipInWord(slipInWord(name, draws), draws),
  ),
  letters('first-word-slip', 4, 'a typing error in the first word', (name, draws) => {
    const [first = '', ...rest] = name.split(' ');
    return [slipOnce(first, draws), ...rest].join(' ');
  }),
  letters('frequent-slip', 4, 'a typing error in a frequent word', (name, draws) =>
    changeFrequentWord(name, (word) => dropLetter(word, draws)),
  ),
  letters('scanned', 4, 'two letters misread', (name, draws) =>
    misreadLetter(misreadLetter(name, draws), draws),
  ),
  letters('heard', 4, 'written by its sound', writeAsHeard),
];

const placeKinds: readonly CompanyKind[] = [
  place('place-lost', 5, 'no place', ['city', 'state'], (cells) => {
    cells.city = cells.state = '';
  }),
  place('state-alone', 3, 'only the state', ['city'], (cells) => {
    cells.city = '';
  }),
  place('state-spelled', 3, 'the state in full', ['state'], (cells) => {
    cells.state = spellState(cells.state);
  }),
  place('place-in-city', 2, 'city and state in one cell', ['city', 'state'], (cells) => {
    if (cells.city === '' || cells.state === '') return;
    cells.city = `${cells.city}, ${cells.state}`;
    cells.state = '';
  }),
  place('place-in-name', 4, 'the place after the name', companyCellNames, (cells, draws) => {
    const { company_name: name, city, state } = cells;
    if (city === '' || name === '') return;
    cells.company_name = draws.pick([
      `${name}, ${city}`,
      `${name} (${city}, ${state})`,
      `${name} - ${city}`,
    ]);
    cells.city = cells.state = '';
  }),
  place('city-slip', 3, 'a typing error in the city', ['city'], (cells, draws) => {
    if (cells.city !== '') cells.city = slipOnce(cells.city, draws);
  }),
  place('city-abbreviated', 2, 'the city abbreviated', ['city'], (cells) => {
    cells.city = cells.city
      .replace(/^Saint /, 'St. ')
      .replace(/^St\.? /, 'Saint ')
      .replace(/^Fort /, 'Ft. ')
      .replace(/^Mount /, 'Mt ');
  }),
];

const textKinds: readonly CompanyKind[] = [
  text('capitals', 5, 'in capitals', (name) => name.toUpperCase()),
  text('small-letters', 4, 'in small letters', (name) => name.toLowerCase()),
  text('spaces', 3, 'spaces that do not belong there', (name, draws) =>
    draws.pick([
      `  ${name} `,
      name.replace(/ /g, '  '),
      name.replace(/ /g, '\u00a0'),
      `\u200b${name}`,
    ]),
  ),
  text('quotes', 2, 'quotes around the name', (name, draws) =>
    draws.pick([`"${name}"`, `'${name}'`, `="${name}"`, `“${name}”`]),
  ),
  text('misdecoded', 2, 'UTF-8 read as Windows-1252', (name) =>
    decodeWrongly(name.replace(/'/g, '’').replace(/-/g, '–')),
  ),
  text('entities', 2, 'signs as HTML entities', (name) =>
    name.replace(/&/g, '&amp;').replace(/'/g, '&#39;'),
  ),
  text('ampersand', 3, 'and as &, or & as and', (name) =>
    / & /.test(name) ? name.replace(/ & /g, ' and ') : name.replace(/ and /gi, ' & '),
  ),
];

/** Kinds of dirt in lists of companies. */
export const companyKinds: readonly CompanyKind[] = [
  ...identityKinds,
  ...wordKinds,
  ...formKinds,
  ...letterKinds,
  ...placeKinds,
  ...textKinds,
];

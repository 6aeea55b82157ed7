// Rows of companies that have no right answer.
import { organisationTokens } from '../../engine/directory/normalize/messy/organisation-tokens.ts';
import {
  isKindWord,
  stateNames,
} from '../../engine/directory/normalize/messy/organisation-words.ts';
import type { Draws } from '../generate-draws.ts';
import { type CompanyCells, type CompanyDraft, legalForm } from './company-kinds.ts';
import type { Company } from './sample-people.ts';

const beginnings = 'Zarn Quell Ostr Brun Kett Vel Dors Havi Mol Trev Ulm Pag Sor Lind Cav'.split(
  ' ',
);
const endings = 'ovia burg andia vale ermoor mont ick aron enta ex ilis ora upe wick ano'.split(
  ' ',
);
/** A word that names no company of the directory. */
const invent = (draws: Draws): string => draws.pick(beginnings) + draws.pick(endings);
const noCompany = [
  'N/A',
  'self-employed',
  'Retired',
  'unknown',
  'Freelance',
  'Student',
  '-',
  'none',
];
const genericNames = [
  'University',
  'Community College',
  'Hospital',
  'Bank',
  'Medical Center',
  'Inc.',
];

/** Other organisations that have the name of the one that they belong to. */
const around = [
  '* Foundation',
  '* Alumni Association',
  'Friends of *',
  '* Federal Credit Union',
  '* Bookstore',
  '* Museum',
  '* Hotel',
  '* Student Union',
  '* Press',
  '* Retirees Association',
];

type MakeNegative = (draft: CompanyDraft, draws: Draws, other: Company) => boolean;

const setName = (cells: CompanyCells, name: string, keepsPlace = false): true => {
  cells.company_name = name;
  if (!keepsPlace) cells.city = cells.state = '';
  return true;
};

const roman = ['II', 'III', 'IV', 'V', 'VI', 'VII', 'VIII', 'IX', 'X', 'XI', 'XII'];
const numberInName = /\b(?:\d{1,4}|II|III|IV|VI|VII|VIII|IX|XI|XII)\b/;
const elsewhere = [
  'Asia',
  'London',
  'Hong Kong',
  'Singapore',
  'Australia',
  'Germany',
  'Spain',
  'Japan',
  'Canada',
  'Mexico',
  'Chile',
  'Europe',
  'Texas',
  'Ohio',
  'Alaska',
  'Maine',
];
const isPlace = (word: string): boolean => elsewhere.includes(word);

/** Rows without a right answer, except those of hidden companies. */
export const companyNegatives: readonly (readonly [
  name: string,
  reason: 'none' | 'ambiguous' | 'conflict',
  make: MakeNegative,
])[] = [
  [
    'not-invented',
    'none',
    ({ cells }, draws) => {
      const word = invent(draws);
      const kinds = [
        'University of *',
        '* Community College',
        '* Memorial Hospital',
        '* Holdings Inc',
        '* Therapeutics',
      ];
      return setName(cells, draws.pick(kinds).replace('*', word), true);
    },
  ],
  [
    'not-other-word',
    'none',
    ({ cells, company }, draws) => {
      const parts = company.name.split(' ');
      if (parts.length < 2 || parts[0]!.length < 5) return false;
      return setName(cells, [invent(draws), ...parts.slice(1)].join(' '), true);
    },
  ],
  [
    'not-other-tail',
    'none',
    ({ cells, company }, draws, other) => {
      const [first = ''] = company.name.split(' ');
      const [, ...rest] = other.name.split(' ');
      const tail = rest.slice(-1 - draws.below(2)).join(' ');
      if (first.length < 4 || tail === '' || company.name.includes(tail)) return false;
      return setName(cells, `${first} ${tail}`, true);
    },
  ],
  [
    'not-cut-word',
    'none',
    ({ cells, company }, draws) => {
      const [first = '', ...rest] = company.name.replace(legalForm, '').split(' ');
      const isKind = (word: string): boolean => organisationTokens(word).every(isKindWord);
      if (first.length < 6 || isKind(first) || !rest.every(isKind)) return false;
      return setName(cells, [first.slice(0, 2 + draws.below(2)), ...rest].join(' '), true);
    },
  ],
  ['not-a-company', 'none', ({ cells }, draws) => setName(cells, draws.pick(noCompany))],
  ['not-generic', 'none', ({ cells }, draws) => setName(cells, draws.pick(genericNames))],
  [
    'not-web-mail',
    'none',
    ({ cells }, draws) => setName(cells, draws.pick(['gmail.com', 'www.yahoo.com', 'outlook.com'])),
  ],
  [
    'not-two',
    'ambiguous',
    ({ cells, company }, draws, other) =>
      setName(cells, `${company.name}${draws.pick([' / ', ' & ', '; ', ' and '])}${other.name}`),
  ],
  [
    'not-around',
    'none',
    ({ cells, company }, draws) => {
      const name = company.name.replace(legalForm, '');
      return setName(cells, draws.pick(around).replace('*', name), draws.isHit(0.5));
    },
  ],
  [
    'not-other-state',
    'none',
    ({ cells, company }, _draws, other) => {
      if (company.state === '' || other.state === '' || other.state === company.state) return false;
      Object.assign(cells, { city: other.city, state: other.state });
      return company.city !== '' && other.city !== '';
    },
  ],
  [
    'not-domain-of-other',
    'conflict',
    ({ cells, company }, _draws, other) => {
      cells.domain = other.domain;
      return other.domain !== '' && other.domain !== company.domain;
    },
  ],
  [
    'not-series',
    'none',
    ({ cells, company }, draws) => {
      const { name } = company;
      const other = draws.isHit(0.5) ? draws.pick(roman) : String(2 + draws.below(40));
      if (numberInName.test(name)) {
        const changed = name.replace(numberInName, other);
        return changed !== name && setName(cells, changed, true);
      }
      const form = /,? (?:inc|corp|co|llc|ltd|l\.?p|plc|company|corporation)\.?$/i;
      if (!form.test(name)) return false;
      return setName(
        cells,
        name.replace(form, (found) => ` ${draws.pick(roman)}${found}`),
        true,
      );
    },
  ],
  [
    'not-there',
    'none',
    ({ cells, company }, draws) => {
      const { name, city, state } = company;
      const there = draws.pick(elsewhere.filter((place) => place !== city));
      const stated = [city, stateNames.get(state.toLowerCase()) ?? '', ...elsewhere].find(
        (place) => place.length > 3 && new RegExp(`\\b${place}\\b`, 'i').test(name),
      );
      if (stated === undefined || isPlace(city)) return false;
      const changed = name.replace(new RegExp(`\\b${stated}\\b`, 'i'), there);
      return setName(cells, draws.isHit(0.3) ? `${changed} (${there})` : changed);
    },
  ],
  [
    'not-place-alone',
    'none',
    ({ cells, company }) => company.city !== '' && setName(cells, company.city),
  ],
];

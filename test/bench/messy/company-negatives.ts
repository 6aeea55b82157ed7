/** Rows of companies that have no right answer. */
import type { Draws } from '../generate-draws.ts';
import type { CompanyCells, CompanyDraft } from './company-kinds.ts';
import type { Company } from './sample-people.ts';

const inventedWords = ['Zarnovia', 'Quellburg', 'Ostrandia', 'Brunvale', 'Kettermoor', 'Velmont'];
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

type MakeNegative = (draft: CompanyDraft, draws: Draws, other: Company) => boolean;

const setName = (cells: CompanyCells, name: string, keepsPlace = false): true => {
  cells.company_name = name;
  if (!keepsPlace) cells.city = cells.state = '';
  return true;
};

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
      const word = draws.pick(inventedWords);
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
      return setName(cells, [draws.pick(inventedWords), ...parts.slice(1)].join(' '), true);
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
    'not-place-alone',
    'none',
    ({ cells, company }) => company.city !== '' && setName(cells, company.city),
  ],
];

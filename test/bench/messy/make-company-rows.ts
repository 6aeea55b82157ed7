/** Makes messy rows of companies: deterministic by seed, with labels from the directory alone. */
import { join } from 'node:path';
import { sampleFiles } from '../../../engine/directory/import/sample.ts';
import { createDraws, type Draws } from '../generate-draws.ts';
import {
  type CompanyCells,
  type CompanyDraft,
  type CompanyKind,
  companyCellNames,
  companyGroups,
  companyKinds,
} from './company-kinds.ts';
import { toAcronym } from './organisation-words.ts';
import {
  type Company,
  type CsvRow,
  fixturesDir,
  isHiddenById,
  readCompanies,
  readCsv,
  type Split,
  splitById,
} from './sample-people.ts';
import { foldWords, hashText, shareTriples } from './text.ts';
import { weighted } from './weighted.ts';

/** A messy row of a company with its label. */
export interface MessyCompanyRow {
  readonly id: string;
  readonly split: Split;
  readonly cells: Readonly<CompanyCells>;
  /** Which company the row means; '' where none is the right answer. */
  readonly companyId: string;
  /** Why none is. */
  readonly reason: 'none' | 'ambiguous' | 'conflict' | '';
  readonly kinds: readonly string[];
  /** The company that the row was made from. */
  readonly madeFrom: string;
}

/** The companies that messy lists are made from. */
export interface CompanyDirectory {
  readonly companies: readonly Company[];
  isHidden(id: string): boolean;
  splitOf(id: string): Split | null;
  aliasesOf(company: Company): CompanyDraft['aliases'];
  /** Companies by a folded word, domain or acronym. */
  readonly byClue: ReadonlyMap<string, readonly Company[]>;
}

/** Words that more companies share than this tell nothing by themselves. */
const sharedWordMax = 400;

const cluesOf = (company: Company, held: readonly string[]): string[] => [
  ...[company.name, ...held].flatMap((name) => foldWords(name).split(' ')),
  ...[company.name, ...held].map((name) => `acronym ${toAcronym(name).toLowerCase()}`),
  ...[company.name, ...held].map((name) => `name ${foldWords(name)}`),
  `domain ${company.domain}`,
];

/** Indexes companies for the making of messy lists; `reserved` ids occur in none. */
export function createCompanyDirectory(
  companies: readonly Company[],
  reserved: ReadonlySet<string>,
): CompanyDirectory {
  const aliasesOf = ({ id, aliases, name }: Company) => {
    const others = aliases.filter((alias) => foldWords(alias) !== foldWords(name));
    const isHeld = hashText(`aliases ${id}`) % 2 === 0;
    return isHeld ? { held: others, unknown: [] } : { held: [], unknown: others };
  };
  const isHidden = (id: string) => !reserved.has(id) && isHiddenById(id);
  const byClue = new Map<string, Company[]>();
  for (const company of companies)
    if (!isHidden(company.id))
      for (const clue of new Set(cluesOf(company, aliasesOf(company).held))) {
        const list = byClue.get(clue);
        if (list) list.push(company);
        else byClue.set(clue, [company]);
      }
  return {
    companies,
    isHidden,
    splitOf: (id) => (reserved.has(id) ? null : splitById(id)),
    aliasesOf,
    byClue,
  };
}

/** The companies of the fixture, with the aliases and websites that the sample knows of them. */
export function readCompanyDirectory(): CompanyDirectory {
  const known = new Map(
    readCompanies(readCsv(sampleFiles().companies)).map((one) => [one.id, one]),
  );
  const companies = readCsv(join(fixturesDir, 'company_match_directory.csv')).map((row) => {
    const { aliases = [], domain = '' } = known.get(row.company_id!) ?? {};
    const { company_id: id = '', name = '', city = '', state = '' } = row;
    return { id, name, aliases, kind: '', city, state, phone: '', domain };
  });
  const truth = readCsv(join(fixturesDir, 'company_dev_truth.csv'));
  return createCompanyDirectory(companies, new Set(truth.map((row) => row.company_id!)));
}

/** Rows of the directory's file, without the hidden companies and the aliases it lacks. */
export const listCompanyRows = (directory: CompanyDirectory): CsvRow[] =>
  directory.companies
    .filter(({ id }) => !directory.isHidden(id))
    .map((company) => ({
      company_id: company.id,
      name: company.name,
      aliases: directory.aliasesOf(company).held.join('|'),
      website: company.domain,
      city: company.city,
      state: company.state,
    }));

const likeness = { exact: 1, part: 0.95, acronym: 0.9, samePlace: 0.3, otherPlace: -0.3 } as const;

/** How well a company explains a row: its name's likeness and what the place says. */
export function explainCompany(
  cells: CompanyCells,
  company: Company,
  held: readonly string[],
): number {
  if (cells.domain !== '' && cells.domain === company.domain) return 2;
  const written = foldWords(cells.company_name);
  const fits = [company.name, ...held].map((name) => {
    const other = foldWords(name);
    if (written === other || cells.company_name.includes(company.domain || '\n'))
      return likeness.exact;
    if (other.startsWith(written)) return likeness.part;
    if (toAcronym(name).toLowerCase() === written) return likeness.acronym;
    return shareTriples(written, other);
  });
  const [city, ownCity] = [foldWords(cells.city), foldWords(company.city)];
  const isSameState = cells.state === company.state;
  let byPlace = 0;
  if (city !== '' && ownCity !== '')
    byPlace = city === ownCity ? likeness.samePlace : likeness.otherPlace;
  else if (cells.state.length === 2 && company.state !== '')
    byPlace = isSameState ? likeness.samePlace / 2 : likeness.otherPlace;
  return Math.max(...fits) + byPlace;
}

/** The best that another company of the directory explains a row. */
function bestRival(cells: CompanyCells, company: Company, directory: CompanyDirectory): number {
  const written = foldWords(cells.company_name);
  const words = written.split(' ').filter((word) => word.length > 1);
  const clues = [...words, `acronym ${written}`, `name ${written}`, `domain ${cells.domain}`];
  const rivals = new Set(
    clues.flatMap((clue) => {
      const list = directory.byClue.get(clue) ?? [];
      return list.length <= sharedWordMax ? list : [];
    }),
  );
  let best = 0;
  for (const rival of rivals)
    if (rival.id !== company.id)
      best = Math.max(best, explainCompany(cells, rival, directory.aliasesOf(rival).held));
  return best;
}

type Made = Omit<MessyCompanyRow, 'id' | 'split'>;

const drawKind = weighted(companyKinds);
/** Shares of rows with one, two and three kinds of dirt, summed. */
const kindCountShares = [0.45, 0.85, 1];
const negativeShare = 0.25;
const placeShare = 0.6;
const triesMax = 200;
const tieMargin = 0.02;

const createCompanyDraft = (company: Company, directory: CompanyDirectory, draws: Draws) => {
  const { city, state } = draws.isHit(placeShare) ? company : { city: '', state: '' };
  const cells: CompanyCells = { company_name: company.name, domain: '', city, state };
  return { company, cells, aliases: directory.aliasesOf(company) };
};

/** Applies kinds; returns the names of those that changed a cell. */
function applyAll(draft: CompanyDraft, kinds: readonly CompanyKind[], draws: Draws): string[] {
  const ordered = kinds.toSorted(
    (one, two) => companyGroups.indexOf(one.group) - companyGroups.indexOf(two.group),
  );
  return ordered
    .filter((kind) => {
      const before = { ...draft.cells };
      kind.apply(draft, draws);
      return companyCellNames.some((cell) => draft.cells[cell] !== before[cell]);
    })
    .map(({ name }) => name);
}

/** Kinds of different groups, the leading one first. */
function drawCompanyKinds(draws: Draws): CompanyKind[] {
  const share = draws.random();
  const chosen: CompanyKind[] = [];
  for (let left = 1 + kindCountShares.findIndex((upTo) => upTo > share); left > 0; left--) {
    const kind = drawKind(draws);
    if (!chosen.some(({ group }) => group === kind.group)) chosen.push(kind);
  }
  return chosen;
}

/** A row about a company, hidden or not; null where it does not come to one. */
function makeAbout(
  companies: readonly Company[],
  directory: CompanyDirectory,
  draws: Draws,
): Made | null {
  const kinds = drawCompanyKinds(draws);
  for (let tries = 0; tries < triesMax; tries++) {
    const draft = createCompanyDraft(draws.pick(companies), directory, draws);
    const applied = applyAll(draft, kinds, draws);
    const { cells, company, aliases } = draft;
    if (!applied.includes(kinds[0]!.name) || (cells.company_name === '' && cells.domain === ''))
      continue;
    const own = explainCompany(cells, company, [...aliases.held, ...aliases.unknown]);
    const best = bestRival(cells, company, directory);
    const isHidden = directory.isHidden(company.id);
    if (best > own + tieMargin || (isHidden && best >= own - tieMargin)) continue;
    const isMatch = best < own - tieMargin;
    return {
      cells,
      companyId: isMatch && !isHidden ? company.id : '',
      reason: isHidden ? 'none' : isMatch ? '' : 'ambiguous',
      kinds: isHidden ? ['not-hidden', ...applied] : applied,
      madeFrom: company.id,
    };
  }
  return null;
}

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

/** Rows that no company is the right answer to, but those of hidden companies. */
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

/** A row that no company is the right answer to. */
function makeWithout(
  companies: readonly Company[],
  directory: CompanyDirectory,
  draws: Draws,
): Made | null {
  const [name, reason, make] = draws.pick(companyNegatives);
  for (let tries = 0; tries < triesMax; tries++) {
    const draft = createCompanyDraft(draws.pick(companies), directory, draws);
    const { cells, company } = draft;
    if (!make(draft, draws, draws.pick(companies))) continue;
    const isNamed = name === 'not-domain-of-other' || name === 'not-two' || name === 'not-generic';
    if (!isNamed && bestRival(cells, company, directory) >= likeness.acronym) continue;
    return { cells, companyId: '', reason, kinds: [name], madeFrom: company.id };
  }
  return null;
}

/** Makes a messy list of companies of one split; the same for the same seed. */
export function makeCompanyRows(
  directory: CompanyDirectory,
  { seed, split, count }: { seed: number; split: Split; count: number },
): MessyCompanyRow[] {
  const draws = createDraws(seed);
  const own = directory.companies.filter(({ id }) => directory.splitOf(id) === split);
  const [hidden, visible] = [true, false].map((is) =>
    own.filter(({ id }) => directory.isHidden(id) === is),
  ) as [Company[], Company[]];
  const rows: MessyCompanyRow[] = [];
  while (rows.length < count) {
    const isNegative = draws.isHit(negativeShare);
    const made =
      isNegative && draws.isHit(0.5)
        ? makeWithout(visible, directory, draws)
        : makeAbout(isNegative ? hidden : visible, directory, draws);
    if (made) rows.push({ id: `company-${split}-${rows.length + 1}`, split, ...made });
  }
  return rows;
}

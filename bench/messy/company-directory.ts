// The companies that messy lists are made from, and how well each explains a row. Labels depend on
// the directory alone.
import { join } from 'node:path';
import { sampleFiles } from '../../engine/directory/import/sample.ts';
import { type CompanyCells, type CompanyDraft, legalForm } from './company-kinds.ts';
import { spellWords, toAcronym } from './organisation-words.ts';
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

/** The companies that messy lists are made from. */
export interface CompanyDirectory {
  readonly companies: readonly Company[];
  isHidden(id: string): boolean;
  splitOf(id: string): Split | null;
  aliasesOf(company: Company): CompanyDraft['aliases'];
  /** Companies by a folded word, domain or acronym. */
  readonly byClue: ReadonlyMap<string, readonly Company[]>;
}

/** Words that more companies share than this are no evidence by themselves. */
const sharedWordMax = 400;

const cluesOf = (company: Company, held: readonly string[]): string[] => [
  ...[company.name, ...held].flatMap((name) => foldWords(name).split(' ')),
  ...[company.name, ...held].map((name) => `acronym ${toAcronym(name).toLowerCase()}`),
  ...[company.name, ...held].map((name) => `name ${foldWords(name)}`),
  `domain ${company.domain}`,
];

/** Indexes companies to make messy lists; `reserved` ids occur in none. */
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

/** The companies of the fixture, with the aliases and websites of the sample. */
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

/** Rows of the directory's file, without the hidden companies and unknown aliases. */
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

const likeness = {
  exact: 1,
  part: 0.95,
  acronym: 0.9,
  domain: 1,
  samePlace: 0.3,
  sameState: 0.15,
  otherPlace: -0.3,
} as const;
/** Least score of a likely answer. */
export const likelyMin = likeness.acronym;

const readings = new Map<string, string>();

/** A company's name in comparable form: words in full, without its legal form. */
function readName(name: string): string {
  const known = readings.get(name);
  if (known !== undefined) return known;
  const read = foldWords(spellWords(name.replace(legalForm, '')));
  readings.set(name, read);
  return read;
}

/** Score of the places of a row and of a company. */
function comparePlaces(cells: CompanyCells, company: Company): number {
  const [city, ownCity] = [foldWords(cells.city), foldWords(company.city)];
  const isState = cells.state.length === 2 && company.state !== '';
  if (isState && cells.state !== company.state) return likeness.otherPlace;
  if (city !== '' && ownCity !== '')
    return city === ownCity ? likeness.samePlace : likeness.otherPlace;
  return isState ? likeness.sameState : 0;
}

/**
 * How well a company explains a row: the similarity of a name (1 if it is the same), 1 for the
 * domain, and the score of the place.
 */
export function explainCompany(
  cells: CompanyCells,
  company: Company,
  held: readonly string[],
): number {
  const written = readName(cells.company_name);
  const { domain } = company;
  const isDomain =
    domain !== '' && (cells.domain === domain || cells.company_name.includes(domain));
  const fits = [company.name, ...held].map((name) => {
    const other = readName(name);
    if (written === '') return 0;
    if (written === other) return likeness.exact;
    if (other.startsWith(written)) return likeness.part;
    if (toAcronym(name).toLowerCase() === written) return likeness.acronym;
    return shareTriples(written, other);
  });
  return Math.max(...fits) + (isDomain ? likeness.domain : 0) + comparePlaces(cells, company);
}

/** The best score of another company of the directory. */
export function bestRival(
  cells: CompanyCells,
  company: Company,
  directory: CompanyDirectory,
): number {
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

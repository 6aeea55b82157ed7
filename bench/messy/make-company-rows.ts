// Makes messy rows of companies: deterministic by seed, with labels from the directory alone.
import { createDraws, type Draws } from '../generate-draws.ts';
import { drawCombined } from './combinations.ts';
import {
  bestRival,
  type CompanyDirectory,
  explainCompany,
  likelyMin,
} from './company-directory.ts';
import {
  type CompanyCells,
  type CompanyDraft,
  type CompanyKind,
  companyCellNames,
  companyGroups,
  companyKinds,
} from './company-kinds.ts';
import { companyNegatives } from './company-negatives.ts';
import type { Company, Split } from './sample-people.ts';
import { weighted } from './weighted.ts';

/** A messy row of a company with its label. */
export interface MessyCompanyRow {
  readonly id: string;
  readonly split: Split;
  readonly cells: Readonly<CompanyCells>;
  /** The company that the row means; '' if none is the right answer. */
  readonly companyId: string;
  /** Why none is the right answer. */
  readonly reason: 'none' | 'ambiguous' | 'conflict' | '';
  readonly kinds: readonly string[];
  /** The company that the row was made from. */
  readonly madeFrom: string;
}

type Made = Omit<MessyCompanyRow, 'id' | 'split'>;

const drawKind = weighted(companyKinds);
/** Shares of rows with one, two and three kinds of dirt, summed. */
const kindCountShares = [0.45, 0.85, 1];
const negativeShare = 0.25;
const placeShare = 0.6;
const triesMax = 200;
/** Scores that differ by less are tied. */
const tieMargin = 0.005;

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

/** Kinds of different groups; the first one is always applied. */
function drawCompanyKinds(draws: Draws, split: Split): CompanyKind[] {
  const share = draws.random();
  const chosen: CompanyKind[] = [];
  for (let left = 1 + kindCountShares.findIndex((upTo) => upTo > share); left > 0; left--) {
    const kind = drawCombined(
      drawKind,
      draws,
      chosen,
      split,
      (one) => !chosen.some(({ group }) => group === one.group),
    );
    if (kind) chosen.push(kind);
  }
  return chosen;
}

/** A row about a company, hidden or not; null if this draw makes none. */
function makeAbout(
  companies: readonly Company[],
  directory: CompanyDirectory,
  draws: Draws,
  split: Split,
): Made | null {
  const kinds = drawCompanyKinds(draws, split);
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

/** A row without a right answer; null if this draw makes none. */
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
    if (!isNamed && bestRival(cells, company, directory) >= likelyMin) continue;
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
        : makeAbout(isNegative ? hidden : visible, directory, draws, split);
    if (made) rows.push({ id: `company-${split}-${rows.length + 1}`, split, ...made });
  }
  return rows;
}

// Generated companies, as rows of companies.csv.
import {
  countryShares,
  industries,
  legalForms,
  otherLegalForms,
  trades,
} from './generate-company-words.ts';
import type { Draws } from './generate-draws.ts';
import { capitalize, type Names, spellPlain } from './generate-names.ts';

/** The fields of a company that its people and the list need. */
export interface Company {
  /** Without its legal form. */
  readonly name: string;
  readonly full: string;
  readonly domain: string;
  readonly country: string;
}

const employeeRanges = [
  '1-10',
  '11-50',
  '51-200',
  '201-500',
  '501-1000',
  '1001-5000',
  '5001-10000',
  '10001+',
];
const revenueRanges = [
  '<1M',
  '1M-10M',
  '10M-50M',
  '50M-100M',
  '100M-500M',
  '500M-1B',
  '1B-10B',
  '10B+',
];
const sizeMax = employeeRanges.length - 1;
const clampSize = (size: number) => Math.min(sizeMax, Math.max(0, size));

/** Draws countries by their shares. */
export function createCountryDraw({ random }: Draws): () => string {
  let sum = 0;
  const sums = countryShares.map(([country, share]) => {
    sum += share;
    return [country, sum] as const;
  });
  return () => {
    const wanted = random() * sum;
    return sums.find(([, through]) => through > wanted)?.[0] ?? '';
  };
}

/** Draws companies: name, legal form and a unique domain. */
function createCompanyDraw(draws: Draws, names: Names, drawCountry: () => string): () => Company {
  const { pick, isHit } = draws;
  const taken = new Set<string>();
  // The last copy of each domain: all before it are taken.
  const copies = new Map<string, number>();
  return () => {
    const country = drawCountry();
    const first = names.drawWord();
    const second = isHit(0.25) ? ` ${names.drawWord()}` : '';
    const name = first + second + (isHit(0.85) ? ` ${pick(trades)}` : '');
    const form = isHit(0.7) ? pick(legalForms[country] ?? otherLegalForms) : '';
    const full = form ? name + (isHit(0.2) ? ', ' : ' ') + form : name;
    const host = spellPlain(name);
    const ending = isHit(0.8) ? '.com' : pick(['.io', '.co', '.net', '.org', '.eu']);
    let domain = host + ending;
    for (let copy = copies.get(host + ending) ?? 2; taken.has(domain); copy++) {
      domain = `${host}${copy}${ending}`;
      copies.set(host + ending, copy);
    }
    taken.add(domain);
    return { name, full, domain, country };
  };
}

/**
 * Generates companies, the largest first; yields the header and their rows, and fills `companies`
 * unless it is null.
 */
export function* makeCompanies(
  draws: Draws,
  names: Names,
  drawCountry: () => string,
  { count, companies }: { readonly count: number; readonly companies: Company[] | null },
): Generator<string[]> {
  yield [
    'org_id',
    'name',
    'website',
    'industry',
    'employees',
    'revenue',
    'country',
    'city',
    'state',
    'postal',
    'street',
    'phone',
  ];
  const { random, below, spread } = draws;
  const drawIndustry = spread(industries.length, 0.8);
  const drawCompany = createCompanyDraw(draws, names, drawCountry);
  const nameOf = (pool: readonly string[], at: number) => capitalize(pool[at] ?? '');
  for (let at = 0; at < count; at++) {
    const company = drawCompany();
    companies?.push(company);
    const rank = 7 - Math.log2(1 + (at / count) * 250);
    const size = clampSize(Math.floor(rank + random() * 1.5 - 0.5));
    // Draws a head count that no column contains, so that later draws stay the same.
    below(10);
    yield [
      `c${at}`,
      company.full,
      company.domain,
      industries[drawIndustry()] ?? '',
      employeeRanges[size] ?? '',
      revenueRanges[clampSize(size + below(3) - 1)] ?? '',
      company.country,
      nameOf(names.lasts, below(3_000)),
      nameOf(names.firsts, below(300)),
      String(10_000 + below(89_999)),
      `${1 + below(9_999)} ${nameOf(names.lasts, below(9_000))} St`,
      `+1${2_000_000_000 + below(2 ** 31)}`,
    ];
  }
}

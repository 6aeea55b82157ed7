// Messy lists of companies: what each kind of dirt changes, and that their labels are right.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createDraws } from '../../../bench/generate-draws.ts';
import {
  bestRival,
  createCompanyDirectory,
  explainCompany,
} from '../../../bench/messy/company-directory.ts';
import {
  type CompanyCells,
  companyCellNames,
  companyKinds,
} from '../../../bench/messy/company-kinds.ts';
import { companyNegatives } from '../../../bench/messy/company-negatives.ts';
import { makeCompanyRows } from '../../../bench/messy/make-company-rows.ts';
import type { Company } from '../../../bench/messy/sample-people.ts';

const companyOf = (
  id: string,
  name: string,
  city: string,
  state: string,
  domain = '',
): Company => ({
  id,
  name,
  city,
  state,
  domain,
  aliases: [],
  kind: '',
  phone: '',
});
const companies = [
  companyOf(
    'a',
    "The Saint Mary Community Hospital & Nurses' Clinic, Inc.",
    'Saint Paul',
    'MN',
    'mary.org',
  ),
  companyOf('b', 'University of Texas at Austin-Main Campus', 'Austin', 'TX', 'utexas.edu'),
  companyOf('c', 'Memorial Hospital', 'Fort Worth', 'TX'),
  companyOf('d', 'Memorial Hospital', 'Salem', 'OR'),
  companyOf('e', 'Ohio Technical Institute', 'Columbus', 'OH'),
  companyOf('f', 'Dominican University', 'Chicago', 'IL', 'dom.edu'),
  companyOf('g', 'Ohio Dominican University', 'Columbus', 'OH', 'ohiodom.edu'),
  companyOf('h', 'First Prairie Bank Inc', 'Peoria', 'IL'),
];
// No one is hidden where all are reserved; the splits are those of the ids.
const all = createCompanyDirectory(companies, new Set(companies.map(({ id }) => id)));

test.each(companyKinds.map((kind) => [kind.name, kind] as const))(
  '%s changes only the cells of a company that it names',
  (_name, kind) => {
    let changed = 0;
    const anySeed = fc.integer({ min: 0, max: 1_000_000 });
    fc.assert(
      fc.property(fc.constantFrom(...companies), anySeed, (company, seed) => {
        const { name: company_name, city, state } = company;
        const cells: CompanyCells = { company_name, domain: '', city, state };
        const before = { ...cells };
        const aliases = { held: ['Other Name'], unknown: ['Unknown Name'] };
        kind.apply({ company, cells, aliases }, createDraws(seed));
        for (const cell of companyCellNames)
          if (cells[cell] !== before[cell]) {
            changed++;
            expect(kind.changes).toContain(cell);
          }
      }),
      { seed: 7, numRuns: 200 },
    );
    expect(changed).toBeGreaterThan(0);
  },
);

test.each([
  ['b', { company_name: 'Univ. of TX at Austin' }, true],
  ['c', { company_name: 'Memorial Hospital', city: 'Fort Worth', state: 'TX' }, true],
  ['c', { company_name: 'Memorial Hospital' }, false],
  ['g', { company_name: 'OH Dominican Univ.' }, true],
  ['f', { company_name: 'Dominican University Inc.' }, true],
  ['f', { company_name: 'Ohio Dominican' }, false],
  ['a', { domain: 'mary.org' }, true],
] as const)('%s alone is explained by %j: %s', (id, given, isAlone) => {
  const cells = { company_name: '', domain: '', city: '', state: '', ...given };
  const company = companies.find((one) => one.id === id)!;
  expect(explainCompany(cells, company, []) > bestRival(cells, company, all)).toBe(isAlone);
});

test('lists of companies are repeatable, keep to their split, and say why no company is meant', () => {
  const named = Array.from({ length: 600 }, (_, at) =>
    companyOf(
      `n${at}`,
      `${String.fromCharCode(65 + (at % 26))}${at} Regional Supply`,
      'Salem',
      'OR',
    ),
  );
  const directory = createCompanyDirectory(named, new Set(['n1']));
  const make = (seed: number) => makeCompanyRows(directory, { seed, split: 'report', count: 100 });
  const rows = make(5);
  expect(make(5)).toEqual(rows);
  expect(make(6)).not.toEqual(rows);
  for (const { madeFrom, companyId, reason } of rows) {
    expect(directory.splitOf(madeFrom)).toBe('report');
    expect(companyId === '').toBe(reason !== '');
    if (companyId !== '') expect(directory.isHidden(companyId)).toBe(false);
  }
  const names = [
    ...companyKinds.map(({ name }) => name),
    ...companyNegatives.map(([name]) => name),
  ];
  expect(new Set(names).size).toBe(names.length);
});

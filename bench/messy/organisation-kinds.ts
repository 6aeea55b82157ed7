// Kinds of dirt in the company of a person's row.
import type { Draws } from '../generate-draws.ts';
import { type CellName, companyOf, type Draft, domainOf, type Kind, type Source } from './draft.ts';
import { doubleLetter, misreadLetter, slipInWord, slipOnce } from './letters.ts';
import {
  abbreviate,
  changeFrequentWord,
  cutAtWidth,
  dropSite,
  dropSmallWords,
  dropTail,
  reorder,
  shortenState,
  toAcronym,
  translate,
} from './organisation-words.ts';

type CompanyChange = (name: string, draws: Draws, draft: Draft, source: Source) => string;

const changeRow = (
  name: string,
  weight: number,
  does: string,
  changes: readonly CellName[],
  apply: Kind['apply'],
): Kind => ({ name, group: 'organisation', does, weight, changes, apply });

const company = (name: string, weight: number, does: string, change: CompanyChange): Kind =>
  changeRow(name, weight, does, ['company_name'], (draft, source) => {
    const { cells } = draft;
    if (cells.company_name !== '')
      cells.company_name = change(cells.company_name, source.draws, draft, source);
  });

const legalForms = [
  ', Inc.',
  ' LLC',
  ' Corp',
  '. Ltd',
  ' Foundation',
  ' GmbH',
  ' plc',
  ' & Co.',
  ' SA',
];
const departments = [
  'Office of the President, *',
  '* - Communications',
  'Department of Biology, *',
  '*, Main Office',
  '* / Finance',
  '* (HQ)',
  'Finance Dept | *',
  '* – Human Resources',
  'c/o *',
  'School of Nursing @ *',
  '* IT Services',
  '*: Procurement',
];
const currentOf = ({ person, job }: Draft) =>
  person.jobs.find((other) => other.isCurrent && other.companyId !== job.companyId);

/** Kinds of dirt in the company of a row, and in the column of its domain. */
export const organisationKinds: readonly Kind[] = [
  company('company-abbreviated', 5, 'words abbreviated', abbreviate),
  company('company-tail-lost', 3, 'without its last words', dropTail),
  company('company-cut', 3, 'cut at the width of a field', cutAtWidth),
  company('company-translated', 2, 'in another language', translate),
  company('company-department', 4, 'a department in the cell', (name, draws) =>
    draws.pick(departments).replace('*', () => name),
  ),
  company('company-place', 4, 'the place after the company', (name, draws, draft, source) => {
    const found = companyOf(draft, source);
    if (!found || (found.city === '' && found.state === '')) return name;
    const { city, state } = found;
    if (city === '') return `${name} (${state})`;
    return draws.pick([`${name}, ${city}, ${state}`, `${name} (${city})`, `${name} - ${city}`]);
  }),
  company('company-slip', 5, 'a typing error in one of its words', slipInWord),
  company('company-two-slips', 2, 'typing errors in two of its words', (name, draws) =>
    slipInWord(slipInWord(name, draws), draws),
  ),
  company('company-frequent-slip', 4, 'a typing error in a word of many companies', (name, draws) =>
    changeFrequentWord(name, (word) => slipOnce(word, draws)),
  ),
  company('company-scanned', 3, 'letters misread by text recognition', (name, draws) =>
    misreadLetter(misreadLetter(name, draws), draws),
  ),
  company('company-acronym', 3, 'its first letters', (name) => toAcronym(name)),
  company('company-web-address', 4, 'its web address in the cell', (name, draws, draft, source) => {
    const domain = domainOf(draft, source);
    if (domain === '') return name;
    draft.clues.domain = domain;
    return draws.pick([
      `www.${domain}`,
      `https://${domain}/`,
      domain,
      `http://www.${domain}/about`,
    ]);
  }),
  changeRow(
    'company-domain-column',
    3,
    'the domain in its own column, no name',
    ['company_name', 'company_domain'],
    (draft, source) => {
      const domain = domainOf(draft, source);
      if (domain === '') return;
      draft.clues.domain = domain;
      draft.cells.company_domain = source.draws.pick([
        domain,
        `www.${domain}`,
        `https://${domain}`,
      ]);
      draft.cells.company_name = '';
    },
  ),
  changeRow(
    'company-domain-added',
    2,
    'the domain in its own column, next to the name',
    ['company_domain'],
    (draft, source) => {
      draft.cells.company_domain = draft.clues.domain = domainOf(draft, source);
    },
  ),
  company('company-missing', 3, 'no company', () => ''),
  company(
    'company-legal-form',
    3,
    'a legal form after the name',
    (name, draws) => name + draws.pick(legalForms),
  ),
  company('company-order', 4, 'words in another order', reorder),
  company('company-state', 4, 'the state as its code', shortenState),
  company(
    'company-alias',
    5,
    'another name that the directory records',
    (name, draws, draft, source) => {
      const aliases = companyOf(draft, source)?.aliases.filter((alias) => alias !== name) ?? [];
      return aliases.length === 0 ? name : draws.pick(aliases);
    },
  ),
  company('company-article', 2, 'an article before the name', (name) =>
    name.startsWith('The ') ? name.slice(4) : `The ${name}`,
  ),
  company('company-bare', 3, 'without signs and small words', dropSmallWords),
  company('company-site-lost', 3, 'without its site or campus', dropSite),
  company('company-number', 3, 'a number of the CRM in the cell', (name, draws) => {
    const number = String(10_000 + draws.below(89_999));
    return draws.pick([`${name} (${number})`, `ACC-${number} ${name}`, `${name} #${number}`]);
  }),
  company('company-joined', 2, 'without spaces', (name) => name.replace(/ /g, '')),
  company('company-doubled', 1, 'a letter written twice in a short name', doubleLetter),
  company(
    'company-two',
    2,
    'a former and the current employer in the cell',
    (name, draws, draft) => {
      const other = currentOf(draft);
      if (!other) return name;
      return draws.pick([`${other.company} (formerly ${name})`, `${name} / ${other.company}`]);
    },
  ),
  company('company-former', 2, 'marked as a former employer', (name, draws) =>
    draws.pick([`ex-${name}`, `formerly ${name}`, `${name} (former)`, `${name} (retired)`]),
  ),
];

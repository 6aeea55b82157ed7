// The sandbox's directory: fictional people and companies, always the same, that cover every job
// level, function, industry, employee and revenue range, and the contacts that a directory can
// answer. Imported like any other list when the staging environment is first opened.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jobFunctions, jobLevels } from '../directory/normalize/classify-title.ts';
import { employeeRangeNames, revenueRangeNames } from '../directory/normalize/ranges.ts';
import { readWords } from '../platform/read-words.ts';
import { formatRecord } from '../spreadsheet/format-record.ts';
import {
  sandboxContacts,
  sandboxDomain,
  sandboxEmail,
  sandboxObservedOn,
} from './sandbox-contacts.ts';

export const sandboxSource = 'Sandbox';

type Line = Readonly<Record<string, string>>;

const lists = new Map(readWords('sandbox'));
const listOf = (name: string): readonly string[] => lists.get(name) ?? [];
const industries = listOf('industries');
const companyWords = listOf('company words');
const companyKinds = listOf('company kinds');
const firstNames = listOf('first names');
const lastNames = listOf('last names');
const places = [
  { city: 'Springfield', state: 'IL', country: 'US' },
  { city: 'Toronto', state: 'ON', country: 'CA' },
  { city: 'Leeds', state: '', country: 'GB' },
  { city: 'Bremen', state: '', country: 'DE' },
  { city: 'Lyon', state: '', country: 'FR' },
  { city: 'Utrecht', state: '', country: 'NL' },
];

const at = <Value>(list: readonly Value[], index: number): Value => list[index % list.length]!;

/** A number from the North American range for fictional use. */
const phoneOf = (area: number, line: number): string =>
  `+1${area}55501${String(line).padStart(2, '0')}`;

function listCompanies(): Line[] {
  const pairs = employeeRangeNames.flatMap((employees) =>
    revenueRangeNames.map((revenue) => ({ employees, revenue })),
  );
  const companies = pairs.map(({ employees, revenue }, nth) => {
    const kind = at(companyKinds, Math.floor(nth / companyWords.length));
    const name = `${at(companyWords, nth)} ${kind}`;
    const domain = `${name.toLowerCase().replace(' ', '-')}.example`;
    return {
      company_id: `sandbox-company-${nth + 1}`,
      name,
      industry: at(industries, nth),
      employees,
      revenue,
      domain,
      website: `https://www.${domain}`,
      street: `${nth + 1} Market Street`,
      ...at(places, nth),
      postal_code: String(10_001 + nth),
      phone: phoneOf(312, nth),
    };
  });
  const own = {
    company_id: 'sandbox-company',
    name: 'Sandbox Works',
    industry: 'Information technology',
    employees: '51-200',
    revenue: '$10M-$50M',
    domain: sandboxDomain,
    website: `https://www.${sandboxDomain}`,
    street: '1 Test Street',
    ...places[0],
    postal_code: '62701',
    phone: phoneOf(217, 0),
  };
  return [own, ...companies];
}

function listCrowd(companies: readonly Line[]): Line[] {
  const pairs = jobFunctions.flatMap((jobFunction) =>
    jobLevels.map((jobLevel) => ({ job_function: jobFunction, job_level: jobLevel })),
  );
  return pairs.map((pair, nth) => {
    const [first, last] = [at(firstNames, nth), at(lastNames, Math.floor(nth / firstNames.length))];
    const company = at(companies, nth);
    const mailbox = `${first}.${last}`.toLowerCase();
    return {
      person_id: `sandbox-person-${nth + 1}`,
      first_name: first,
      last_name: last,
      title: `${pair.job_level}, ${pair.job_function}`,
      ...pair,
      email: `${mailbox}@${company.domain}`,
      email_status: 'valid',
      company_id: company.company_id ?? '',
      company_name: company.name ?? '',
      is_current: 'true',
      start_date: '2021-03-01',
      ...at(places, nth),
      profile_url: `https://${sandboxDomain}/in/${mailbox.replace('.', '-')}`,
      ...(nth % 2 === 0 ? { mobile_phone: phoneOf(646, Math.floor(nth / 2)) } : {}),
    };
  });
}

function describeContact(mailbox: string, first: string, last: string, more: Line): Line {
  return {
    person_id: `sandbox-${mailbox}`,
    first_name: first,
    last_name: last,
    title: 'Account Manager',
    job_function: 'Sales',
    job_level: 'Manager',
    email: sandboxEmail(mailbox),
    email_status: 'valid',
    company_id: 'sandbox-company',
    company_name: 'Sandbox Works',
    ...places[0],
    is_current: 'true',
    start_date: '2022-01-10',
    profile_url: `https://${sandboxDomain}/in/${mailbox}`,
    ...more,
  };
}

/** The contacts by name. Contacts that are not in the directory are in sandbox-provider.ts. */
function listContacts(companies: readonly Line[]): Line[] {
  const next = companies[1] ?? {};
  const { enriched, moved, left, phone, ambiguous, suppressed } = sandboxContacts;
  const ended = { is_current: 'false', end_date: '2026-05-31' };
  const [mobile, direct] = [phoneOf(217, 50), phoneOf(217, 51)];
  const twin = (nth: number) =>
    describeContact(ambiguous, 'Robin', 'Twain', {
      person_id: `sandbox-${ambiguous}-${nth}`,
      profile_url: `https://${sandboxDomain}/in/${ambiguous}-${nth}`,
    });
  return [
    describeContact(enriched, 'Erin', 'Richards', { mobile_phone: phoneOf(217, 40) }),
    describeContact(moved, 'Morgan', 'Vance', ended),
    describeContact(moved, 'Morgan', 'Vance', {
      title: 'Sales Director',
      job_level: 'Director',
      start_date: '2026-06-01',
      company_id: next.company_id ?? '',
      company_name: next.name ?? '',
      email: `morgan.vance@${next.domain}`,
    }),
    describeContact(left, 'Lee', 'Farrow', ended),
    describeContact(phone, 'Phoebe', 'Dial', { mobile_phone: mobile, direct_phone: direct }),
    twin(1),
    twin(2),
    describeContact(suppressed, 'Sasha', 'Quiet', { suppressed: 'true' }),
  ];
}

function writeList(path: string, lines: readonly Line[]): void {
  const headers = [...new Set(lines.flatMap((line) => Object.keys(line)))];
  const rows = lines.map((line) => headers.map((header) => line[header] ?? ''));
  writeFileSync(path, [headers, ...rows].map((cells) => formatRecord(cells)).join(''), {
    mode: 0o600,
  });
}

/** Writes the sandbox's lists to a folder. Returns how to import them. */
export function writeSandboxLists(dir: string) {
  const [peoplePath, companiesPath] = [join(dir, 'people.csv'), join(dir, 'companies.csv')];
  const companies = listCompanies();
  writeList(companiesPath, companies);
  writeList(peoplePath, [...listContacts(companies), ...listCrowd(companies)]);
  return {
    peoplePath,
    companiesPath,
    source: sandboxSource,
    observed: sandboxObservedOn,
    trust: 0.95,
  };
}

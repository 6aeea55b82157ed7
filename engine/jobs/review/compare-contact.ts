// Compares a row with a candidate, field by field: the evidence that a reviewer sees.
import type { MatchField } from '../../contract/jobs/job.ts';
import type { Evidence, Verdict } from '../../contract/jobs/review.ts';
import type { RowInputField } from '../../contract/jobs/row-input.ts';
import type { NameVerdicts } from '../../directory/match/compare-names.ts';
import { countryCode } from '../../directory/normalize/country-code.ts';
import { type ComparedField, fieldKeys } from '../../directory/normalize/field-keys.ts';
import { emailDomain, isRoleMailbox } from '../../directory/normalize/normalize-email.ts';
import { registrableDomain } from '../../directory/normalize/reference-tables.ts';
import { countEdits, sliceOf } from '../../directory/normalize/similarity.ts';
import { meantUuidSql } from '../../directory/read/merged-people.ts';
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';

export type RowValues = Partial<Record<RowInputField, string>>;

/** The directory's values of a candidate. Lists have every value, the current one first. */
export interface KnownContact {
  /** person.id; 0 of a company. */
  readonly id: number;
  readonly firstName: string;
  readonly lastName: string;
  readonly country: string;
  readonly titles: readonly string[];
  readonly companies: readonly string[];
  readonly domains: readonly string[];
  readonly emails: readonly string[];
  readonly urls: readonly string[];
  readonly phones: readonly string[];
}

const contactSql = `
  SELECT p.id, p.first_name AS firstName, p.last_name AS lastName, ifnull(p.country, '') AS country,
    (SELECT json_group_array(json_object('title', e.title, 'email', e.email, 'company', c.name,
       'domain', c.domain) ORDER BY e.is_current DESC, e.is_primary DESC, e.id)
     FROM employment e LEFT JOIN company c ON c.id = e.company_id
     WHERE e.person_id = p.id) AS jobs,
    (SELECT json_group_array(json_object('kind', kind, 'value', value))
     FROM person_key WHERE person_id = p.id) AS keys,
    (SELECT json_group_array(number) FROM person_phone WHERE person_id = p.id) AS phones,
    p.profile_key AS profileKey
  FROM person p WHERE p.uuid = ${meantUuidSql('main', '@uuid')} AND p.suppressed = 0`;

interface ContactRecord {
  readonly id: number;
  readonly firstName: string;
  readonly lastName: string;
  readonly country: string;
  readonly jobs: string;
  readonly keys: string;
  readonly phones: string;
  readonly profileKey: string | null;
}

interface CompanyRecord {
  readonly country: string;
  readonly names: string;
  readonly domain: string | null;
}

const companySql = `SELECT ifnull(c.country, '') AS country, c.domain,
    json_insert((SELECT json_group_array(name) FROM company_alias WHERE company_id = c.id),
      '$[#]', c.name) AS names
  FROM company c WHERE c.uuid = ? AND c.listed = 0`;

/** The directory's values of a company; null if it is unknown or suppressed. */
function readKnownCompany(directory: ReadableDatabase, uuid: string): KnownContact | null {
  const found = statement<CompanyRecord>(directory, companySql).get(uuid);
  if (!found) return null;
  const none = { titles: [], emails: [], urls: [], phones: [] };
  return {
    ...none,
    id: 0,
    firstName: '',
    lastName: '',
    country: found.country,
    companies: (JSON.parse(found.names) as string[]).reverse(),
    domains: found.domain === null ? [] : [found.domain],
  };
}

/** The directory's values of a candidate; null if the record is unknown or suppressed. */
export function readKnownContact(directory: ReadableDatabase, uuid: string): KnownContact | null {
  const found = statement<ContactRecord>(directory, contactSql).get({ uuid });
  if (!found) return readKnownCompany(directory, uuid);
  const jobs = JSON.parse(found.jobs) as Record<'title' | 'email' | 'company' | 'domain', string>[];
  const keys = JSON.parse(found.keys) as { kind: 'profile_url' | 'email'; value: string }[];
  const listOf = (values: readonly (string | null)[]) =>
    [...new Set(values)].filter((value): value is string => value !== null && value !== '');
  const keysOf = (kind: string) =>
    keys.filter((key) => key.kind === kind).map(({ value }) => value);
  return {
    id: found.id,
    firstName: found.firstName,
    lastName: found.lastName,
    country: found.country,
    titles: listOf(jobs.map(({ title }) => title)),
    companies: listOf(jobs.map(({ company }) => company)),
    domains: listOf(jobs.map(({ domain }) => domain)),
    emails: listOf([...jobs.map(({ email }) => email), ...keysOf('email')]),
    urls: listOf([found.profileKey, ...keysOf('profile_url')]),
    phones: JSON.parse(found.phones) as string[],
  };
}

/** The second operand of `countEdits`: `sliceOf` has one buffer, which the first operand uses. */
const codesOf = (text: string) => ({
  codes: Uint16Array.from(text, (_letter, at) => text.charCodeAt(at)),
  start: 0,
  length: text.length,
});

/** Compares keys: equal, different in a few letters, or one inside the other. */
function compareAs(field: 'company_name' | 'title', one: string, other: string): Verdict {
  const [given, known] = [fieldKeys[field](one), fieldKeys[field](other)];
  if (given === known) return 'same';
  const longest = Math.max(given.length, known.length);
  const editsMax = longest < 5 ? 0 : longest < 9 ? 1 : 2;
  if (editsMax > 0 && countEdits(sliceOf(given), codesOf(known), editsMax) <= editsMax)
    return 'similar';
  const shorter = Math.min(given.length, known.length);
  return shorter >= 4 && (given.includes(known) || known.includes(given)) ? 'similar' : 'different';
}

const ranks: readonly Verdict[] = ['same', 'similar', 'different'];
const bestOf = (found: readonly Verdict[]): Verdict =>
  ranks.find((verdict) => found.includes(verdict)) ?? 'different';

const worseOf = (one: Verdict, other: Verdict): Verdict =>
  ranks.indexOf(one) > ranks.indexOf(other) ? one : other;

const isWholeName = ({ first_name: first = '', last_name: last = '' }: RowValues): boolean =>
  last.trim() === '' && /\S[\s,]+\S/.test(first.trim());

function isAmong(
  field: ComparedField,
  given: string,
  known: readonly string[],
  country = '',
): Verdict {
  const code = countryCode(country);
  const key = fieldKeys[field](given, code);
  const isSame = key !== '' && known.some((value) => fieldKeys[field](value, code) === key);
  return isSame ? 'same' : 'different';
}

/** The kind of an email or of a profile: only values of one kind can differ. */
const kinds: Readonly<Record<'email' | 'profile_url', (key: string) => string>> = {
  email: (key) => (isRoleMailbox(key) ? 'office' : registrableDomain(emailDomain(key))),
  profile_url: (key) => registrableDomain(key.split('/', 1)[0] ?? ''),
};

/** The known values of the kind of the given one. */
const ofKind = (field: keyof typeof kinds, given: string, known: readonly string[]): string[] => {
  const kindOf = (value: string) => kinds[field](fieldKeys[field](value));
  return known.filter((value) => kindOf(value) === kindOf(given));
};

/** Compares with the known values of the same kind. */
function compareKind(field: keyof typeof kinds, given: string, known: readonly string[]): Verdict {
  const comparable = ofKind(field, given, known);
  return comparable.length > 0 ? isAmong(field, given, comparable) : 'other_kind';
}

const noNames: NameVerdicts = { first: 'different', last: 'different' };

interface FieldComparison {
  compare(given: string, contact: KnownContact, row: RowValues, names: NameVerdicts): Verdict;
  has(contact: KnownContact): boolean;
  known(contact: KnownContact, row: RowValues): string;
}

/** What REST does not show before it is paid for: a review then shows only whether they agree. */
const paidFields: readonly MatchField[] = ['profile_url', 'email', 'phone'];

const comparisons: Readonly<Record<MatchField, FieldComparison>> = {
  // The ids of own lists are with each candidate's record, not among its values.
  client_reference_id: { compare: () => 'different', has: () => false, known: () => '' },
  profile_url: {
    compare: (given, { urls }) => compareKind('profile_url', given, urls),
    has: ({ urls }) => urls.length > 0,
    known: ({ urls }, { profile_url: given = '' }) =>
      ofKind('profile_url', given, urls)[0] ?? urls[0] ?? '',
  },
  email: {
    compare: (given, { emails }) => compareKind('email', given, emails),
    has: ({ emails }) => emails.length > 0,
    known: ({ emails }, { email: given = '' }) =>
      ofKind('email', given, emails)[0] ?? emails[0] ?? '',
  },
  first_name: {
    // Without a last name of its own the row has the whole name in one column.
    compare: (_given, _contact, row, { first, last }) =>
      isWholeName(row) ? worseOf(first, last) : first,
    has: ({ firstName }) => firstName !== '',
    known: ({ firstName, lastName }, row) =>
      isWholeName(row) ? `${firstName} ${lastName}`.trim() : firstName,
  },
  last_name: {
    compare: (_given, _contact, _row, { last }) => last,
    has: ({ lastName }) => lastName !== '',
    known: ({ lastName }) => lastName,
  },
  company_name: {
    compare: (given, { companies }) =>
      bestOf(companies.map((name) => compareAs('company_name', given, name))),
    has: ({ companies }) => companies.length > 0,
    known: ({ companies }) => companies[0] ?? '',
  },
  company_domain: {
    compare: (given, { domains }) => isAmong('company_domain', given, domains),
    has: ({ domains }) => domains.length > 0,
    known: ({ domains }) => domains[0] ?? '',
  },
  title: {
    compare: (given, { titles }) => bestOf(titles.map((title) => compareAs('title', given, title))),
    has: ({ titles }) => titles.length > 0,
    known: ({ titles }) => titles[0] ?? '',
  },
  phone: {
    compare: (given, { phones, country }, row) =>
      isAmong('phone', given, phones, row.country ?? country),
    has: ({ phones }) => phones.length > 0,
    known: ({ phones }) => phones[0] ?? '',
  },
  country: {
    compare: (given, { country }) => isAmong('country', given, [country]),
    has: ({ country }) => country !== '',
    known: ({ country }) => country,
  },
};

/**
 * Compares each value of a row with a candidate. A field that is empty on either side is left out,
 * except an email, phone or profile URL that is shown and that the row lacks.
 * @param names how the names agree; null if it is not known, then they are left out
 * @param showsPaid whether emails, phones and profile URLs are shown
 */
export function compareContact(
  row: RowValues,
  contact: KnownContact,
  names: NameVerdicts | null,
  { showsPaid }: { readonly showsPaid: boolean },
): Evidence[] {
  return (Object.keys(comparisons) as MatchField[]).flatMap((field) => {
    const given = (row[field] ?? '').trim();
    const { compare, has, known } = comparisons[field];
    const isName = field === 'first_name' || field === 'last_name';
    const isPaid = paidFields.includes(field);
    if (!has(contact) || (isName && names === null)) return [];
    if (given === '')
      return isPaid && showsPaid
        ? [{ field, given, known: known(contact, row), verdict: 'not_given' }]
        : [];
    const verdict = compare(given, contact, row, names ?? noNames);
    const shown = showsPaid || !isPaid ? known(contact, row) : '';
    return [{ field, given, known: shown, verdict }];
  });
}

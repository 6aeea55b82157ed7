// Parses and normalises one row of a list of people: a person, one employment, its company.
import { isOthersPage, isSalutation, readFlag } from '../../../spreadsheet/column-values.ts';
import { saysOptOut } from '../../../spreadsheet/opt-out-status.ts';
import { readMailbox, readNameCell } from '../../../spreadsheet/several-people.ts';
import { isOrganisationName } from '../../names/organisation-name.ts';
import { classifyTitle, readLevel } from '../../normalize/classify-title.ts';
import { lastNameKey } from '../../normalize/compatible-names.ts';
import { isOngoing } from '../../normalize/normalize-date.ts';
import { isRoleMailbox, normalizeEmail } from '../../normalize/normalize-email.ts';
import {
  dropWordsAround,
  normalizeUrl,
  profileUrlKey,
  websiteDomain,
} from '../../normalize/normalize-url.ts';
import { readEmails } from '../../normalize/read-cell.ts';
import { readOptOut } from '../../normalize/read-opt-out.ts';
import type { Values } from '../../normalize/record-fields.ts';
import {
  cleanNames,
  type SplitName,
  splitName,
  splitWholeName,
  type WholeName,
} from '../../normalize/split-name.ts';
import type { RemarkOnRow } from '../import-tally.ts';
import { recordUuid } from '../uuid-v5.ts';
import type { PersonField } from './import-columns.ts';
import { firstValue, type MappedColumns, readRow } from './map-columns.ts';
import { type CompanyFacts, joinSpaces, keepFilled, splitNames } from './read-company-row.ts';
import {
  readDate,
  readEmail,
  readEmailStatus,
  readEmployees,
  readObserved,
  readPhone,
  readRevenue,
} from './read-values.ts';

export interface RowPhone {
  readonly kind: 'mobile' | 'direct';
  readonly number: string;
}

export interface EmploymentFacts {
  readonly company: CompanyFacts | null;
  readonly values: Values<'employment'>;
}

export interface PersonPart {
  /** The id in the source; '' if there is none. */
  readonly givenId: string;
  /** The UUID of the given id; '' if there is none. */
  readonly uuid: string;
  /** The key of values.profile_url; '' without one. */
  readonly profileKey: string;
  readonly lastKey: string;
  readonly values: Values<'person'>;
  readonly otherNames: readonly SplitName[];
  readonly phones: readonly RowPhone[];
  readonly personalEmail: string;
}

export interface PersonFacts {
  readonly line: number;
  /** The same object as in the previous row, if both rows have the same data about the person. */
  readonly person: PersonPart;
  readonly employment: EmploymentFacts | null;
  /** How current the row's employment is; highest for the primary current job. */
  readonly rank: number;
  readonly observedOn: string;
  /** The kept columns, as MappedColumns.keep returns them. */
  readonly kept: string;
}

type Read = (field: PersonField) => string;
type Columns = MappedColumns<PersonField>;

interface Row {
  readonly columns: Columns;
  readonly cells: readonly string[];
  readonly hasAddressInName: boolean;
}

interface OwnName {
  readonly text: string;
  readonly split: () => WholeName;
}

const nameFields = ['first_name', 'last_name', 'full_name'] as const;

/** The name in the columns of names; null if they are empty or have an address alone. */
function readOwnName({ columns, cells, hasAddressInName }: Row): OwnName | null {
  const read = (text: string): string => (hasAddressInName ? readNameCell(text).name : text);
  const first = read(columns.read(cells, 'first_name'));
  const last = read(columns.read(cells, 'last_name'));
  if (first || last)
    return { text: `${first} ${last}`.trim(), split: () => cleanNames(first, last) };
  const [whole] = columns.list(cells, 'full_name');
  const text = whole === undefined ? '' : read(whole.text);
  if (whole === undefined || text === '') return null;
  return { text, split: () => splitWholeName(text, columns.isLastFirst(whole.header)) };
}

/** The name next to an email address; empty if there is none. */
function readNameByEmail({ columns, cells }: Row): WholeName {
  const filled = [...columns.list(cells, 'email'), ...columns.list(cells, 'personal_email')];
  const named = filled.map(({ text }) => readMailbox(text)).find((mailbox) => mailbox !== null);
  return splitWholeName(named?.name ?? '');
}

/** The address in the columns of names, in lower case of its domain; null without one. */
function readEmailInName({ columns, cells, hasAddressInName }: Row): string | null {
  if (!hasAddressInName) return null;
  const filled = nameFields.flatMap((field) => columns.list(cells, field));
  const found = filled.map(({ text }) => readNameCell(text).email).find(Boolean);
  return found === undefined ? null : normalizeEmail(found);
}

function readRowEmail(row: Row, remark: RemarkOnRow): string {
  const { columns, cells } = row;
  const email = readEmail(columns.list(cells, 'email'), remark);
  const other = readEmailInName(row);
  if (other === null || email.toLowerCase() === other.toLowerCase()) return email;
  const isKnown = columns
    .list(cells, 'personal_email')
    .some(({ text }) => readEmails(text).includes(other));
  if (isKnown) return email;
  if (email === '') return other;
  remark(`${other} next to the name is not the email address ${email}, and was omitted.`);
  return email;
}

// Fields about an employer besides name and id.
const employerFields: readonly PersonField[] = [
  'company_domain',
  'company_country',
  'company_phone',
  'industry',
  'employees',
  'revenue',
  'company_street',
  'company_city',
  'company_state',
  'company_postal_code',
];

function readCompany(
  read: Read,
  { columns, cells }: Row,
  hasDetails: boolean,
  organisation: string,
  remark: RemarkOnRow,
): CompanyFacts | null {
  const name = joinSpaces(read('company_name') || organisation);
  const givenId = read('company_id');
  if (name === '' && givenId === '') return null;
  if (!hasDetails)
    return { givenId, values: { name: name || givenId }, aliases: [], observedOn: '', kept: '' };
  const [site, country] = [read('company_domain'), read('company_country')];
  const phones = columns.list(cells, 'company_phone');
  const phone = readPhone(phones, country || read('country'), remark);
  return {
    givenId,
    values: keepFilled({
      name: name || givenId,
      website: normalizeUrl(site) && site,
      domain: websiteDomain(site),
      industry: read('industry'),
      employee_range: readEmployees(columns.list(cells, 'employees'), remark),
      revenue_range: readRevenue(columns.list(cells, 'revenue'), remark),
      street: read('company_street'),
      city: read('company_city'),
      state: read('company_state'),
      country,
      postal_code: read('company_postal_code'),
      phone,
      employees: read('employees'),
      revenue: read('revenue'),
    }),
    aliases: [],
    observedOn: '',
    kept: '',
  };
}

const dayMs = 86_400_000;
let today = { number: 0, date: '' };

/** Today's date, computed once a day. */
function readToday(): string {
  const number = Math.floor(Date.now() / dayMs);
  if (number !== today.number) today = { number, date: new Date().toISOString().slice(0, 10) };
  return today.date;
}

function readEmployment(
  read: Read,
  row: Row,
  company: CompanyFacts | null,
  remark: RemarkOnRow,
): EmploymentFacts | null {
  const { columns, cells } = row;
  const titles = columns.list(cells, 'title').filter(({ text }) => !isSalutation(text));
  const title = joinSpaces(firstValue(titles[0]?.text ?? ''));
  // ZoomInfo numbers its levels in a column of their own.
  const level = columns.list(cells, 'job_level').find(({ text }) => /\p{L}/u.test(text))?.text;
  const email = readRowEmail(row, remark);
  if (!company && title === '' && email === '') return null;
  const endOn = readDate(read('end_on'), columns.dayOrder, columns.headerOf('end_on'), remark);
  const hasEnded = endOn !== '' && endOn < readToday().slice(0, endOn.length);
  const isCurrent = readFlag(read('is_current')) ?? (isOngoing(read('end_on')) || !hasEnded);
  const titleClass = classifyTitle(title);
  return {
    company,
    values: keepFilled({
      title,
      job_function: read('job_function') || titleClass.jobFunction,
      job_level: level === undefined ? titleClass.jobLevel : readLevel(level),
      email,
      email_status: readEmailStatus(email, read('email_status')),
      start_on: readDate(read('start_on'), columns.dayOrder, columns.headerOf('start_on'), remark),
      end_on: endOn,
      is_current: isCurrent ? '1' : '0',
      is_primary: (readFlag(read('is_primary')) ?? true) ? '1' : '0',
    }),
  };
}

const phoneKinds = [
  ['mobile_phone', 'mobile'],
  ['direct_phone', 'direct'],
  ['phone', 'direct'],
] as const;

function readPhones(read: Read, { columns, cells }: Row, remark: RemarkOnRow): RowPhone[] {
  return phoneKinds.flatMap(([field, kind]) => {
    const filled = columns.list(cells, field);
    if (filled.length === 0) return [];
    const country = read('country') || read('company_country');
    const number = readPhone(filled, country, remark);
    return number ? [{ kind, number }] : [];
  });
}

const optOutKinds = [
  ['suppressed', 'opt_out'],
  ['subscription', 'status'],
  ['consent', 'consent'],
] as const;

function hasOptedOut({ columns, cells }: Row): boolean {
  return (
    columns.statuses.some((at) => saysOptOut(cells[at] ?? '')) ||
    optOutKinds.some(([field, kind]) =>
      columns.list(cells, field).some(({ text }) => readOptOut(text, kind)),
    )
  );
}

/** A page by a member's number, which scrapers write next to the public one. */
const memberId = /\/in\/AC[ow]AA/;

/** The first page that may be the person's own; pages of companies and of searches are none. */
function readUrl({ columns, cells }: Row, remark: RemarkOnRow): string {
  const own = columns.list(cells, 'profile_url').filter(({ text }) => !isOthersPage(text));
  const best = own.find(({ text }) => !memberId.test(text)) ?? own[0];
  const { text, header } = best ?? { text: '', header: '' };
  const url = text === '' ? '' : normalizeUrl(dropWordsAround(text));
  if (url === null)
    remark(`${JSON.stringify(text.slice(0, 60))} is not a URL and was omitted.`, header);
  return url ?? '';
}

// The columns of PersonPart: rows with equal values here have the same data about the person.
const personFields = [
  'id',
  'first_name',
  'middle_name',
  'last_name',
  'full_name',
  'suffix',
  'nickname',
  'profile_url',
  'city',
  'state',
  'country',
  'location',
  'suppressed',
  'subscription',
  'consent',
  'other_names',
  'mobile_phone',
  'direct_phone',
  'phone',
  'personal_email',
  'company_country',
] as readonly PersonField[];

interface ReadPerson {
  readonly person: PersonPart;
  readonly isNamed: boolean;
  /** The name of an organisation in the columns of names; '' if they name a person. */
  readonly organisation: string;
  readonly remarks: readonly Parameters<RemarkOnRow>[];
}

function readPerson(read: Read, row: Row, remark: RemarkOnRow): ReadPerson {
  const { columns, cells } = row;
  const remarks: Parameters<RemarkOnRow>[] = [];
  const remarkLater: RemarkOnRow = (...words) => remarks.push(words);
  const written = readOwnName(row);
  const isOrganisation = written && isOrganisationName(written.text, read('company_name'));
  const organisation = isOrganisation ? written.text : '';
  const ownName = organisation === '' ? written : null;
  const name = ownName?.split() ?? readNameByEmail(row);
  const profileUrl = readUrl(row, remark);
  const givenId = read('id');
  const person: PersonPart = {
    givenId,
    uuid: givenId === '' ? '' : recordUuid('person', givenId),
    profileKey: profileUrl === '' ? '' : profileUrlKey(profileUrl),
    lastKey: lastNameKey(name),
    values: keepFilled({
      first_name: name.first,
      middle_name: read('middle_name'),
      last_name: name.last,
      suffix: read('suffix') || name.suffix,
      nickname: read('nickname') || name.nickname,
      profile_url: profileUrl,
      city: read('city'),
      state: read('state'),
      country: read('country'),
      opted_out: hasOptedOut(row) ? '1' : '',
    }),
    otherNames: splitNames(read('other_names')).map(splitName),
    phones: readPhones(read, row, remarkLater),
    personalEmail: readEmail(columns.list(cells, 'personal_email'), remarkLater),
  };
  return { person, isNamed: ownName !== null, organisation, remarks };
}

/** Facts of no person are of the company of their employment, found in the column of names. */
export function tellsNobody({
  person: { values },
  employment,
}: Pick<PersonFacts, 'person' | 'employment'>): boolean {
  const { first_name: first, last_name: last, profile_url: url } = values;
  return !first && !last && !url && !employment?.values.email;
}

const nobody: PersonPart = {
  givenId: '',
  uuid: '',
  profileKey: '',
  lastKey: '',
  values: {},
  otherNames: [],
  phones: [],
  personalEmail: '',
};

/** The facts of a row about a company: its place and phone are the company's. */
function describeCompany(company: CompanyFacts, facts: PersonFacts): PersonFacts {
  const { values, phones } = facts.person;
  const own = keepFilled({
    city: values.city ?? '',
    state: values.state ?? '',
    country: values.country ?? '',
    phone: phones[0]?.number ?? '',
  });
  const { observedOn, kept } = facts;
  const whole = { ...company, values: { ...own, ...company.values }, observedOn, kept };
  return { ...facts, person: nobody, employment: { company: whole, values: {} } };
}

function sayOrganisation(
  organisation: string,
  company: CompanyFacts | null,
  isCompany: boolean,
): string {
  const named = `${JSON.stringify(organisation.slice(0, 60))} is the name of an organisation`;
  const name = company?.values.name ?? '';
  const other = name === joinSpaces(organisation) ? '' : ` ${JSON.stringify(name)}`;
  if (isCompany) return `${named}: the row became the company${other}, and no person.`;
  return other === ''
    ? `${named}: it was taken as the company, and the person has no name.`
    : `${named}, and was omitted.`;
}

/** Parses a row; null (with a remark that says why) if it identifies no person. */
export type PersonReader = (
  cells: readonly string[],
  line: number,
  remark: RemarkOnRow,
) => PersonFacts | null;

/**
 * Creates a parser of a list of people. Rows of one person are mostly adjacent: data about the
 * person that equals the previous row's is not parsed again.
 */
export function createPersonReader(columns: Columns): PersonReader {
  const places = [...columns.placesOf(personFields), ...columns.statuses, ...columns.labels];
  const namePlaces = columns.placesOf(nameFields);
  const hasDetails = columns.placesOf(employerFields).length > 0;
  let before: { readonly cells: readonly string[]; readonly person: PersonPart } | null = null;
  return (cells, line, remark) => {
    const read: Read = readRow(columns, cells);
    const last = before;
    const isSame = last !== null && places.every((at) => cells[at] === last.cells[at]);
    let urlRemarks = 0;
    const remarkOnUrl: RemarkOnRow = (...words) => {
      urlRemarks++;
      remark(...words);
    };
    const hasAddressInName = namePlaces.some((at) => cells[at]?.includes('@'));
    const row = { columns, cells, hasAddressInName };
    const { person, isNamed, organisation, remarks } = isSame
      ? { person: last.person, isNamed: true, organisation: '', remarks: [] }
      : readPerson(read, row, remarkOnUrl);
    const company = readCompany(read, row, hasDetails, organisation, remark);
    const employment = readEmployment(read, row, company, remark);
    // Remarks must be repeated on every row.
    before = isNamed && urlRemarks + remarks.length === 0 ? { cells, person } : null;
    const email = employment?.values.email ?? '';
    const isCompany =
      organisation !== '' &&
      company !== null &&
      (email === '' || isRoleMailbox(email)) &&
      !(person.values.last_name || person.values.first_name || person.values.profile_url);
    if (organisation !== '') remark(sayOrganisation(organisation, company, isCompany));
    else if (person.givenId === '' && tellsNobody({ person, employment })) {
      remark(
        'The row was refused because it has no name, email or profile URL. Fill in one of them.',
      );
      return null;
    }
    for (const words of remarks) remark(...words);
    const { is_current: isCurrent, is_primary: isPrimary } = employment?.values ?? {};
    const rank = Number(isCurrent ?? 0) * 2 + Number(isPrimary ?? 0);
    const facts: PersonFacts = {
      line,
      person,
      employment,
      rank,
      observedOn: readObserved(
        read('observed_on'),
        columns.dayOrder,
        columns.headerOf('observed_on'),
        remark,
      ),
      kept: columns.keep(cells),
    };
    return isCompany ? describeCompany(company, facts) : facts;
  };
}

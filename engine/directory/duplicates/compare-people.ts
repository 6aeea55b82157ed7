/**
 * How likely two people of the directory are one. The odds begin with how often two people share
 * such a name at one employer; what else agrees or differs multiplies them (decision 049).
 */
import { createNumberCache } from '../../platform/bounded-cache.ts';
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';
import type { MatchIndex } from '../index/index-layout.ts';
import { foldText } from '../normalize/fold-text.ts';
import { emailDomain, isRoleMailbox } from '../normalize/normalize-email.ts';
import { normalizeName } from '../normalize/normalize-name.ts';
import { isFreeMailDomain } from '../normalize/reference-tables.ts';
import { areMiddlesApart, createNameGrader, type RecordName } from './grade-names.ts';

interface ComparedPerson {
  readonly uuid: string;
  readonly name: RecordName;
  /** Folded; '' if unknown. */
  readonly middle: string;
  readonly profileKey: string;
  readonly city: string;
  readonly state: string;
  readonly country: string;
  /** In lower case, without role mailboxes. */
  readonly emails: readonly string[];
  readonly profiles: readonly string[];
  readonly phones: readonly string[];
  readonly titles: readonly string[];
  readonly hasCurrentJob: boolean;
}

interface PersonRow {
  readonly uuid: string;
  readonly first: string;
  readonly last: string;
  readonly middle: string;
  readonly suffix: string;
  readonly profileKey: string;
  readonly city: string;
  readonly state: string;
  readonly country: string;
  readonly emails: string;
  readonly profiles: string;
  readonly phones: string;
  readonly titles: string;
  readonly hasCurrentJob: 0 | 1;
}

const personSql = `SELECT p.uuid, p.first_name AS first, p.last_name AS last,
  ifnull(p.middle_name, '') AS middle, ifnull(p.suffix, '') AS suffix,
  ifnull(p.profile_key, '') AS profileKey, ifnull(p.city, '') AS city,
  ifnull(p.state, '') AS state, ifnull(p.country, '') AS country,
  (SELECT json_group_array(email) FROM
    (SELECT email FROM employment WHERE person_id = p.id AND email IS NOT NULL
     UNION SELECT value FROM person_key WHERE person_id = p.id AND kind = 'email')) AS emails,
  (SELECT json_group_array(value) FROM person_key
    WHERE person_id = p.id AND kind = 'profile_url') AS profiles,
  (SELECT json_group_array(number) FROM person_phone WHERE person_id = p.id) AS phones,
  (SELECT json_group_array(title) FROM employment
    WHERE person_id = p.id AND is_current AND title IS NOT NULL) AS titles,
  EXISTS (SELECT 1 FROM employment WHERE person_id = p.id AND is_current) AS hasCurrentJob
FROM person p WHERE p.id = ? AND p.suppressed = 0`;

/** A person; null if they are gone or suppressed. @param id person.id */
function readComparedPerson(db: ReadableDatabase, id: number): ComparedPerson | null {
  const row = statement<PersonRow>(db, personSql).get(id);
  if (!row) return null;
  const { first, last, suffix } = row;
  const lower = (JSON.parse(row.emails) as string[]).map((email) => email.toLowerCase());
  const profiles = JSON.parse(row.profiles) as string[];
  return {
    uuid: row.uuid,
    name: { first, last, suffix },
    middle: foldText(row.middle) || normalizeName(first, last).middle,
    profileKey: row.profileKey,
    city: foldText(row.city),
    state: foldText(row.state),
    country: foldText(row.country),
    emails: lower.filter((email) => !isRoleMailbox(email)),
    profiles: [row.profileKey, ...profiles].filter((key) => key !== ''),
    phones: JSON.parse(row.phones) as string[],
    titles: (JSON.parse(row.titles) as string[]).map(foldText),
    hasCurrentJob: row.hasCurrentJob === 1,
  };
}

const companyPhoneSql = 'SELECT 1 FROM company WHERE phone = ? LIMIT 1';
const holdersSql = `SELECT count(DISTINCT person_id) AS count FROM person_phone WHERE number = ?`;
const ownersMax = 3;

/** Whether a number is neither a company's nor that of many people. */
const isOwnNumber = (db: ReadableDatabase, number: string): boolean =>
  !statement(db, companyPhoneSql).get(number) &&
  (statement<{ count: number }>(db, holdersSql).get(number)?.count ?? 0) <= ownersMax;

/** A share of the people of a directory that are in it twice. */
const duplicateShare = 0.01;
/** A smaller directory says no more of how rare a name is than one of so many people. */
const populationMin = 20_000;
const employerMin = 10;
const coincidenceMin = 1e-4;

/** By how much an agreement or a difference changes the odds. */
const factors = {
  sameEmail: 2_000,
  sameProfile: 5_000,
  samePhone: 30,
  sameTitle: 3,
  sameCity: 2,
  sameMiddle: 3,
  bothCurrent: 1.5,
  otherMailbox: 0.005,
  otherProfile: 0.01,
  otherMiddle: 0.003,
  otherCountry: 0.1,
  otherState: 0.3,
  otherCity: 0.4,
  otherPhone: 0.7,
  otherEmployer: 0.6,
} as const;

const share = (one: readonly string[], other: readonly string[]): boolean =>
  one.some((value) => other.includes(value));

/** Two addresses at one domain that is not free mail, and none in common. */
function haveOtherMailboxes(one: ComparedPerson, other: ComparedPerson): boolean {
  const domains = new Set(one.emails.map(emailDomain).filter((name) => !isFreeMailDomain(name)));
  return other.emails.some((email) => domains.has(emailDomain(email)));
}

const isMemberPage = (key: string): boolean => key.startsWith('linkedin.com/in/');

function compareIdentifiers(db: ReadableDatabase, a: ComparedPerson, b: ComparedPerson): number {
  let odds = 1;
  if (share(a.emails, b.emails)) odds *= factors.sameEmail;
  else if (haveOtherMailboxes(a, b)) odds *= factors.otherMailbox;
  if (share(a.profiles, b.profiles)) odds *= factors.sameProfile;
  else if (isMemberPage(a.profileKey) && isMemberPage(b.profileKey)) odds *= factors.otherProfile;
  const common = a.phones.filter((number) => b.phones.includes(number));
  if (common.some((number) => isOwnNumber(db, number))) odds *= factors.samePhone;
  else if (common.length === 0 && a.phones.length > 0 && b.phones.length > 0)
    odds *= factors.otherPhone;
  return odds;
}

function comparePlaces(a: ComparedPerson, b: ComparedPerson): number {
  if (a.country !== '' && b.country !== '' && a.country !== b.country) return factors.otherCountry;
  if (a.state !== '' && b.state !== '' && a.state !== b.state) return factors.otherState;
  if (a.city === '' || b.city === '') return 1;
  return a.city === b.city ? factors.sameCity : factors.otherCity;
}

/** The smallest employer of both people, as a number of people; null if they share none. */
function findCommonEmployer({ sections }: MatchIndex, one: number, other: number): number | null {
  const { jobStarts, jobs, companyGroups, groupPeopleStarts } = sections;
  const groupsOf = (person: number): number[] => {
    const groups: number[] = [];
    for (let at = jobStarts[person]!; at < jobStarts[person + 1]!; at++) {
      const company = jobs[at]! >>> 2;
      if (company > 0) groups.push(companyGroups[company - 1]!);
    }
    return groups;
  };
  const theirs = new Set(groupsOf(other));
  const sizes = groupsOf(one)
    .filter((group) => theirs.has(group))
    .map((group) => groupPeopleStarts[group + 1]! - groupPeopleStarts[group]!);
  return sizes.length > 0 ? Math.min(...sizes) : null;
}

/** A power of two. */
const rememberedPeople = 4_096;

/** A pair of people that is one person with a probability. */
export interface ComparedPair {
  readonly one: string;
  readonly other: string;
  readonly probability: number;
}

/** Creates a comparison of people by their numbers in an index. */
export function createPeopleComparison(db: ReadableDatabase, index: MatchIndex) {
  const gradeNames = createNameGrader(index);
  const { sections, peopleCount } = index;
  const { personIds, mainNames, firstCounts, lastCounts } = sections;
  const population = Math.max(peopleCount, populationMin);
  const read = createNumberCache(
    (person: number) => readComparedPerson(db, personIds[person]!),
    rememberedPeople,
  );
  /** How many other people have such a name by chance, among a number of people. */
  const coincidence = (person: number, among: number): number => {
    const first = Math.max(1, firstCounts[mainNames[person * 2]!]!);
    const last = Math.max(1, lastCounts[mainNames[person * 2 + 1]! >>> 1]!);
    return Math.max(coincidenceMin, (among * first * last) / (population * population));
  };
  /** Null if they are gone, suppressed, or have names of two people. */
  return (one: number, other: number): ComparedPair | null => {
    const [a, b] = [read(one), read(other)];
    if (!a || !b) return null;
    const names = Math.max(gradeNames(a.name, other), gradeNames(b.name, one));
    if (names === 0) return null;
    const employer = findCommonEmployer(index, one, other);
    const among = employer === null ? population : Math.max(employer, employerMin);
    const chance = Math.max(coincidence(one, among), coincidence(other, among));
    let odds = (duplicateShare / chance) * names;
    odds *= compareIdentifiers(db, a, b) * comparePlaces(a, b);
    if (areMiddlesApart(a.middle, b.middle)) odds *= factors.otherMiddle;
    else if (a.middle.length > 1 && a.middle === b.middle) odds *= factors.sameMiddle;
    if (employer !== null && share(a.titles, b.titles)) odds *= factors.sameTitle;
    if (a.hasCurrentJob && b.hasCurrentJob)
      odds *= employer === null ? factors.otherEmployer : factors.bothCurrent;
    return { one: a.uuid, other: b.uuid, probability: odds / (1 + odds) };
  };
}

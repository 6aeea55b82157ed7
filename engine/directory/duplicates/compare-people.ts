// How likely two people of the directory are one. The odds begin with how often two people share
// such a name at one employer; what else agrees or differs multiplies them (decision 049).
import { createNumberCache } from '../../platform/bounded-cache.ts';
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';
import type { MatchIndex } from '../index/index-layout.ts';
import { compareFirst } from '../match/graded/compare-first.ts';
import { compareLast } from '../match/graded/compare-last.ts';
import { type CountedWord, isKnownGiven } from '../match/graded/known-names.ts';
import {
  firstGroup,
  firstGroups,
  groupOfFirst,
  groupOfLast,
  lastGroup,
  lastGroups,
} from '../match/graded/levels.ts';
import { createPeopleReader } from '../match/graded/people-view.ts';
import { listPlainReadings } from '../match/graded/readings/read-row.ts';
import { isTestRow } from '../match/graded/readings/row-signs.ts';
import { createVocabulary } from '../match/graded/row-words.ts';
import { foldText } from '../normalize/fold-text.ts';
import { emailDomain, isRoleMailbox } from '../normalize/normalize-email.ts';
import { normalizeName } from '../normalize/normalize-name.ts';
import { isFreeMailDomain } from '../normalize/reference-tables.ts';

interface RecordName {
  readonly first: string;
  readonly last: string;
  readonly suffix: string;
}

/** How often the agreement of a part of two names is found in one person rather than in two. */
const firstWeights: Readonly<Partial<Record<(typeof firstGroups)[number], number>>> = {
  exact: 1,
  second: 0.3,
  nickname: 0.7,
  sibling: 0.1,
  middle: 0.15,
  middle_nickname: 0.1,
  typo: 0.1,
  typos: 0.03,
  cut: 0.1,
  cut_known: 0.02,
  spelling: 0.15,
  initial: 0.15,
  weak_initial: 0.05,
};
const lastWeights: Readonly<Partial<Record<(typeof lastGroups)[number], number>>> = {
  exact: 1,
  part: 0.4,
  typo: 0.25,
  typos: 0.05,
};

const weightOf = <Group extends string>(
  weights: Readonly<Partial<Record<Group, number>>>,
  groups: readonly Group[],
  group: number,
): number => weights[groups[group] as Group] ?? 0;

const isInitial = (text: string): boolean => text.length === 1;

/** Groups in which one of two first names may be the other, mistyped or cut. */
const inexact = new Set([
  firstGroup.typo,
  firstGroup.typos,
  firstGroup.cut,
  firstGroup.cut_known,
  firstGroup.spelling,
  firstGroup.far,
]);
const twoNamesWeight = 0.05;

/** Whether both first names are known as such: Roberta is rarely Robert mistyped. */
const areTwoNames = (
  index: MatchIndex,
  group: number,
  one: CountedWord | undefined,
  other: CountedWord | undefined,
): boolean =>
  inexact.has(group) &&
  one !== undefined &&
  other !== undefined &&
  isKnownGiven(index, one) &&
  isKnownGiven(index, other);

function createNameGrader(index: MatchIndex) {
  const vocabulary = createVocabulary(index);
  const readPerson = createPeopleReader(index, vocabulary);
  const sources = { vocabulary, orgScore: () => 0 };
  /**
   * The weight of the agreement, 0 to 1; 0 if the names are of two people.
   * @param name of the one person
   * @param person dense number of the other
   */
  return (name: RecordName, person: number): number => {
    const view = readPerson(person);
    const text = {
      first: name.first,
      last: `${name.last} ${name.suffix}`.trim(),
      company: '',
      inEmail: '',
      inUrl: '',
      title: '',
      display: '',
      emails: [],
      urls: [],
      phones: [],
      domains: [],
    };
    if (isTestRow(text)) return 0;
    let best = 0;
    for (const reading of listPlainReadings(text, sources)) {
      if (reading.generation > 0 && view.generation > 0 && reading.generation !== view.generation)
        return 0;
      const ofFirst = groupOfFirst[compareFirst(index, reading, view).level] ?? firstGroup.none;
      const ofLast = groupOfLast[compareLast(index, reading.surname, view).level] ?? lastGroup.none;
      const weight =
        weightOf(firstWeights, firstGroups, ofFirst) *
        weightOf(lastWeights, lastGroups, ofLast) *
        (areTwoNames(index, ofFirst, reading.given[0], view.firsts[0]) ? twoNamesWeight : 1);
      // Only one of two people has a generation: a father and a son share the rest.
      const isOneSided = reading.generation !== view.generation;
      best = Math.max(best, isOneSided ? weight * 0.3 : weight);
    }
    return best;
  };
}

function areMiddlesApart(one: string, other: string): boolean {
  if (one === '' || other === '' || one === other) return false;
  if (isInitial(one) || isInitial(other)) return one[0] !== other[0];
  return !one.startsWith(other) && !other.startsWith(one);
}

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

export interface ComparedPair {
  readonly one: string;
  readonly other: string;
  readonly probability: number;
}

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

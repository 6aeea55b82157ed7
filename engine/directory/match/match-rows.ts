// Matches rows to people. Exact passes settle the rows that nothing contradicts; all others go to
// the graded comparison, which abstains unless one person is likely enough.
import { employmentStatuses, reasons } from '../../contract/jobs/job.ts';
import {
  type ColumnMapping,
  namesPeople,
  type RowInputField,
  readMapped,
} from '../../contract/jobs/row-input.ts';
import { candidatesMax } from '../../contract/limits/directory.ts';
import { type MatchIndex, personFlags } from '../index/index-layout.ts';
import type { BatchCandidates, MatchBatch } from '../index/match-batch.ts';
import type { TakePerson } from '../index/people-lists.ts';
import { agreeingFields, answerOf, employerOf } from './graded/answer.ts';
import type { NamedOrganisation } from './graded/compare-plainly.ts';
import { createGradedMatcher, type GradedCandidate } from './graded/graded-matcher.ts';
import { loadModel, type MatchModel } from './graded/model.ts';
import type { CompanyFinder } from './match-companies.ts';
import { isAboutCompany, matchCompanyRow } from './match-company-rows.ts';
import { isSurnameMeant } from './match-name.ts';
import {
  domainGroupsOf,
  type Holders,
  type Query,
  type QueryName,
  type RowQuery,
  readQuery,
  swappedOf,
} from './match-query.ts';
import { type CompanyResolver, createCompanyResolver } from './match-resolve.ts';
import { findEmployer, isSharedAlone, type Judgement, judge } from './match-score.ts';
import { isSettled } from './match-settled.ts';
import { createBatchRows } from './read-rows.ts';

/** People with one of the row's last names at an employer, also former, that it may mean. */
function takeByEmployerAndLast(
  index: MatchIndex,
  query: Query,
  groups: readonly number[],
  take: TakePerson,
): void {
  for (const group of groups)
    for (const key of query.name.lasts)
      if (key.id >= 0) index.people.takeCompanyLast(group, key.id, take);
}

/** The numbers of a row's first names and of the names that stand for them. */
function listFirsts(index: MatchIndex, name: QueryName): number[] {
  const { nicknameStarts, nicknames } = index.sections;
  const ids: number[] = [];
  for (const { id } of name.firsts) {
    if (id < 0) continue;
    ids.push(id);
    for (let at = nicknameStarts[id]!; at < nicknameStarts[id + 1]!; at++)
      ids.push(nicknames[at]! >>> 1);
  }
  return ids;
}

/**
 * People of the same employers who have the row's first name or a nickname of it, because its last
 * name may have a typing error, and people who match with first and last name exchanged.
 */
function takeByEmployerAndFirst(
  index: MatchIndex,
  query: Query,
  groups: readonly number[],
  take: TakePerson,
): void {
  const surname = query.name.lasts[0];
  const isTypo = surname === undefined || !isSurnameMeant(index, surname);
  const firsts = isTypo ? listFirsts(index, query.name) : [];
  const swappedLast = swappedOf(query)?.lasts[0]?.id ?? -1;
  for (const group of groups) {
    for (const id of firsts) index.people.takeCompanyFirst(group, id, take);
    if (swappedLast >= 0) index.people.takeCompanyLast(group, swappedLast, take);
  }
}

/** Everyone with the row's full name, a nickname of it, or the names exchanged, at any employer. */
function takeByWholeName(index: MatchIndex, query: Query, take: TakePerson): void {
  const firsts = listFirsts(index, query.name);
  for (const last of query.name.lasts)
    if (last.id >= 0) for (const first of firsts) index.people.takeFirstLast(first, last.id, take);
  const swapped = swappedOf(query);
  const swappedLast = swapped?.lasts[0]?.id ?? -1;
  if (swapped && swappedLast >= 0)
    for (const first of listFirsts(index, swapped))
      index.people.takeFirstLast(first, swappedLast, take);
}

/** Matches rows over one index. Each thread needs its own matcher; threads can share the index. */
export interface Matcher {
  /**
   * @param bytes complete records of a canonical table, without the header; a short row's missing
   *   cells count as empty
   * @param mapping column of each field
   * @param threshold score from which a person is accepted, 0 to 1
   */
  matchRows(bytes: Uint8Array, mapping: ColumnMapping, threshold: number): MatchBatch;
}

/** The best candidates of one row, the best first. */
type Ranking = Judgement[];

/** Candidates whose scores differ by less are tied. */
const tieMargin = 0.024;
const sureScore = 0.96;
const rankedMax = 5;

const statusCode = {
  Current: employmentStatuses.indexOf('Current'),
  Changed: employmentStatuses.indexOf('Changed'),
  Left: employmentStatuses.indexOf('Left'),
} as const;
const reasonCode = {
  none: reasons.indexOf(''),
  noMatch: reasons.indexOf('no_match'),
  ambiguous: reasons.indexOf('ambiguous'),
  tooLittle: reasons.indexOf('too_little_data'),
  suppressed: reasons.indexOf('suppressed'),
} as const;

/** Inserts a candidate by its score; each person is ranked once, with the better score. */
function rank(ranking: Ranking, judgement: Judgement): Ranking {
  const { person, score } = judgement;
  // Nearly every row has one candidate: a list that grows has room for many.
  if (ranking.length === 0) return [judgement];
  const known = ranking.findIndex((other) => other.person === person);
  if (known >= 0) {
    if (ranking[known]!.score >= score) return ranking;
    ranking.splice(known, 1);
  }
  let at = ranking.length;
  while (at > 0 && ranking[at - 1]!.score < score) at--;
  ranking.splice(at, 0, judgement);
  if (ranking.length > rankedMax) ranking.pop();
  return ranking;
}

/** Groups that the company's name or a domain may mean, once each. */
function listGroups(index: MatchIndex, query: Query): readonly number[] {
  const { groups } = query.company;
  const ofDomains = domainGroupsOf(index, query);
  if (ofDomains.every((group) => groups.includes(group))) return groups;
  return [...groups, ...ofDomains.filter((group) => !groups.includes(group))];
}

/** Ranks everyone that the row may mean, by the fast and certain ways first. */
function rankCandidates(
  index: MatchIndex,
  resolver: CompanyResolver,
  query: Query,
  holders: Holders,
): Ranking {
  let ranking: Ranking = [];
  let isWide = false;
  const take = (person: number): void => {
    const judgement = judge(index, resolver, query, holders, person, isWide);
    if (judgement.score > 0) ranking = rank(ranking, judgement);
  };
  const isSure = (): boolean => ranking.length > 0 && ranking[0]!.score >= sureScore;
  for (const person of holders.ofUrl) take(person);
  for (const person of holders.ofEmail) if (!holders.ofUrl.includes(person)) take(person);
  index.people.settle();
  if (isSure()) return ranking;
  const groups = listGroups(index, query);
  takeByEmployerAndLast(index, query, groups, take);
  index.people.settle();
  if (isSure()) return ranking;
  takeByEmployerAndFirst(index, query, groups, take);
  if (ranking.length > 0 || query.company.isSettled) return ranking;
  isWide = true;
  takeByWholeName(index, query, take);
  return ranking;
}

/** Whether the row has a name and nothing else that distinguishes namesakes. */
const isNameAlone = (query: Query): boolean =>
  query.url === '' && query.email === '' && !query.hasCompany;

/** Why no one is answered, if the graded comparison gives no reason. */
function reasonFor(query: Query, ranking: Ranking): number {
  const isTied = (ranking[0]?.score ?? 0) - (ranking[1]?.score ?? 0) < tieMargin;
  if (isTied && ranking.length > 1 && isNameAlone(query)) return reasonCode.ambiguous;
  const hasName = query.name.firsts.length > 0 && query.name.lasts.length > 0;
  const hasKey = query.url !== '' || query.email !== '';
  if (!hasName && !hasKey) return reasonCode.tooLittle;
  return ranking.length > 0 && isNameAlone(query) ? reasonCode.tooLittle : reasonCode.noMatch;
}

/**
 * Whether the person works where the row says, works elsewhere, or left (docs/rules.md, "What the
 * layers answer"). A row without a company still names an employer if the domain of its work email
 * belongs to one.
 */
function statusOf(
  index: MatchIndex,
  person: number,
  isCurrentThere: boolean,
  saysWhere: boolean,
): number {
  const hasJob = (index.sections.personFlags[person]! & personFlags.hasCurrentJob) !== 0;
  if (!hasJob) return statusCode.Left;
  return isCurrentThere || !saysWhere ? statusCode.Current : statusCode.Changed;
}

/** The person that a row means. */
interface Match {
  readonly person: number;
  readonly confidence: number;
  readonly bits: number;
  /** Dense number + 1 of the company that the row names; 0 if it names none of the person's. */
  readonly company: number;
  readonly isCurrentThere: boolean;
  readonly saysWhere: boolean;
}

function columnsOf(index: MatchIndex, match: Match) {
  const { personIds, companyIds } = index.sections;
  const { person, company, isCurrentThere, saysWhere } = match;
  return {
    personId: personIds[person]!,
    companyId: company === 0 ? 0 : companyIds[company - 1]!,
    employmentStatus: statusOf(index, person, isCurrentThere, saysWhere),
  };
}

function writeMatch(index: MatchIndex, batch: MatchBatch, row: number, match: Match): void {
  if ((index.sections.personFlags[match.person]! & personFlags.suppressed) !== 0) {
    batch.reasons[row] = reasonCode.suppressed;
    return;
  }
  const { personId, companyId, employmentStatus } = columnsOf(index, match);
  batch.personIds[row] = personId;
  batch.companyIds[row] = companyId;
  batch.employmentStatuses[row] = employmentStatus;
  batch.confidences[row] = match.confidence;
  batch.matchedOn[row] = match.bits;
}

function exactMatch(
  { index, resolver }: Matching,
  query: Query,
  { person, score, bits, employer: known }: Judgement,
): Match {
  const employer = known.fit > 0 ? known : findEmployer(index, resolver, query, person, true);
  return {
    person,
    confidence: score,
    bits,
    company: employer.company,
    isCurrentThere: employer.isCurrent,
    saysWhere: query.hasCompany || employer.fit > 0,
  };
}

function gradedMatch(index: MatchIndex, query: Query, candidate: GradedCandidate): Match {
  const employer = employerOf(index, candidate);
  return {
    person: candidate.person,
    confidence: candidate.probability,
    bits: agreeingFields(candidate),
    company: employer.company,
    isCurrentThere: employer.isCurrent,
    saysWhere: query.hasCompany || candidate.orgScore > 0,
  };
}

/** How alike the names of two related organisations are. */
const relatedMin = 0.4;

/** The organisations that the exact passes found; null if there may be others. */
function namedOrganisationOf(
  { index, resolver }: Matching,
  query: Query,
  ranking: Ranking,
): NamedOrganisation | null {
  const { company } = query;
  if (!company.isSettled) return null;
  return {
    exactGroup: company.isExact ? company.groups[0]! : null,
    groups: listGroups(index, query),
    isEmpty: ranking.length === 0,
    isRelated: (other) => resolver.compareWith(company, other) >= relatedMin,
  };
}

const nameOf = (cells: readonly string[], { first_name, last_name }: ColumnMapping): string => {
  const cell = (at: number | undefined): string => (at === undefined ? '' : (cells[at] ?? ''));
  return `${cell(first_name)} ${cell(last_name)}`;
};

/**
 * Matches one row into the batch. Returns the candidates of a row that was not answered.
 * @param name see isSettled
 * @param read the text of a cell of the row, '' if the row lacks it
 */
function matchRow(
  matching: Matching,
  { query, holders }: RowQuery,
  name: string,
  read: (cell: RowInputField) => string,
  threshold: number,
  batch: MatchBatch,
  row: number,
): BatchCandidates | null {
  const { index, resolver, matchGraded } = matching;
  const ranking = rankCandidates(index, resolver, query, holders);
  index.people.settle();
  const [best, second] = ranking;
  if (best && best.score >= threshold) {
    if (isSettled(index, query, holders, best, second?.score ?? 0, name)) {
      writeMatch(index, batch, row, exactMatch(matching, query, best));
      return null;
    }
  }
  const exactCandidates = () => ranking.map((judgement) => exactMatch(matching, query, judgement));
  // Nothing else in the row distinguishes the holders.
  if (isSharedAlone(query, holders) && ranking.length > 1) {
    batch.reasons[row] = reasonCode.ambiguous;
    return candidatesOf(index, row, exactCandidates());
  }
  const answer = answerOf(
    matchGraded(read, namedOrganisationOf(matching, query, ranking)),
    threshold,
  );
  if (answer.kind === 'match') {
    writeMatch(index, batch, row, gradedMatch(index, query, answer.candidate));
    return null;
  }
  const isReasoned = answer.kind !== 'no_match';
  const reason = isReasoned ? reasons.indexOf(answer.kind) : reasonFor(query, ranking);
  batch.reasons[row] = reason;
  const matches =
    !isReasoned && reason === reasonCode.ambiguous
      ? exactCandidates()
      : answer.candidates.map((candidate) => gradedMatch(index, query, candidate));
  return matches.length === 0 ? null : candidatesOf(index, row, matches);
}

/** The best candidates of a row. Only one can be meant: the sum of their scores is at most 1. */
function candidatesOf(index: MatchIndex, row: number, matches: readonly Match[]): BatchCandidates {
  const named = matches.slice(0, candidatesMax);
  const columns = named.map((match) => columnsOf(index, match));
  const total = matches.reduce((sum, { confidence }) => sum + confidence, 0);
  return {
    row,
    personIds: columns.map(({ personId }) => personId),
    scores: named.map(({ confidence }) => confidence / Math.max(1, total)),
    companyIds: columns.map(({ companyId }) => companyId),
    employmentStatuses: columns.map(({ employmentStatus }) => employmentStatus),
    matchedOn: named.map(({ bits }) => bits),
  };
}

interface Matching {
  readonly index: MatchIndex;
  readonly resolver: CompanyResolver;
  readonly matchGraded: ReturnType<typeof createGradedMatcher>;
}

export const emptyBatch = (count: number, candidates: readonly BatchCandidates[]): MatchBatch => ({
  count,
  personIds: new Int32Array(count),
  companyIds: new Int32Array(count),
  employmentStatuses: new Uint8Array(count),
  reasons: new Uint8Array(count),
  confidences: new Float32Array(count),
  matchedOn: new Uint16Array(count),
  candidates,
});

/** @returns the candidates of a row that was not answered */
export type RowMatcher = (
  cells: readonly string[],
  mapping: ColumnMapping,
  threshold: number,
  batch: MatchBatch,
  row: number,
) => BatchCandidates | null;

const createMatching = (index: MatchIndex, model: MatchModel = loadModel()): Matching => ({
  index,
  resolver: createCompanyResolver(index),
  matchGraded: createGradedMatcher(index, model),
});

const matchCells =
  (matching: Matching): RowMatcher =>
  (cells, mapping, threshold, batch, row) =>
    matchRow(
      matching,
      readQuery(matching.index, matching.resolver, cells, mapping),
      nameOf(cells, mapping),
      (cell) => readMapped(cells, mapping, cell),
      threshold,
      batch,
      row,
    );

/** Creates a matcher of single rows over an index. Throws if the shipped model is missing. */
export const createRowMatcher = (index: MatchIndex): RowMatcher =>
  matchCells(createMatching(index));

/**
 * Creates a matcher over an index in memory. Throws if the shipped model is missing.
 * @param model of the graded comparison; the shipped one by default
 * @param openCompanies opens the companies for rows about them; without it, they are not matched
 */
export function createMatcher(
  index: MatchIndex,
  model?: MatchModel,
  openCompanies?: () => CompanyFinder,
): Matcher {
  const matching = createMatching(index, model);
  const match = matchCells(matching);
  const rows = createBatchRows(index, matching.resolver);
  let companies: CompanyFinder | null = null;
  // Most lists are about people, so companies are read for the first row that is about one.
  const matchOne: RowMatcher = (cells, mapping, threshold, batch, row) => {
    if (!openCompanies || !isAboutCompany(cells, mapping))
      return match(cells, mapping, threshold, batch, row);
    if (namesPeople(mapping)) {
      // The organisation of a person may stand in the column of the name.
      const ofPeople = match(cells, mapping, threshold, batch, row);
      if (ofPeople !== null || batch.personIds[row] !== 0) return ofPeople;
      batch.reasons[row] = 0;
    }
    companies ??= openCompanies();
    return matchCompanyRow(companies, cells, mapping, threshold, batch, row);
  };
  /** A row whose cells are plain. Its texts are made when they are first needed. */
  const matchPlain = (plain: RowQuery, threshold: number, batch: MatchBatch, row: number) => {
    let cells: string[] | null = null;
    const read = (cell: RowInputField): string => {
      cells ??= rows.cellsOf(row);
      return readMapped(cells, rows.mapping(), cell);
    };
    return matchRow(matching, plain, '', read, threshold, batch, row);
  };
  return {
    matchRows(bytes, mapping, threshold) {
      const candidates: BatchCandidates[] = [];
      const batch = emptyBatch(rows.read(bytes, mapping), candidates);
      for (let row = 0; row < batch.count; row++) {
        const plain = rows.plainAt(row);
        const found = plain
          ? matchPlain(plain, threshold, batch, row)
          : matchOne(rows.cellsOf(row), rows.mapping(), threshold, batch, row);
        if (found) candidates.push(found);
      }
      return batch;
    },
  };
}

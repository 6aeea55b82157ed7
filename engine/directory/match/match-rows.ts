/** Matches rows to people: gathers candidates, judges them, abstains where two are as likely. */
import { employmentStatuses, reasons } from '../../contract/jobs/job.ts';
import type { ColumnMapping } from '../../contract/jobs/row-input.ts';
import { candidatesMax } from '../../contract/limits/directory.ts';
import { type MatchIndex, personFlags } from '../index/index-layout.ts';
import type { BatchCandidates, MatchBatch } from '../index/match-batch.ts';
import {
  listHolders,
  takeByEmployerAndFirst,
  takeByEmployerAndLast,
  takeByWholeName,
} from './match-candidates.ts';
import { domainGroupsOf, type Query, readQuery } from './match-query.ts';
import { type CompanyResolver, createCompanyResolver } from './match-resolve.ts';
import {
  type EmployerFit,
  findEmployer,
  type Holders,
  type Judgement,
  judge,
} from './match-score.ts';

/** Matches rows over one index; not to be shared between threads, the index under it is. */
export interface Matcher {
  /**
   * @param rows cells of each row; a short row's missing cells count as empty
   * @param mapping column of each field
   * @param threshold score from which a person is accepted, 0 to 1
   */
  matchRows(
    rows: readonly (readonly string[])[],
    mapping: ColumnMapping,
    threshold: number,
  ): MatchBatch;
}

/** The best candidates of one row. */
interface Ranking {
  readonly people: number[];
  readonly scores: number[];
  readonly bits: number[];
  readonly employers: EmployerFit[];
}

/** Scores that lie closer are as good as equal. */
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

const listsOf = (ranking: Ranking): unknown[][] => [
  ranking.people,
  ranking.scores,
  ranking.bits,
  ranking.employers,
];

/** Puts a candidate in its place; a person is ranked once, with the better score. */
function rank(ranking: Ranking, person: number, { score, bits, employer }: Judgement): void {
  const { people, scores } = ranking;
  if (people.length === 0) {
    people.push(person);
    scores.push(score);
    ranking.bits.push(bits);
    ranking.employers.push(employer);
    return;
  }
  const known = people.indexOf(person);
  if (known >= 0) {
    if (scores[known]! >= score) return;
    for (const list of listsOf(ranking)) list.splice(known, 1);
  }
  let at = people.length;
  while (at > 0 && scores[at - 1]! < score) at--;
  if (at >= rankedMax) return;
  people.splice(at, 0, person);
  scores.splice(at, 0, score);
  ranking.bits.splice(at, 0, bits);
  ranking.employers.splice(at, 0, employer);
  if (people.length > rankedMax) for (const list of listsOf(ranking)) list.pop();
}

/** Groups that the company's name or a domain may mean, once each. */
function listGroups(index: MatchIndex, query: Query): readonly number[] {
  const { groups } = query.company;
  const others = domainGroupsOf(index, query).filter((group) => !groups.includes(group));
  return others.length > 0 ? [...groups, ...others] : groups;
}

/** Ranks everybody whom the row may mean, the cheap and sure ways first. */
function rankCandidates(index: MatchIndex, resolver: CompanyResolver, query: Query): Ranking {
  const ranking: Ranking = { people: [], scores: [], bits: [], employers: [] };
  const holders: Holders = {
    ofUrl: listHolders(index.urls, query.url),
    ofEmail: listHolders(index.emails, query.email),
  };
  let isWide = false;
  const take = (person: number): void => {
    const judgement = judge(index, resolver, query, holders, person, isWide);
    if (judgement.score > 0) rank(ranking, person, judgement);
  };
  const isSure = (): boolean => ranking.scores.length > 0 && ranking.scores[0]! >= sureScore;
  for (const person of holders.ofUrl) take(person);
  for (const person of holders.ofEmail) take(person);
  if (isSure()) return ranking;
  const groups = listGroups(index, query);
  takeByEmployerAndLast(index, query, groups, take);
  if (isSure()) return ranking;
  takeByEmployerAndFirst(index, query, groups, take);
  if (ranking.scores.length > 0 || query.company.isSettled) return ranking;
  isWide = true;
  takeByWholeName(index, query, take);
  return ranking;
}

/** Whether the row gives a name and nothing else that could tell namesakes apart. */
const isNameAlone = (query: Query): boolean =>
  query.url === '' && query.email === '' && !query.hasCompany;

/** Why nobody was accepted. */
function reasonFor(query: Query, ranking: Ranking, isTied: boolean, threshold: number): number {
  const hasName = query.name.firsts.length > 0 && query.name.lasts.length > 0;
  const isEnough = (ranking.scores[0] ?? 0) >= threshold;
  if (isTied && ranking.people.length > 1 && (isEnough || isNameAlone(query)))
    return reasonCode.ambiguous;
  const hasKey = query.url !== '' || query.email !== '';
  if (!hasName && !hasKey) return reasonCode.tooLittle;
  return ranking.people.length > 0 && isNameAlone(query)
    ? reasonCode.tooLittle
    : reasonCode.noMatch;
}

/**
 * The person is where the row says, elsewhere, or gone; docs/rules.md, "What the layers answer". A
 * row without a company still says where by the domain of its work email, if that is an employer's.
 */
function statusOf(index: MatchIndex, query: Query, person: number, employer: EmployerFit): number {
  const hasJob = (index.sections.personFlags[person]! & personFlags.hasCurrentJob) !== 0;
  if (!hasJob) return statusCode.Left;
  const saysWhere = query.hasCompany || employer.fit > 0;
  return employer.isCurrent || !saysWhere ? statusCode.Current : statusCode.Changed;
}

/** The employer that the row means if the ranked person is accepted, and their status there. */
function describeFit(
  index: MatchIndex,
  resolver: CompanyResolver,
  query: Query,
  ranking: Ranking,
  at: number,
): { companyId: number; employmentStatus: number } {
  const person = ranking.people[at]!;
  const known = ranking.employers[at]!;
  const employer = known.fit > 0 ? known : findEmployer(index, resolver, query, person, true);
  return {
    companyId: employer.company === 0 ? 0 : index.sections.companyIds[employer.company - 1]!,
    employmentStatus: statusOf(index, query, person, employer),
  };
}

/** Matches one row into the batch; answers the candidates of an ambiguous one. */
function matchRow(
  index: MatchIndex,
  resolver: CompanyResolver,
  query: Query,
  threshold: number,
  batch: MatchBatch,
  row: number,
): BatchCandidates | null {
  const ranking = rankCandidates(index, resolver, query);
  const { personIds, personFlags: flags } = index.sections;
  const [best, bestScore] = [ranking.people[0], ranking.scores[0] ?? 0];
  const isTied = bestScore - (ranking.scores[1] ?? 0) < tieMargin;
  if (best !== undefined && bestScore >= threshold && !isTied) {
    if ((flags[best]! & personFlags.suppressed) !== 0) {
      batch.reasons[row] = reasonCode.suppressed;
      return null;
    }
    const { companyId, employmentStatus } = describeFit(index, resolver, query, ranking, 0);
    batch.personIds[row] = personIds[best]!;
    batch.companyIds[row] = companyId;
    batch.employmentStatuses[row] = employmentStatus;
    batch.confidences[row] = bestScore;
    batch.matchedOn[row] = ranking.bits[0]!;
    return null;
  }
  const reason = reasonFor(query, ranking, isTied, threshold);
  batch.reasons[row] = reason;
  if (reason !== reasonCode.ambiguous) return null;
  const people = ranking.people.slice(0, candidatesMax);
  const fits = people.map((_person, at) => describeFit(index, resolver, query, ranking, at));
  return {
    row,
    personIds: people.map((person) => personIds[person]!),
    scores: ranking.scores.slice(0, candidatesMax),
    companyIds: fits.map(({ companyId }) => companyId),
    employmentStatuses: fits.map(({ employmentStatus }) => employmentStatus),
    matchedOn: ranking.bits.slice(0, candidatesMax),
  };
}

/** A matcher over an index. */
export function createMatcher(index: MatchIndex): Matcher {
  const resolver = createCompanyResolver(index);
  return {
    matchRows(rows, mapping, threshold) {
      const count = rows.length;
      const candidates: BatchCandidates[] = [];
      const batch: MatchBatch = {
        count,
        personIds: new Int32Array(count),
        companyIds: new Int32Array(count),
        employmentStatuses: new Uint8Array(count),
        reasons: new Uint8Array(count),
        confidences: new Float32Array(count),
        matchedOn: new Uint16Array(count),
        candidates,
      };
      for (let row = 0; row < count; row++) {
        const query = readQuery(index, resolver, rows[row]!, mapping);
        const found = matchRow(index, resolver, query, threshold, batch, row);
        if (found) candidates.push(found);
      }
      return batch;
    },
  };
}

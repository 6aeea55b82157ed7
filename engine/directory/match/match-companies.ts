/** Matches a company by its name, place and domain to one of the directory, or abstains. */
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import { buildCompanyIndex } from '../index/index-build.ts';
import { findText } from '../index/index-dictionary.ts';
import type { MatchIndex } from '../index/index-layout.ts';
import { foldText } from '../normalize/fold-text.ts';
import { normalizeCompany } from '../normalize/normalize-company.ts';
import { websiteDomain } from '../normalize/normalize-url.ts';
import { createCompanyResolver } from './match-resolve.ts';

/** A company as a caller names it; '' where a part is unknown. */
export interface CompanyQuery {
  readonly name: string;
  readonly city?: string;
  readonly state?: string;
  readonly domain?: string;
}

/** The company of the directory that was meant. */
export interface CompanyMatch {
  /** company.id */
  readonly companyId: number;
  /** 0 to 1 */
  readonly confidence: number;
}

interface Place {
  readonly city: string;
  readonly state: string;
}

/** What a city or state that agrees or contradicts does to a score. */
const placeFactors = { unknown: 0.96, elsewhere: 0.8, otherState: 0.6 } as const;
/** The same city takes away this much of the doubt. */
const sameCityShare = 0.2;
/** Names less alike than this are not looked at, not even in the same city. */
const alikeMin = 0.65;
const scoreMin = 0.85;
const tieMargin = 0.02;
const domainScore = 0.97;
const domainNameMin = 0.3;

const placeKey = (text: string | null | undefined): string => normalizeCompany(text ?? '').key;

/** A name's score with what the places say to it. */
function scoreAt(nameScore: number, asked: Place, held: Place): number {
  if (asked.state !== '' && held.state !== '' && asked.state !== held.state)
    return nameScore * placeFactors.otherState;
  if (asked.city === '' || held.city === '') return nameScore * placeFactors.unknown;
  if (asked.city !== held.city) return nameScore * placeFactors.elsewhere;
  return nameScore + (1 - nameScore) * sameCityShare;
}

/** Companies that use a domain. */
function groupsOfDomain(index: MatchIndex, domain: string): number[] {
  const id = domain === '' ? -1 : findText(index.domains, domain);
  if (id < 0) return [];
  const { domainGroupStarts, domainGroups } = index.sections;
  return [...domainGroups.subarray(domainGroupStarts[id]!, domainGroupStarts[id + 1]!)];
}

/**
 * A matcher over the companies of a directory as it is now.
 * It answers null where no company is likely enough or two are as likely.
 */
export function createCompanyMatcher(
  db: ReadableDatabase,
): (query: CompanyQuery) => CompanyMatch | null {
  const index = buildCompanyIndex(db);
  const resolver = createCompanyResolver(index, alikeMin);
  const readPlace = db.prepare('SELECT city, state, domain FROM company WHERE id = ?').raw();
  const { companyIds, groupCompanyStarts, groupCompanies } = index.sections;
  return (query) => {
    const asked = { city: placeKey(query.city), state: foldText(query.state ?? '').trim() };
    const domain = websiteDomain(query.domain ?? '') ?? '';
    const company = resolver.resolve(query.name.trim());
    const groups = new Map(company.groups.map((group, at) => [group, company.scores[at]!]));
    for (const group of groupsOfDomain(index, domain))
      if (resolver.compareWith(company, group) >= domainNameMin) groups.set(group, domainScore);
    let best = { companyId: 0, score: 0 };
    let secondScore = 0;
    for (const [group, nameScore] of groups)
      for (let at = groupCompanyStarts[group]!; at < groupCompanyStarts[group + 1]!; at++) {
        const companyId = companyIds[groupCompanies[at]!]!;
        const [city, state, held] = readPlace.get(companyId) as (string | null)[];
        const isDomain = domain !== '' && held === domain;
        const place = { city: placeKey(city), state: foldText(state ?? '').trim() };
        const score = isDomain
          ? Math.max(nameScore, domainScore)
          : scoreAt(nameScore, asked, place);
        if (score > best.score) {
          secondScore = best.score;
          best = { companyId, score };
        } else if (score > secondScore) secondScore = score;
      }
    if (best.score < scoreMin || best.score - secondScore < tieMargin) return null;
    return { companyId: best.companyId, confidence: best.score };
  };
}

// What a reading says of the organisation, with the domains of the row.
import type { MatchIndex } from '../../../index/index-layout.ts';
import { type OrgFit, type OrgResolver, rankGroups } from './resolve-organisation.ts';

/** The organisations that a reading may mean. */
export interface RowOrganisation {
  readonly scores: ReadonlyMap<number, number>;
  /** The likeliest groups, the best first. */
  readonly groups: readonly number[];
  readonly best: number;
  /** The row says something of an organisation; it names one. */
  readonly isGiven: boolean;
  readonly isNamed: boolean;
  /** People of all organisations that fit as well as a score. */
  countPeople(score: number): number;
}

/** Groups of the row's domains. */
export interface DomainGroups {
  /** Of a web address. */
  readonly web: ReadonlySet<number>;
  /** Of an email. */
  readonly mail: ReadonlySet<number>;
}

const webScore = 0.97;
const mailScore = 0.9;
/** Scores that lie closer fit as well. */
const sameFit = 0.03;

/** The scores of a text, with those of the row's domains. */
function addDomains({ scores }: OrgFit, text: string, { web, mail }: DomainGroups) {
  const all = new Map(scores);
  for (const group of web) all.set(group, Math.max(all.get(group) ?? 0, webScore));
  if (text === '')
    for (const group of mail) all.set(group, Math.max(all.get(group) ?? 0, mailScore));
  return all;
}

/** @param text the organisation as the reading has it; '' if it has none */
export function readRowOrganisation(
  { sections }: MatchIndex,
  resolver: OrgResolver,
  text: string,
  domains: DomainGroups,
): RowOrganisation {
  const fit = resolver.resolve(text);
  const hasMore = domains.web.size > 0 || (text === '' && domains.mail.size > 0);
  const scores = hasMore ? addDomains(fit, text, domains) : fit.scores;
  const groups = hasMore ? rankGroups(scores) : fit.listGroups();
  const { groupPeopleStarts } = sections;
  return {
    scores,
    groups,
    best: groups.length > 0 ? scores.get(groups[0]!)! : 0,
    isGiven: text !== '' || domains.web.size > 0 || domains.mail.size > 0,
    isNamed: text !== '' || domains.web.size > 0,
    countPeople(score) {
      let people = 0;
      for (const [group, own] of scores)
        if (own >= score - sameFit)
          people += groupPeopleStarts[group + 1]! - groupPeopleStarts[group]!;
      return people;
    },
  };
}

/**
 * The organisation of a row whose company is the very name of one group.
 * @param group the group, which fits as well as any can
 */
export function exactOrganisation({ sections }: MatchIndex, group: number): RowOrganisation {
  const { groupPeopleStarts } = sections;
  return {
    scores: new Map([[group, 1]]),
    groups: [group],
    best: 1,
    isGiven: true,
    isNamed: true,
    countPeople: () => groupPeopleStarts[group + 1]! - groupPeopleStarts[group]!,
  };
}

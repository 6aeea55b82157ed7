/** What a reading says of the organisation, with the domains of the row. */
import type { MatchIndex } from '../../index/index-layout.ts';
import type { OrgResolver } from './resolve-organisation.ts';

/** The organisations that a reading may mean. */
export interface RowOrganisation {
  readonly scores: ReadonlyMap<number, number>;
  /** Groups, the likeliest first. */
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

/** @param text the organisation as the reading has it; '' if it has none */
export function readRowOrganisation(
  { sections }: MatchIndex,
  resolver: OrgResolver,
  text: string,
  domains: DomainGroups,
): RowOrganisation {
  const base = resolver.resolve(text);
  const scores = new Map(base.scores);
  for (const group of domains.web) scores.set(group, Math.max(scores.get(group) ?? 0, webScore));
  if (text === '')
    for (const group of domains.mail)
      scores.set(group, Math.max(scores.get(group) ?? 0, mailScore));
  const groups = [...scores.keys()].sort((a, b) => scores.get(b)! - scores.get(a)! || a - b);
  const { groupPeopleStarts } = sections;
  return {
    scores,
    groups,
    best: groups.length > 0 ? scores.get(groups[0]!)! : 0,
    isGiven: text !== '' || domains.web.size > 0 || domains.mail.size > 0,
    isNamed: text !== '' || domains.web.size > 0,
    countPeople(score) {
      let people = 0;
      for (const group of groups) {
        if (scores.get(group)! < score - sameFit) break;
        people += groupPeopleStarts[group + 1]! - groupPeopleStarts[group]!;
      }
      return people;
    },
  };
}

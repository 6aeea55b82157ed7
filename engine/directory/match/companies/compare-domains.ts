/** Finds the companies that a row's domains belong to. */
import { findText } from '../../index/index-dictionary.ts';
import type { MatchIndex } from '../../index/index-layout.ts';
import { joinedLetters } from '../../index/index-organisations.ts';
import { normalizeCompany } from '../../normalize/normalize-company.ts';
import { registrableDomain } from '../../normalize/reference-tables.ts';
import type { OrgResolver } from '../graded/organisations/resolve-organisation.ts';
import type { CompanyFacts, DomainLevel } from './company-features.ts';
import type { CompanyRow } from './read-company.ts';

/** The groups that a row's domains belong to, exactly or with one typing error. */
export interface DomainGroups {
  readonly stated: readonly string[];
  readonly exact: ReadonlySet<number>;
  readonly near: ReadonlySet<number>;
}

const lettersMin = 3;

/** Whether a name is what a domain begins with: "Acme Inc." at acme.com. */
export function spellsDomain(name: string, domain: string): boolean {
  if (name === '' || domain === '') return false;
  const [label = ''] = registrableDomain(domain).split('.');
  const letters = label.replaceAll('-', '');
  if (letters.length < lettersMin) return false;
  return joinedLetters(name) === letters || normalizeCompany(name).key === letters;
}

/** Compares domains with those of an index. */
export function createDomainComparison(index: MatchIndex, resolver: OrgResolver) {
  const { domainGroupStarts, domainGroups } = index.sections;
  const groupsOf = (domain: string): readonly number[] => {
    const id = findText(index.domains, domain);
    return id < 0
      ? []
      : [...domainGroups.subarray(domainGroupStarts[id]!, domainGroupStarts[id + 1]!)];
  };
  const readDomains = ({ domains }: CompanyRow): DomainGroups => {
    const stated = [...new Set([...domains, ...domains.map(registrableDomain)])];
    const exact = new Set(stated.flatMap(groupsOf));
    const near = exact.size > 0 ? [] : domains.flatMap(resolver.groupsOfDomain);
    return { stated, exact, near: new Set(near) };
  };
  const domainLevel = (
    found: DomainGroups,
    group: number,
    { domain }: CompanyFacts,
  ): DomainLevel => {
    if (found.stated.length === 0) return 'none';
    if (found.exact.has(group) && (domain === '' || found.stated.includes(domain))) return 'same';
    if (found.stated.includes(domain)) return 'same';
    if (found.near.has(group)) return 'near';
    if (found.exact.size > 0) return 'taken';
    return domain === '' ? 'unheld' : 'other';
  };
  return { groupsOf, readDomains, domainLevel };
}

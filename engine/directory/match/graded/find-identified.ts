// The holders of the emails, pages and phones of a row.
import { localKey } from '../../index/index-facts.ts';
import type { MatchIndex } from '../../index/index-layout.ts';
import { isRoleMailbox } from '../../normalize/normalize-email.ts';
import { registrableDomain } from '../../normalize/reference-tables.ts';
import { type IdentifierKind, identifierBit } from './levels.ts';
import type { OrgResolver } from './organisations/resolve-organisation.ts';
import type { DomainGroups } from './organisations/row-organisation.ts';
import { isFreeHost } from './organisations/web-domains.ts';
import type { RowText } from './readings/read-identifiers.ts';

export interface Identified {
  /** Bits of identifierBit by person. */
  readonly people: ReadonlyMap<number, number>;
  /** Who alone holds the email, or the page, of the row; -1 if no one does. */
  readonly emailOwner: number;
  readonly urlOwner: number;
  /** Two emails of the row belong to two people. */
  readonly hasTwoOwners: boolean;
  readonly domains: DomainGroups;
}

const sharedMax = 3;
const phoneHoldersMax = 40;
const nearMax = 3;
const localLettersMin = 5;

/** Groups of a person's employers. */
function groupsOfPerson({ sections }: MatchIndex, person: number): number[] {
  const { jobStarts, jobs, companyGroups } = sections;
  const groups: number[] = [];
  for (let at = jobStarts[person]!; at < jobStarts[person + 1]!; at++) {
    const company = jobs[at]! >>> 2;
    if (company > 0) groups.push(companyGroups[company - 1]!);
  }
  return groups;
}

function readDomains(text: RowText, resolver: OrgResolver): DomainGroups {
  const web = new Set<number>();
  const mail = new Set<number>();
  for (const domain of text.domains)
    for (const group of resolver.groupsOfDomain(domain)) web.add(group);
  for (const email of text.emails)
    for (const group of resolver.groupsOfDomain(email.slice(email.indexOf('@') + 1)))
      mail.add(group);
  return { web, mail };
}

type Note = (person: number, kind: IdentifierKind) => void;

/** Everyone with the same local part at nearly the same domain. */
function noteNear(index: MatchIndex, email: string, domains: DomainGroups, note: Note): void {
  const at = email.indexOf('@');
  const [local, host] = [email.slice(0, at), email.slice(at + 1)];
  if (at < localLettersMin || isRoleMailbox(email)) return;
  const near: number[] = [];
  const others: number[] = [];
  index.people.takeLocal(localKey(local), (person) => {
    const isColleague = groupsOfPerson(index, person).some((group) => domains.mail.has(group));
    const list = isColleague ? near : others;
    if (!list.includes(person)) list.push(person);
  });
  if (near.length > 0 && near.length <= nearMax)
    for (const person of near) note(person, 'email_near');
  const isUnknownHost =
    domains.mail.size === 0 && (isFreeHost(host) || registrableDomain(host) !== '');
  if (near.length === 0 && others.length === 1 && isUnknownHost) note(others[0]!, 'email_local');
}

export function findIdentified(
  index: MatchIndex,
  resolver: OrgResolver,
  text: RowText,
): Identified {
  const people = new Map<number, number>();
  const note: Note = (person, kind) =>
    people.set(person, (people.get(person) ?? 0) | identifierBit[kind]);
  const domains = readDomains(text, resolver);
  let [emailOwner, urlOwner] = [-1, -1];
  const owners: (readonly number[])[] = [];
  for (const email of text.emails) {
    const holders = index.people.holdersOf('email', email);
    const isRole = isRoleMailbox(email);
    const kind = isRole
      ? 'email_role'
      : holders.length > sharedMax
        ? 'email_many'
        : holders.length > 1
          ? 'email_shared'
          : 'email';
    for (const person of holders) note(person, kind);
    if (holders.length > 0) owners.push(holders);
    else noteNear(index, email, domains, note);
    if (kind === 'email' && holders.length === 1) emailOwner = holders[0]!;
  }
  for (const url of text.urls) {
    const exact = index.people.holdersOf('url', url);
    // Some sites' keys have the www. that others lack.
    const holders = exact.length > 0 ? exact : index.people.holdersOf('url', `www.${url}`);
    for (const person of holders) note(person, holders.length > 1 ? 'url_shared' : 'url');
    if (holders.length === 1) urlOwner = holders[0]!;
  }
  for (const phone of text.phones) {
    const holders = index.people.holdersOf('phone', phone);
    if (holders.length <= phoneHoldersMax)
      for (const person of holders) note(person, holders.length > 1 ? 'phone_shared' : 'phone');
  }
  const [firstOwners, secondOwners] = owners;
  const hasTwoOwners =
    secondOwners !== undefined && !firstOwners!.some((person) => secondOwners.includes(person));
  return { people, emailOwner, urlOwner, hasTwoOwners, domains };
}

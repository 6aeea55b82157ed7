// A row in terms of the index: the numbers of its names, its company's groups, URL and email.
import {
  type ColumnMapping,
  type RowInputField,
  readMapped,
} from '../../contract/jobs/row-input.ts';
import { findText } from '../index/index-dictionary.ts';
import type { MatchIndex } from '../index/index-layout.ts';
import { readEmailKey, readUrlKey } from '../normalize/match-address.ts';
import { normalizeName } from '../normalize/normalize-name.ts';
import { letterMaskOf } from '../normalize/similarity.ts';
import type { CompanyResolver, ResolvedCompany } from './match-resolve.ts';

/** One name key of a row. */
export interface QueryKey {
  readonly text: string;
  /** Number in the index; -1 if no person of the index has the name. */
  readonly id: number;
  readonly mask: number;
}

export interface QueryName {
  /** The full first name, then its other readings; empty if the row has none. */
  readonly firsts: readonly QueryKey[];
  /** The full surname, then its parts; empty if the row has none. */
  readonly lasts: readonly QueryKey[];
  /** A peer's full title; null if there is none. */
  readonly peerage: QueryKey | null;
  /** First letter of the second given name; '' if unknown. */
  readonly middleInitial: string;
  readonly generation: number;
  readonly isPeer: boolean;
}

/** A row in the form in which it is matched. */
export interface Query {
  readonly name: QueryName;
  /** The name with first and last name exchanged (see swappedOf); undefined until first used. */
  swapped: QueryName | null | undefined;
  readonly url: string;
  readonly email: string;
  readonly hasCompany: boolean;
  readonly company: ResolvedCompany;
  /** The company's own domain; '' if none is given. */
  readonly companyDomain: string;
  /** Groups of the domains; null until first used. */
  domainGroups: readonly number[] | null;
}

/** A row as a query, and who holds its URL and its email. */
export interface RowQuery {
  readonly query: Query;
  readonly holders: Holders;
}

/** The holders of the row's URL and email. */
export interface Holders {
  readonly ofUrl: readonly number[];
  readonly ofEmail: readonly number[];
}

const keyOf = (index: MatchIndex, text: string): QueryKey => ({
  text,
  id: findText(index.names, text),
  mask: letterMaskOf(text),
});

function readName(index: MatchIndex, first: string, last: string): QueryName {
  const name = normalizeName(first, last);
  const lasts = name.last === '' ? [] : [name.last, ...name.lastParts];
  return {
    firsts: name.firstKeys.map((key) => keyOf(index, key)),
    lasts: lasts.map((key) => keyOf(index, key)),
    peerage: name.peerage === '' ? null : keyOf(index, name.peerage),
    middleInitial: name.middle.slice(0, 1),
    generation: name.generation,
    isPeer: name.isPeer,
  };
}

function swapName(name: QueryName): QueryName | null {
  const [first, last] = [name.firsts[0], name.lasts[0]];
  if (!first || !last || first.text.length < 2) return null;
  return { ...name, firsts: [last], lasts: name.firsts.slice(0, 1), middleInitial: '' };
}

/** First and last name exchanged; null if either is missing or an initial. */
export function swappedOf(query: Query): QueryName | null {
  if (query.swapped === undefined) query.swapped = swapName(query.name);
  return query.swapped;
}

/** The host of a domain or website in the form of the index. */
export const readDomain = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/^[a-z]+:\/\//, '')
    .replace(/^www\./, '')
    .replace(/[/?#:].*$/, '');

const noGroups: readonly number[] = [];

function groupsOf(index: MatchIndex, domain: string): readonly number[] {
  const id = domain === '' ? -1 : findText(index.domains, domain);
  if (id < 0) return noGroups;
  const { domainGroupStarts, domainGroups } = index.sections;
  const groups: number[] = [];
  const to = domainGroupStarts[id + 1]!;
  for (let at = domainGroupStarts[id]!; at < to; at++) groups.push(domainGroups[at]!);
  return groups;
}

/** Groups of a domain or of its parent domain: "mail.example.com" belongs to example.com. */
function groupsOfHost(index: MatchIndex, domain: string): readonly number[] {
  const found = groupsOf(index, domain);
  if (found.length > 0) return found;
  const dot = domain.indexOf('.');
  return domain.includes('.', dot + 1) ? groupsOf(index, domain.slice(dot + 1)) : found;
}

/** Groups that use the domain of the row's company or email; none for free mail. */
export function domainGroupsOf(index: MatchIndex, query: Query): readonly number[] {
  if (query.domainGroups === null) {
    const { companyDomain, email } = query;
    const named = companyDomain === '' ? noGroups : groupsOfHost(index, companyDomain);
    const isMail = named.length === 0 && email !== '';
    const domain = isMail ? email.slice(email.lastIndexOf('@') + 1) : '';
    query.domainGroups = isMail ? groupsOfHost(index, domain) : named;
  }
  return query.domainGroups;
}

/** Cells that a short row lacks count as empty. @param mapping column of each field */
export function readQuery(
  index: MatchIndex,
  resolver: CompanyResolver,
  row: readonly string[],
  mapping: ColumnMapping,
): RowQuery {
  const cell = (field: RowInputField): string => readMapped(row, mapping, field).trim();
  const name = readName(index, cell('first_name'), cell('last_name'));
  const company = resolver.resolve(cell('company_name'));
  const companyDomain = cell('company_domain');
  const url = readUrlKey(cell('profile_url'));
  const email = readEmailKey(cell('email'));
  return {
    query: {
      name,
      swapped: undefined,
      url,
      email,
      hasCompany: company.words.length > 0 || companyDomain !== '',
      company,
      companyDomain: companyDomain === '' ? '' : readDomain(companyDomain),
      domainGroups: null,
    },
    holders: {
      ofUrl: index.people.holdersOf('url', url),
      ofEmail: index.people.holdersOf('email', email),
    },
  };
}

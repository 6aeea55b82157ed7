/** A caller's row as the index knows it: numbers of its names, groups of its company, its URL and email. */
import type { ColumnMapping, RowInputField } from '../contract/row-input.ts';
import { findText } from './index-dictionary.ts';
import type { MatchIndex } from './index-layout.ts';
import { readEmailKey, readUrlKey } from './match-address.ts';
import type { CompanyResolver, ResolvedCompany } from './match-resolve.ts';
import { normalizeName } from './normalize-name.ts';
import { letterMask, sliceOf, type TextSlice } from './similarity.ts';

/** One name key of a row. */
export interface QueryKey {
  readonly text: string;
  /** Number in the index, -1 where nobody there has it. */
  readonly id: number;
  readonly slice: TextSlice;
  readonly mask: number;
}

/** A row's name. */
export interface QueryName {
  /** The whole first name, then its other readings; empty where the row has none. */
  readonly firsts: readonly QueryKey[];
  /** The whole surname, then its parts; empty where the row has none. */
  readonly lasts: readonly QueryKey[];
  /** First letter of the second given name; '' where unknown. */
  readonly middleInitial: string;
  readonly generation: number;
  readonly isPeer: boolean;
}

/** A row as it is matched. */
export interface Query {
  readonly name: QueryName;
  /** The other way round, where first and last name may have changed places. */
  readonly swapped: QueryName | null;
  readonly url: string;
  readonly email: string;
  readonly hasCompany: boolean;
  readonly company: ResolvedCompany;
  /** Groups that use the domain of the email or of the company; none for free mail. */
  readonly domainGroups: readonly number[];
  /** The company's own domain was given and is known. */
  readonly isCompanyDomain: boolean;
}

function keyOf(index: MatchIndex, text: string): QueryKey {
  const slice = sliceOf(text);
  return {
    text,
    id: findText(index.names, text),
    slice,
    mask: letterMask(slice.codes, slice.start, slice.length),
  };
}

function readName(index: MatchIndex, first: string, last: string): QueryName {
  const name = normalizeName(first, last);
  const lasts = name.last === '' ? [] : [name.last, ...name.lastParts];
  return {
    firsts: name.firstKeys.map((key) => keyOf(index, key)),
    lasts: lasts.map((key) => keyOf(index, key)),
    middleInitial: name.middle.slice(0, 1),
    generation: name.generation,
    isPeer: name.isPeer,
  };
}

/** First and last name exchanged; null where either is missing or an initial. */
function swapName(name: QueryName): QueryName | null {
  const [first, last] = [name.firsts[0], name.lasts[0]];
  if (!first || !last || first.text.length < 2) return null;
  return { ...name, firsts: [last], lasts: name.firsts.slice(0, 1), middleInitial: '' };
}

/** The host of a domain or website as the index keeps it. */
const readDomain = (text: string): string =>
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
  return [...domainGroups.subarray(domainGroupStarts[id]!, domainGroupStarts[id + 1]!)];
}

/** Groups of an email's domain, or of the domain above it: "mail.example.com" is example.com's. */
function groupsOfEmail(index: MatchIndex, email: string): readonly number[] {
  const at = email.lastIndexOf('@');
  if (at < 0) return noGroups;
  const domain = email.slice(at + 1);
  const found = groupsOf(index, domain);
  const parts = domain.split('.');
  return found.length > 0 || parts.length < 3 ? found : groupsOf(index, parts.slice(1).join('.'));
}

/**
 * Reads one row. Cells that a short row lacks count as empty.
 * @param mapping column of each field in the row
 */
export function readQuery(
  index: MatchIndex,
  resolver: CompanyResolver,
  row: readonly string[],
  mapping: ColumnMapping,
): Query {
  const cell = (field: RowInputField): string => {
    const column = mapping[field];
    return column === undefined ? '' : (row[column] ?? '').trim();
  };
  const name = readName(index, cell('first_name'), cell('last_name'));
  const company = resolver.resolve(cell('company_name'));
  const email = readEmailKey(cell('email'));
  const companyDomain = cell('company_domain');
  const ofDomain = companyDomain === '' ? noGroups : groupsOf(index, readDomain(companyDomain));
  return {
    name,
    swapped: swapName(name),
    url: readUrlKey(cell('profile_url')),
    email,
    hasCompany: company.tokens.length > 0 || companyDomain !== '',
    company,
    domainGroups: ofDomain.length > 0 ? ofDomain : groupsOfEmail(index, email),
    isCompanyDomain: ofDomain.length > 0,
  };
}

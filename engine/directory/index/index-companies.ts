// Reads the companies for an index: groups with one name, their keys, words and domains.
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import { listAcronyms, listReadings, normalizeCompany } from '../normalize/normalize-company.ts';
import {
  createDictionaryBuilder,
  createKeysBuilder,
  type DictionaryBuilder,
  type KeysBuilder,
} from './index-dictionary.ts';
import { keyKinds, type MatchIndex } from './index-layout.ts';
import { groupByOwner, type OwnerLists, pick, readRows, releaseNumbers } from './index-lists.ts';
import {
  addOrganisationName,
  addOrganisationPlace,
  type GatheredOrganisations,
  startOrganisations,
} from './index-organisations.ts';
import { createNumberList, type NumberList } from './index-postings.ts';

export interface ValueLists extends Pick<OwnerLists, 'starts'> {
  readonly values: Uint32Array;
}

export interface GatheredCompanies {
  readonly ids: Uint32Array;
  readonly groups: Uint32Array;
  /** company.id → dense number + 1; 0 if there is none. */
  readonly denseOf: Uint32Array;
  readonly groupCompanies: OwnerLists;
  readonly groupTokens: ValueLists;
  readonly tokenGroups: ValueLists;
  readonly keyGroups: ValueLists;
  readonly keys: KeysBuilder;
  readonly tokens: DictionaryBuilder;
  readonly domains: KeysBuilder;
  /** Domain and group of each pair so far; employments add theirs. */
  readonly domainPairs: { readonly domains: NumberList; readonly groups: NumberList };
  readonly organisations: GatheredOrganisations;
}

const acronymLettersMax = 8;
const groupsPerKeyMax = 64;

/** Lists without duplicates, and without owners that have too many entries to be evidence. */
function listUnique(
  owners: Uint32Array,
  values: Uint32Array,
  ownersCount: number,
  valuesMax: number,
): ValueLists {
  const sorted = groupByOwner(owners, ownersCount);
  const all = pick(values, sorted.order);
  const keptOwners = createNumberList();
  const keptValues = createNumberList();
  for (let owner = 0; owner < ownersCount; owner++) {
    const own = [...new Set(all.subarray(sorted.starts[owner]!, sorted.starts[owner + 1]!))];
    if (own.length > valuesMax) continue;
    for (const value of own) {
      keptOwners.push(owner);
      keptValues.push(value);
    }
  }
  // The owners are in order already.
  const { starts } = groupByOwner(keptOwners.view(), ownersCount);
  for (const list of [all, sorted.order, keptOwners.view()]) releaseNumbers(list);
  return { starts, values: keptValues.view() };
}

const groupsPerDomainMax = 12;

type GatheredDomains = Pick<GatheredCompanies, 'domainPairs' | 'domains'>;

export const listDomainGroups = ({ domainPairs, domains }: GatheredDomains): ValueLists =>
  listUnique(
    domainPairs.domains.view(),
    domainPairs.groups.view(),
    domains.count(),
    groupsPerDomainMax,
  );

const startDomains = (domains: KeysBuilder): GatheredDomains => ({
  domains,
  domainPairs: { domains: createNumberList(), groups: createNumberList() },
});

function addDomain({ domains, domainPairs }: GatheredDomains, group: number, domain: string): void {
  domainPairs.domains.push(domains.add(domain.toLowerCase().replace(/^www\./, '')));
  domainPairs.groups.push(group);
}

/** An index for companies alone, without the domains of people's work emails. */
export function withOwnDomains(db: ReadableDatabase, index: MatchIndex): MatchIndex {
  const { companyIds, companyGroups } = index.sections;
  const gathered = startDomains(createKeysBuilder());
  let at = 0;
  for (const [id, domain] of readRows<[id: number, domain: string | null]>(
    db,
    'company',
    'id, domain',
  )) {
    while (companyIds[at]! < id) at++;
    // The directory may have changed since the index was built.
    if (domain && companyIds[at] === id) addDomain(gathered, companyGroups[at]!, domain);
  }
  const { starts, values } = listDomainGroups(gathered);
  return {
    ...index,
    domains: gathered.domains.finish(),
    sections: { ...index.sections, domainGroupStarts: starts, domainGroups: values },
  };
}

interface KeyEntries {
  readonly keys: NumberList;
  readonly groups: NumberList;
}

function addKey(
  builder: KeysBuilder,
  entries: KeyEntries,
  group: number,
  key: string,
  kind: number,
): void {
  if (key === '') return;
  entries.keys.push(builder.add(key));
  entries.groups.push(group * 4 + kind);
}

function addOtherKeys(
  builder: KeysBuilder,
  entries: KeyEntries,
  group: number,
  name: string,
): void {
  for (const reading of listReadings(name))
    addKey(builder, entries, group, normalizeCompany(reading).key, keyKinds.reading);
  for (const acronym of listAcronyms(name))
    if (acronym.length <= acronymLettersMax)
      addKey(builder, entries, group, acronym, keyKinds.acronym);
}

function addTokens(
  tokens: DictionaryBuilder,
  into: { groups: NumberList; tokens: NumberList },
  group: number,
  found: readonly string[],
): void {
  for (const token of found) {
    into.groups.push(group);
    into.tokens.push(tokens.add(token));
  }
}

export type CompanyRow = [
  id: number,
  name: string,
  domain: string | null,
  city: string | null,
  state: string | null,
];

export type AliasRow = [id: number, companyId: number, name: string];

export interface CompanyRows {
  readonly idMax: number;
  readonly companies: Iterable<CompanyRow>;
  readonly aliases: Iterable<AliasRow>;
}

export const readCompanyRows = (db: ReadableDatabase): CompanyRows => ({
  idMax: db.prepare('SELECT coalesce(max(id), 0) FROM company').pluck().get() as number,
  companies: readRows<CompanyRow>(db, 'company', 'id, name, domain, city, state'),
  aliases: readRows<AliasRow>(db, 'company_alias', 'id, company_id, name'),
});

/**
 * Gathers all companies and their other names.
 * @param takeGroup receives the text that identifies each group, in the order of the groups
 * @param domains receives the domains
 */
export function gatherCompanies(
  rows: CompanyRows,
  takeGroup: (text: string) => void = () => {},
  domains: KeysBuilder = createKeysBuilder(),
): GatheredCompanies {
  const builders = {
    groups: createKeysBuilder(),
    keys: createKeysBuilder(),
    tokens: createDictionaryBuilder(),
    domains,
  };
  const named = startDomains(domains);
  const lists = { ids: createNumberList(), groups: createNumberList() };
  const entries = { keys: createNumberList(), groups: createNumberList() };
  const words = { groups: createNumberList(), tokens: createNumberList() };
  const denseOf = new Uint32Array(rows.idMax + 1);
  const organisations = startOrganisations();
  for (const row of rows.companies) {
    const [id, name, domain, city, state] = row;
    const normalized = normalizeCompany(name);
    const groupsBefore = builders.groups.count();
    const groupText = normalized.key === '' ? `\0${id}` : normalized.key;
    const group = builders.groups.add(groupText);
    lists.ids.push(id);
    lists.groups.push(group);
    denseOf[id] = lists.ids.length;
    if (group === groupsBefore) {
      takeGroup(groupText);
      addKey(builders.keys, entries, group, normalized.key, keyKinds.name);
      addTokens(builders.tokens, words, group, normalized.tokens);
    }
    addOtherKeys(builders.keys, entries, group, name);
    addOrganisationName(organisations, group, name);
    addOrganisationPlace(organisations, group, city, state);
    if (domain) addDomain(named, group, domain);
  }
  for (const [, companyId, name] of rows.aliases) {
    const group = lists.groups.view()[denseOf[companyId]! - 1]!;
    addKey(builders.keys, entries, group, normalizeCompany(name).key, keyKinds.name);
    addOtherKeys(builders.keys, entries, group, name);
    addOrganisationName(organisations, group, name);
  }
  return finishCompanies(builders, lists, entries, words, {
    denseOf,
    domainPairs: named.domainPairs,
    organisations,
  });
}

function finishCompanies(
  builders: Record<'groups' | 'keys' | 'domains', KeysBuilder> & {
    readonly tokens: DictionaryBuilder;
  },
  lists: { ids: NumberList; groups: NumberList },
  entries: KeyEntries,
  words: { groups: NumberList; tokens: NumberList },
  rest: Pick<GatheredCompanies, 'denseOf' | 'domainPairs' | 'organisations'>,
): GatheredCompanies {
  const groupsCount = builders.groups.count();
  const groups = lists.groups.view();
  for (const unread of [builders.groups, rest.organisations.entries])
    releaseNumbers(unread.finish().slots);
  const everyGroup = Number.MAX_SAFE_INTEGER;
  return {
    ids: lists.ids.view(),
    groups,
    groupCompanies: groupByOwner(groups, groupsCount),
    groupTokens: listUnique(words.groups.view(), words.tokens.view(), groupsCount, everyGroup),
    tokenGroups: listUnique(
      words.tokens.view(),
      words.groups.view(),
      builders.tokens.count(),
      everyGroup,
    ),
    keyGroups: listUnique(
      entries.keys.view(),
      entries.groups.view(),
      builders.keys.count(),
      groupsPerKeyMax,
    ),
    keys: builders.keys,
    tokens: builders.tokens,
    domains: builders.domains,
    ...rest,
  };
}

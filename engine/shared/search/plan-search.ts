// What a search asks of the shared directory: sets of people or companies, combined.
import type { PoolClient } from 'pg';
import type { EngineError } from '../../contract/errors.ts';
import type { WantedFirms, WantedPeople } from '../../contract/records/record-search.ts';
import { countryCode } from '../../directory/normalize/country-code.ts';
import { emailDomain } from '../../directory/normalize/normalize-email.ts';
import { websiteDomain } from '../../directory/normalize/normalize-url.ts';
import {
  companyFilters,
  contactFilters,
  type FilterName,
  refuseUnknown,
  refuseWordless,
  sortHeldValues,
} from '../../directory/search/search-filter.ts';
import {
  isCountryField,
  isWordField,
  listKeys,
  type SearchField,
} from '../../directory/search/search-keys.ts';
import { readQuery } from '../../directory/search/search-query.ts';
import { listPeopleAt, rangeOfAddress } from './address-ranges.ts';
import { fieldNumbers, type KeyRange, rangeOf, rangeOfWhole } from './search-fields.ts';
import { type ChunkMembers, splitMembers } from './sent-members.ts';

export type Searched = 'people' | 'companies';

/** Sets combined: one set, sets of which all or any must have a member, or one without another. */
export type SetNode =
  | { readonly set: number }
  | { readonly all: readonly SetNode[] }
  | { readonly any: readonly SetNode[] }
  | { readonly of: SetNode; readonly without: SetNode };

export interface PlanMembers {
  readonly set: number;
  readonly chunks: readonly ChunkMembers[];
}

export interface SearchPlan {
  readonly searched: Searched;
  readonly root: SetNode;
  /** Pairs of a set and a value: the set has the members of each of its values. */
  readonly values: readonly { readonly set: number; readonly valueId: number }[];
  readonly members: readonly PlanMembers[];
}

/** A value that must be in the directory. */
interface Required {
  readonly set: number;
  readonly filter: FilterName;
  readonly field: SearchField;
  readonly text: string;
}

interface Draft {
  sets: number;
  readonly ranges: { readonly set: number; readonly range: KeyRange }[];
  readonly members: PlanMembers[];
  readonly required: Required[];
  /** The first refusal that needs no values; it follows those of the filters before it. */
  refusal: EngineError | null;
}

function addSet(draft: Draft, ranges: readonly KeyRange[]): { readonly set: number } {
  const set = draft.sets++;
  for (const range of ranges) draft.ranges.push({ set, range });
  return { set };
}

function addChunks(draft: Draft, chunks: readonly ChunkMembers[]): SetNode {
  const set = draft.sets++;
  draft.members.push({ set, chunks });
  return { set };
}

const addMembers = (draft: Draft, ids: readonly number[]): SetNode =>
  addChunks(draft, splitMembers(ids));

function planFilter(
  draft: Draft,
  filter: FilterName,
  field: SearchField,
  texts: readonly string[],
): SetNode {
  const any = texts.map((text): SetNode => {
    const keys = listKeys(field, text);
    if (isWordField(field)) {
      if (keys.length === 0) draft.refusal ??= refuseWordless(filter, text);
      return { all: keys.map((key) => addSet(draft, [rangeOf(field, key)])) };
    }
    const node = addSet(
      draft,
      keys.map((key) => rangeOf(field, key)),
    );
    // A valid country without anyone is not an error.
    if (draft.refusal === null && (!isCountryField(field) || countryCode(text) === null))
      draft.required.push({ set: node.set, filter, field, text });
    return node;
  });
  return { any };
}

const listIds = async (client: PoolClient, sql: string, value: string): Promise<number[]> =>
  (await client.query<{ id: number }>(sql, [value])).rows.map(({ id }) => id);

// search_person has no one who is suppressed.
const peopleOf = (condition: string) => `SELECT s.person_id AS id FROM company c
  JOIN search_person s ON s.company_id = c.id WHERE c.listed = 0 AND c.${condition}`;
const domainSql = peopleOf('domain = $1');
const uuidSql = peopleOf('uuid = $1');
const companySql = 'SELECT id FROM company WHERE listed = 0 AND domain = $1';

async function planQuery(client: PoolClient, draft: Draft, text: string): Promise<SetNode> {
  const { email, domain, words } = readQuery(text);
  const everyone = addSet(draft, [rangeOfWhole('everyone')]);
  if (email !== null)
    // An address of an employment that ended still finds the person. A person without values is
    // suppressed.
    return {
      all: [everyone, addMembers(draft, await listPeopleAt(client, [rangeOfAddress(email)]))],
    };
  const any: SetNode[] = [];
  if (words.length > 0)
    any.push({
      all: words.map((word) =>
        addSet(draft, [rangeOf('personName', word), rangeOf('companyName', word)]),
      ),
    });
  if (domain !== null) any.push(addMembers(draft, await listIds(client, domainSql, domain)));
  return { any };
}

/** The companies that a text names. An email names that of its domain. */
async function planCompanyQuery(client: PoolClient, draft: Draft, text: string): Promise<SetNode> {
  const { email, domain, words } = readQuery(text);
  const host = email === null ? domain : websiteDomain(emailDomain(email));
  const any: SetNode[] = [];
  if (words.length > 0)
    any.push({ all: words.map((word) => addSet(draft, [rangeOf('companyName', word)])) });
  if (host !== null) any.push(addMembers(draft, await listIds(client, companySql, host)));
  return { any };
}

const valuesSql = `SELECT r.set AS set, v.value_id AS "valueId"
  FROM unnest($1::int[], $2::smallint[], $3::text[], $4::text[]) r(set, field, low, high)
  JOIN search_value v ON v.field = r.field AND v.key >= r.low COLLATE "C"
    AND v.key < r.high COLLATE "C"`;

export async function readHeld(client: PoolClient, field: SearchField): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    'SELECT name FROM search_value WHERE field = $1 AND name IS NOT NULL',
    [fieldNumbers[field]],
  );
  return sortHeldValues(
    field,
    rows.map(({ name }) => name),
  );
}

const startDraft = (): Draft => ({ sets: 0, ranges: [], members: [], required: [], refusal: null });

const planFilters = (
  draft: Draft,
  fields: typeof contactFilters,
  filters: Readonly<Partial<Record<FilterName, string | string[] | undefined>>>,
): SetNode[] =>
  (Object.entries(fields) as [FilterName, SearchField][]).flatMap(([name, field]) => {
    const input = filters[name];
    return input === undefined ? [] : [planFilter(draft, name, field, [input].flat())];
  });

/** Finds the values of a draft. @param withheld members that the search leaves out */
async function finishPlan(
  client: PoolClient,
  draft: Draft,
  {
    searched,
    all,
    withheld,
  }: {
    readonly searched: Searched;
    readonly all: readonly SetNode[];
    readonly withheld: readonly ChunkMembers[];
  },
): Promise<SearchPlan> {
  const root: SetNode =
    withheld.length === 0 ? { all } : { of: { all }, without: addChunks(draft, withheld) };
  const { ranges, members, required } = draft;
  const { rows } = await client.query<SearchPlan['values'][number]>(valuesSql, [
    ranges.map(({ set }) => set),
    ranges.map(({ range }) => range.field),
    ranges.map(({ range }) => range.low),
    ranges.map(({ range }) => range.high),
  ]);
  const held = new Set(rows.map(({ set }) => set));
  for (const { set, filter, field, text } of required)
    if (!held.has(set)) throw refuseUnknown(await readHeld(client, field), filter, field, text);
  if (draft.refusal) throw draft.refusal;
  return { searched, root, values: rows, members };
}

/**
 * Plans a search for people. Rejects with `validation_error` for a value that is not in the
 * directory, with the valid values.
 * @param withheld people that the search leaves out
 */
export async function planSearch(
  client: PoolClient,
  { query, email, company_id: company, has_email: hasEmail, ...filters }: WantedPeople,
  withheld: readonly ChunkMembers[] = [],
): Promise<SearchPlan> {
  const draft = startDraft();
  const all = planFilters(draft, contactFilters, filters);
  for (const text of [query, email]) if (text) all.push(await planQuery(client, draft, text));
  if (company !== undefined)
    all.push(addMembers(draft, await listIds(client, uuidSql, company.toLowerCase())));
  if (hasEmail) all.push(addSet(draft, [rangeOfWhole('withEmail')]));
  if (all.length === 0) all.push(addSet(draft, [rangeOfWhole('everyone')]));
  return finishPlan(client, draft, { searched: 'people', all, withheld });
}

export async function planCompanySearch(
  client: PoolClient,
  { query, ...filters }: WantedFirms,
  withheld: readonly ChunkMembers[],
): Promise<SearchPlan> {
  const draft = startDraft();
  const all = planFilters(draft, companyFilters, filters);
  if (query) all.push(await planCompanyQuery(client, draft, query));
  if (all.length === 0) all.push(addSet(draft, [rangeOfWhole('everyCompany')]));
  return finishPlan(client, draft, { searched: 'companies', all, withheld });
}

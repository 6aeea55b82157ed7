/** What a search asks of the shared directory: sets of people, and how they are combined. */
import type { PoolClient } from 'pg';
import type { EngineError } from '../../contract/errors.ts';
import type { WantedPeople } from '../../contract/records/record-search.ts';
import { countryCode } from '../../directory/normalize/country-code.ts';
import {
  contactFilters,
  type FilterName,
  refuseUnknown,
  refuseWordless,
  sortHeldValues,
} from '../../directory/search/search-filter.ts';
import { isCountryField, isWordField, listKeys } from '../../directory/search/search-keys.ts';
import { readQuery } from '../../directory/search/search-query.ts';
import {
  fieldNumbers,
  type KeyRange,
  type PeopleField,
  rangeOf,
  rangeOfWhole,
} from './search-fields.ts';

/** Sets combined: one set, or sets of which all or any must have a person. */
export type SetNode =
  | { readonly set: number }
  | { readonly all: readonly SetNode[] }
  | { readonly any: readonly SetNode[] };

/** A search. */
export interface SearchPlan {
  readonly root: SetNode;
  /** Pairs of a set and a value: the set has the people of each of its values. */
  readonly values: readonly { readonly set: number; readonly valueId: number }[];
  /** Pairs of a set and a person. */
  readonly people: readonly { readonly set: number; readonly personId: number }[];
}

/** A value that must be in the directory. */
interface Required {
  readonly set: number;
  readonly filter: FilterName;
  readonly field: PeopleField;
  readonly text: string;
}

/** A plan that is being made. */
interface Draft {
  sets: number;
  readonly ranges: { readonly set: number; readonly range: KeyRange }[];
  readonly people: { readonly set: number; readonly personId: number }[];
  readonly required: Required[];
  /** The first refusal that needs no values; it follows those of the filters before it. */
  refusal: EngineError | null;
}

function addSet(draft: Draft, ranges: readonly KeyRange[]): { readonly set: number } {
  const set = draft.sets++;
  for (const range of ranges) draft.ranges.push({ set, range });
  return { set };
}

function addPeople(draft: Draft, personIds: readonly number[]): SetNode {
  const set = draft.sets++;
  for (const personId of personIds) draft.people.push({ set, personId });
  return { set };
}

/** Who matches any of a filter's texts. */
function planFilter(
  draft: Draft,
  filter: FilterName,
  field: PeopleField,
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

// An address of an employment that ended still finds the person. search_person has no one who is
// suppressed.
const emailSql = `SELECT person_id AS id FROM employment WHERE email = $1
  UNION SELECT person_id FROM person_key WHERE kind = 'email' AND value = $1`;
const peopleOf = (condition: string) => `SELECT s.person_id AS id FROM company c
  JOIN search_person s ON s.company_id = c.id WHERE c.listed = 0 AND c.${condition}`;
const domainSql = peopleOf('domain = $1');
const uuidSql = peopleOf('uuid = $1');

/** The people that a text names. */
async function planQuery(client: PoolClient, draft: Draft, text: string): Promise<SetNode> {
  const { email, domain, words } = readQuery(text);
  const everyone = addSet(draft, [rangeOfWhole('everyone')]);
  if (email !== null)
    // A person without values is suppressed.
    return { all: [everyone, addPeople(draft, await listIds(client, emailSql, email))] };
  const any: SetNode[] = [];
  if (words.length > 0)
    any.push({
      all: words.map((word) =>
        addSet(draft, [rangeOf('personName', word), rangeOf('companyName', word)]),
      ),
    });
  if (domain !== null) any.push(addPeople(draft, await listIds(client, domainSql, domain)));
  return { any };
}

const valuesSql = `SELECT r.set AS set, v.value_id AS "valueId"
  FROM unnest($1::int[], $2::smallint[], $3::text[], $4::text[]) r(set, field, low, high)
  JOIN search_value v ON v.field = r.field AND v.key >= r.low COLLATE "C"
    AND v.key < r.high COLLATE "C"`;

/** The values of a field, as displayed. */
export async function readHeld(client: PoolClient, field: PeopleField): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    'SELECT name FROM search_value WHERE field = $1 AND name IS NOT NULL',
    [fieldNumbers[field]],
  );
  return sortHeldValues(
    field,
    rows.map(({ name }) => name),
  );
}

/**
 * Plans a search. Rejects with `validation_error` for a value that is not in the directory, with
 * the valid values.
 */
export async function planSearch(client: PoolClient, wanted: WantedPeople): Promise<SearchPlan> {
  const { query, company_id: company, has_email: hasEmail, ...filters } = wanted;
  const draft: Draft = { sets: 0, ranges: [], people: [], required: [], refusal: null };
  const all: SetNode[] = [];
  for (const [name, field] of Object.entries(contactFilters) as [FilterName, PeopleField][]) {
    const input = filters[name];
    if (input !== undefined) all.push(planFilter(draft, name, field, [input].flat()));
  }
  if (query) all.push(await planQuery(client, draft, query));
  if (company !== undefined)
    all.push(addPeople(draft, await listIds(client, uuidSql, company.toLowerCase())));
  if (hasEmail) all.push(addSet(draft, [rangeOfWhole('withEmail')]));
  if (all.length === 0) all.push(addSet(draft, [rangeOfWhole('everyone')]));
  const { ranges, people, required } = draft;
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
  return { root: { all }, values: rows, people };
}

// The tables of the shared directory that a load writes, and the keys of their rows.

type ColumnType =
  | 'int'
  | 'smallint'
  | 'bigint'
  | 'float8'
  | 'text'
  | 'bytea'
  | 'int[]'
  | 'bigint[]';

/** A table that mirrors one of directory.db, or is derived from it. */
export interface LoadedTable {
  readonly name: string;
  /** Every column but tenant_id, with its type. */
  readonly columns: Readonly<Record<string, ColumnType>>;
  readonly key: readonly string[];
  /** Column of the person whose rows an update replaces; null if it compares the whole table. */
  readonly person: string | null;
}

const ints = <Name extends string>(...names: Name[]) =>
  Object.fromEntries(names.map((name) => [name, 'int'])) as Record<Name, 'int'>;
const texts = <Name extends string>(...names: Name[]) =>
  Object.fromEntries(names.map((name) => [name, 'text'])) as Record<Name, 'text'>;

/** The tables of directory.db, in the order in which they are written. */
export const mirroredTables: readonly LoadedTable[] = [
  {
    name: 'source_import',
    columns: {
      ...ints('id', 'part_of'),
      trust: 'float8',
      ...texts('source', 'name', 'observed_on', 'status', 'report', 'content', 'started_at'),
      ...texts('completed_at'),
    },
    key: ['id'],
    person: null,
  },
  {
    name: 'company',
    columns: {
      ...ints('id', 'listed', 'is_mixed', 'import_id'),
      ...texts('uuid', 'given_id', 'name', 'name_key', 'website', 'domain', 'industry', 'kind'),
      ...texts('employee_range', 'revenue_range', 'street', 'city', 'state', 'country'),
      ...texts('postal_code', 'phone', 'observed_on', 'employees', 'revenue', 'founded'),
      ...texts('legal_name', 'registration_number', 'parent', 'description', 'mail_domain'),
    },
    key: ['id'],
    person: null,
  },
  {
    name: 'company_alias',
    columns: { ...ints('id', 'company_id', 'import_id'), ...texts('name') },
    key: ['id'],
    person: null,
  },
  {
    name: 'value_claim',
    columns: {
      ...ints('record', 'record_id', 'field', 'import_id', 'is_current'),
      ...texts('value', 'observed_on'),
    },
    key: ['record', 'record_id', 'field', 'import_id'],
    person: null,
  },
  {
    name: 'person',
    columns: {
      ...ints('id', 'opted_out', 'listed', 'has_foreign_phone', 'employment_id', 'has_left'),
      ...ints('is_mixed', 'import_id'),
      ...texts('uuid', 'given_id', 'first_name', 'middle_name', 'last_name', 'last_key', 'suffix'),
      ...texts('nickname', 'profile_url', 'profile_key', 'city', 'state', 'country'),
      ...texts('mobile_phone', 'direct_phone', 'observed_on'),
    },
    key: ['id'],
    person: 'id',
  },
  {
    name: 'person_name',
    columns: { ...ints('id', 'person_id', 'import_id'), ...texts('first_name', 'last_name') },
    key: ['person_id', 'id'],
    person: 'person_id',
  },
  {
    name: 'person_key',
    columns: { ...ints('id', 'person_id', 'import_id'), ...texts('kind', 'value') },
    key: ['person_id', 'id'],
    person: 'person_id',
  },
  {
    name: 'person_phone',
    columns: {
      ...ints('id', 'person_id', 'import_id'),
      ...texts('kind', 'number', 'observed_on'),
    },
    key: ['person_id', 'id'],
    person: 'person_id',
  },
  {
    name: 'employment',
    columns: {
      ...ints('id', 'person_id', 'company_id', 'is_current', 'is_primary', 'is_mixed', 'import_id'),
      ...texts('title', 'job_function', 'job_level', 'email', 'email_status', 'start_on', 'end_on'),
      ...texts('observed_on'),
    },
    key: ['person_id', 'id'],
    person: 'person_id',
  },
];

export const matchTables = {
  match_person: {
    name: 'match_person',
    columns: { person_id: 'int', digest: 'bigint', doc: 'bytea' },
    key: ['person_id'],
    person: 'person_id',
  },
  person_keys: {
    name: 'person_keys',
    columns: { person_id: 'int', keys: 'bigint[]', group_count: 'int', surnames: 'bytea' },
    key: ['person_id'],
    person: 'person_id',
  },
  match_name: {
    name: 'match_name',
    columns: { name_id: 'int', name: 'text', firsts: 'int', lasts: 'int', surnames: 'int' },
    key: ['name_id'],
    person: null,
  },
  match_group: {
    name: 'match_group',
    columns: { group_hash: 'bigint', people: 'int' },
    key: ['group_hash'],
    person: null,
  },
  match_domain: {
    name: 'match_domain',
    columns: { domain: 'text', company_ids: 'int[]' },
    key: ['domain'],
    person: null,
  },
  search_person: {
    name: 'search_person',
    columns: { person_id: 'int', company_id: 'int', value_ids: 'int[]' },
    key: ['person_id'],
    person: 'person_id',
  },
  search_company: {
    name: 'search_company',
    columns: { company_id: 'int', value_ids: 'int[]' },
    key: ['company_id'],
    person: null,
  },
  search_value: {
    name: 'search_value',
    columns: { value_id: 'int', field: 'smallint', key: 'text', name: 'text' },
    key: ['value_id'],
    person: null,
  },
} as const satisfies Record<string, LoadedTable>;

/** Every table that a load writes; block_key and the sets of searches follow from them. */
export const loadedTables: readonly LoadedTable[] = [
  ...mirroredTables,
  ...Object.values(matchTables),
];

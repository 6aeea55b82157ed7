// Writes the data of one person's rows: the person, other names, keys, phones and employments.
import { statement } from '../../platform/sqlite/statement.ts';
import { lastNameKey } from '../normalize/compatible-names.ts';
import { recordFields, type Values } from '../normalize/record-fields.ts';
import { chooseEmployment } from './choose-employment.ts';
import type { PersonPart, RowPhone } from './decode/read-person-row.ts';
import { deriveEmployment, touchPerson } from './derive.ts';
import { findEmailOwner, findPerson } from './find-person.ts';
import {
  type ImportContext,
  type Listing,
  type PlacedFacts,
  readRecord,
  readSource,
} from './import-context.ts';
import type { RemarkOnRow } from './import-tally.ts';
import { claimValues, type RecordRow } from './source-values.ts';
import {
  insertEmployment,
  mergeRepeats,
  type RowEmployment,
  resolveEmployment,
  updateEmployments,
} from './write-employment.ts';
import {
  addImportedKeys,
  addListing,
  fillKept,
  findOtherId,
  readPersonKeys,
  updateListing,
} from './write-listing.ts';

interface Gathered {
  readonly profileKey: string;
  readonly lastKey: string;
  readonly values: Values<'person'>;
  readonly otherNames: PersonPart['otherNames'];
  /** Keys besides the person's own profile URL. */
  readonly keys: readonly { readonly kind: 'profile_url' | 'email'; readonly value: string }[];
  readonly phones: readonly RowPhone[];
  readonly employments: readonly RowEmployment[];
  readonly listing: Listing;
  readonly observedOn: string;
}

function uniqueBy<T>(items: readonly T[], keyOf: (item: T) => string): T[] {
  if (items.length < 2) return [...items];
  return [
    ...new Map(items.map((item) => [keyOf(item), item] as const).reverse()).values(),
  ].reverse();
}

function mergeValues(ranked: readonly PersonPart[]): Values<'person'> {
  const [first] = ranked;
  if (first && ranked.length === 1) return first.values;
  return Object.assign({}, ...ranked.map((part) => part.values).toReversed());
}

/** The key of the merged name: from the row with the complete name, if there is one. */
function mergeLastKey(ranked: readonly PersonPart[], values: Values<'person'>): string {
  const { first_name: first = '', last_name: last = '' } = values;
  const whole = ranked.find(
    (part) => (part.values.first_name ?? '') === first && (part.values.last_name ?? '') === last,
  );
  return whole?.lastKey ?? lastNameKey({ first, last });
}

/** The data about the person in the rows, the most current first, without duplicates. */
function rankParts(rows: readonly PlacedFacts[]): readonly PersonPart[] {
  const [first] = rows;
  if (first && rows.every((row) => row.person === first.person)) return [first.person];
  return rows.toSorted((one, other) => other.rank - one.rank).map((row) => row.person);
}

/** Combines the rows of a person; the primary current row takes precedence. */
function gatherRows(context: ImportContext, rows: readonly PlacedFacts[]): Gathered {
  const ranked = rankParts(rows);
  const values = mergeValues(ranked);
  const urlKeys = ranked.map((part) => part.profileKey).filter((key) => key !== '');
  const [profileKey = ''] = urlKeys;
  const keys = [
    ...urlKeys
      .filter((key) => key !== profileKey)
      .map((value) => ({ kind: 'profile_url' as const, value })),
    ...ranked
      .filter((part) => part.personalEmail !== '')
      .map((part) => ({ kind: 'email' as const, value: part.personalEmail })),
  ];
  const employments = rows.flatMap((row) => resolveEmployment(context, row) ?? []);
  const days = rows.map((row) => row.observedOn || context.observedOn).sort();
  return {
    values,
    profileKey,
    lastKey: mergeLastKey(ranked, values),
    otherNames: uniqueBy(
      ranked.flatMap((part) => part.otherNames),
      ({ first, last }) => `${first}|${last}`,
    ),
    keys: uniqueBy(keys, ({ kind, value }) => `${kind}|${value}`),
    phones: uniqueBy(
      ranked.flatMap((part) => part.phones),
      ({ kind, number }) => kind + number,
    ),
    employments: employments.length > 1 ? mergeRepeats(employments) : employments,
    listing: {
      givenId: ranked[0]?.givenId ?? '',
      kept: rows.reduce((kept, row) => fillKept(kept, row.kept), ''),
    },
    observedOn: days.at(-1) ?? context.observedOn,
  };
}

const fields = recordFields.person;
export const personColumns = [
  'id',
  'uuid',
  'given_id',
  'last_key',
  'profile_key',
  'mobile_phone',
  'direct_phone',
  'employment_id',
  'has_left',
  'import_id',
  'observed_on',
  ...fields,
];
export const phoneColumns = ['person_id', 'kind', 'number', 'import_id', 'observed_on'];

function insertPerson(
  context: ImportContext,
  uuid: string,
  givenId: string,
  gathered: Gathered,
): number {
  const { claimant, nextIds } = context;
  const { values, employments, phones } = gathered;
  const id = nextIds.person++;
  const jobs = employments.map((incoming) => ({ id: nextIds.employment++, incoming }));
  const { employmentId, hasLeft } = chooseEmployment(
    jobs.map(({ id: jobId, incoming }) => ({
      id: jobId,
      is_current: Number(incoming.values.is_current),
      is_primary: Number(incoming.values.is_primary),
      start_on: incoming.values.start_on ?? null,
      end_on: incoming.values.end_on ?? null,
      observed_on: incoming.observedOn,
      import_id: claimant.importId,
    })),
  );
  const firstOf = (kind: RowPhone['kind']) => phones.find((phone) => phone.kind === kind)?.number;
  const row = [
    id,
    uuid,
    givenId || null,
    gathered.lastKey,
    gathered.profileKey || null,
    firstOf('mobile') ?? null,
    firstOf('direct') ?? null,
    employmentId,
    hasLeft,
    claimant.importId,
    gathered.observedOn,
  ];
  for (const field of fields) row.push(values[field] ?? emptyPersonValues[field] ?? null);
  context.insert.person.add(row);
  for (const { id: jobId, incoming } of jobs) insertEmployment(context, jobId, id, incoming);
  for (const { first, last } of gathered.otherNames) insertName(context, id, first, last);
  for (const { kind, value } of gathered.keys) insertKey(context, id, kind, value);
  for (const phone of phones) insertPhone(context, id, phone, gathered.observedOn);
  addListing(context, 'person', id, gathered.listing);
  return id;
}

const emptyPersonValues: Readonly<Partial<Record<(typeof fields)[number], string>>> = {
  first_name: '',
  last_name: '',
  opted_out: '0',
};

function insertName(context: ImportContext, id: number, first: string, last: string): void {
  statement(
    context.db,
    'INSERT INTO person_name (person_id, first_name, last_name, import_id) VALUES (?, ?, ?, ?)',
  ).run(id, first, last, context.claimant.importId);
}
function insertKey(context: ImportContext, id: number, kind: string, value: string): void {
  statement(
    context.db,
    'INSERT INTO person_key (person_id, kind, value, import_id) VALUES (?, ?, ?, ?)',
  ).run(id, kind, value, context.claimant.importId);
}
function insertPhone(context: ImportContext, id: number, phone: RowPhone, day: string): void {
  const { importId } = context.claimant;
  context.insert.person_phone.add([id, phone.kind, phone.number, importId, day]);
  context.touchNumber(phone.number);
}

function isNewToSource(
  context: ImportContext,
  table: 'person_name' | 'person_key' | 'person_phone',
  columns: readonly [string, string],
  values: readonly [number, string, string],
): boolean {
  const found = statement(
    context.db,
    `SELECT 1 FROM ${table} t JOIN source_import s ON s.id = t.import_id
     WHERE t.person_id = ? AND t.${columns[0]} = ? AND t.${columns[1]} = ? AND s.source = ?`,
  ).get(...values, context.claimant.source);
  return !found;
}

/** Adds the lists of values in a known person's rows. Returns whether any was new. */
function addListed(context: ImportContext, id: number, gathered: Gathered): boolean {
  let isChanged = false;
  for (const { first, last } of gathered.otherNames) {
    if (!isNewToSource(context, 'person_name', ['first_name', 'last_name'], [id, first, last]))
      continue;
    insertName(context, id, first, last);
    isChanged = true;
  }
  for (const { kind, value } of gathered.keys) {
    if (!isNewToSource(context, 'person_key', ['kind', 'value'], [id, kind, value])) continue;
    insertKey(context, id, kind, value);
    isChanged = true;
  }
  for (const phone of gathered.phones) {
    const { kind, number } = phone;
    if (!isNewToSource(context, 'person_phone', ['kind', 'number'], [id, kind, number])) continue;
    insertPhone(context, id, phone, gathered.observedOn);
    touchPerson(context.db, id);
    isChanged = true;
  }
  return isChanged;
}

/** Whether a person is known only from other sources. */
function isOfOthers(context: ImportContext, row: RecordRow): boolean {
  const { db, claimant } = context;
  if (readSource(db, row.import_id) === claimant.source) return false;
  if (!row.is_mixed) return true;
  const spoke = statement(
    db,
    `SELECT 1 FROM value_claim k JOIN source_import s ON s.id = k.import_id
     WHERE k.record = 0 AND k.record_id = ? AND s.source = ? LIMIT 1`,
  ).get(row.id, claimant.source);
  return !spoke;
}

const listKeysOf = ({ profileKey, keys, phones, employments }: Gathered): string[] =>
  [
    profileKey,
    ...keys.map(({ value }) => value),
    ...phones.map(({ number }) => number),
    ...employments.map(({ values }) => values.email ?? ''),
  ].flatMap((key) => (key === '' ? [] : key.toLowerCase()));

function updatePerson(context: ImportContext, id: number, gathered: Gathered): void {
  const { db, claimant, tally, seenPeople } = context;
  const isSeen = seenPeople.has(id);
  const row = readRecord(db, 'person', id);
  const isMerged = isOfOthers(context, row);
  const urlBefore = row.profile_key;
  const { givenId } = gathered.listing;
  const hasOtherId =
    givenId !== '' &&
    givenId !== row.given_id &&
    findOtherId(context, 'person', id, givenId) !== '';
  const keysBefore = hasOtherId ? readPersonKeys(db, id) : null;
  const changes = [
    claimValues(db, 'person', row, gathered.values, claimant, {
      observedOn: gathered.observedOn,
      fillsOnly: isSeen,
    }),
    addListed(context, id, gathered),
    updateEmployments(context, id, gathered.employments, isSeen),
    updateListing(context, 'person', id, gathered.listing, isSeen),
  ];
  // A former URL still identifies its person, and so does a given URL that did not become the
  // person's own.
  for (const key of [urlBefore, gathered.profileKey])
    if (typeof key === 'string' && key !== '' && key !== row.profile_key)
      if (isNewToSource(context, 'person_key', ['kind', 'value'], [id, 'profile_url', key])) {
        insertKey(context, id, 'profile_url', key);
        changes.push(true);
      }
  if (keysBefore)
    addImportedKeys(
      context,
      id,
      givenId,
      listKeysOf(gathered).filter((key) => !keysBefore.has(key)),
    );
  const isChanged = changes.includes(true);
  if (isChanged) deriveEmployment(db, id);
  if (isSeen) return;
  if (isMerged || isChanged) context.changedPeople.add(id);
  if (isMerged) tally.count('people_merged');
  else tally.count(isChanged ? 'people_updated' : 'people_unchanged');
}

/** The row without a work email that another person has, if its person has one already. */
function keepOwnEmail(
  context: ImportContext,
  id: number,
  row: PlacedFacts,
  remark: RemarkOnRow,
): PlacedFacts {
  const owner = findEmailOwner(context, id, row);
  if (owner === null || row.employment === null) return row;
  const { email, ...values } = row.employment.values;
  remark(`The email ${email} belongs to ${owner}, so the known one was kept.`, 'email');
  return { ...row, employment: { ...row.employment, values } };
}

/** Adds the new person of a group of rows with one given id, or of a single row without an id. */
export function addPerson(
  context: ImportContext,
  rows: readonly PlacedFacts[],
  uuid: string,
): void {
  const { tally, seenPeople, namesakes, changedPeople } = context;
  const givenId = rows[0]?.person.givenId ?? '';
  const id = insertPerson(context, uuid, givenId, gatherRows(context, rows));
  seenPeople.add(id);
  namesakes.note(id);
  changedPeople.add(id);
  tally.count('people_added');
}

/** @param remark adds a remark to the group's first row */
export function writePerson(
  context: ImportContext,
  rows: readonly PlacedFacts[],
  remark: RemarkOnRow,
): void {
  const { tally, seenPeople, namesakes, refusedCompanies } = context;
  const [facts] = rows;
  const found = findPerson(context, rows);
  if ('refusal' in found || !facts) {
    if ('refusal' in found) remark(found.refusal);
    tally.counts.rows_refused += rows.length;
    for (const { companyId } of rows) if (companyId !== null) refusedCompanies.add(companyId);
    return;
  }
  if (found.isKeptApart)
    remark(
      `The id ${facts.person.givenId} belongs to another person of another source, so ` +
        `the row was added separately as ${found.uuid}.`,
      'id',
    );
  if (found.firstId !== undefined)
    remark(
      `The ids ${found.firstId} and ${facts.person.givenId} are of one person, by the same ` +
        'email, profile, or name, employer and phone. The person has both ids.',
      'id',
    );
  const { id } = found;
  if (id === null) {
    addPerson(context, rows, found.uuid);
    return;
  }
  const own = rows.map((row) => keepOwnEmail(context, id, row, remark));
  updatePerson(context, id, gatherRows(context, own));
  seenPeople.add(id);
  namesakes.note(id);
}

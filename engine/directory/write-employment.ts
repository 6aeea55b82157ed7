/** Writes the employments of a person: finds those that rows speak of again, adds and retires. */
import { statement } from '../sqlite/statement.ts';
import { foldText } from './fold-text.ts';
import type { ImportContext } from './import-context.ts';
import type { PersonFacts } from './read-person-row.ts';
import { recordFields, type Values } from './record-fields.ts';
import { claimValues, type RecordRow } from './value-claims.ts';

/** An employment as rows give it, its company resolved. */
export interface GivenEmployment {
  readonly companyId: number | null;
  readonly values: Values<'employment'>;
  readonly observedOn: string;
}

const fields = recordFields.employment;
const insertSql = `INSERT INTO employment
  (id, person_id, company_id, import_id, observed_on, ${fields.join(', ')})
  VALUES (?, ?, ?, ?, ?, ${fields.map(() => '?').join(', ')})`;

/** Adds an employment under an id that was set aside for it. */
export function insertEmployment(
  context: ImportContext,
  id: number,
  personId: number,
  given: GivenEmployment,
): void {
  statement(context.db, insertSql).run(
    id,
    personId,
    given.companyId,
    context.claimant.importId,
    given.observedOn,
    ...fields.map((field) => given.values[field] ?? null),
  );
  context.tally.count('employments_added');
}

const sameText = (one: unknown, other: unknown) =>
  foldText(String(one ?? '')) === foldText(String(other ?? ''));
/** Whether two dates, each of its own precision, can be one: "2020" and "2020-03", or one unknown. */
function canBeOne(one: unknown, other: unknown): boolean {
  const [a, b] = [String(one ?? ''), String(other ?? '')];
  return a.startsWith(b) || b.startsWith(a);
}

type Pairing = (row: RecordRow, values: Values<'employment'>) => boolean;
// From the surest to the loosest: the very same; the same with a date more or less; a job without
// dates whose title is another now.
const pairings: readonly Pairing[] = [
  (row, values) =>
    sameText(row.title, values.title) &&
    sameText(row.start_on, values.start_on) &&
    sameText(row.end_on, values.end_on),
  (row, values) =>
    sameText(row.title, values.title) &&
    canBeOne(row.start_on, values.start_on) &&
    canBeOne(row.end_on, values.end_on),
  (row, values) =>
    !row.start_on && !row.end_on && !values.start_on && !values.end_on && row.is_current === 1,
];

/** The known employment that each given one is; null where it is new. None is taken twice. */
function pairEmployments(
  known: readonly RecordRow[],
  given: readonly GivenEmployment[],
): (RecordRow | null)[] {
  const pairs: (RecordRow | null)[] = given.map(() => null);
  const taken = new Set<RecordRow>();
  for (const pairing of pairings)
    given.forEach(({ companyId, values }, at) => {
      if (pairs[at]) return;
      const found = known.filter(
        (row) => !taken.has(row) && row.company_id === companyId && pairing(row, values),
      );
      // Equal ones are taken in order; a changed title only where a single job can be meant.
      const [row] = found;
      if (!row || (pairing === pairings[2] && found.length > 1)) return;
      pairs[at] = row;
      taken.add(row);
    });
  return pairs;
}

function updateEmployment(
  context: ImportContext,
  row: RecordRow,
  given: GivenEmployment,
  fillsOnly: boolean,
): boolean {
  const { email_status: status, ...rest } = given.values;
  const { is_current: isCurrent } = given.values;
  // "Unknown" is no news about an address that is already known.
  const isNews = status && (status !== 'unknown' || !sameText(row.email, given.values.email));
  const values = isNews ? given.values : rest;
  const options = { observedOn: given.observedOn, fillsOnly };
  const { db, claimant } = context;
  let isChanged = claimValues(db, 'employment', row, values, claimant, options);
  // An earlier row of this import did not name the job, and retired it too early.
  if (fillsOnly && isCurrent === '1' && row.is_current === 0)
    isChanged =
      claimValues(db, 'employment', row, { is_current: '1' }, claimant, {
        ...options,
        fillsOnly: false,
      }) || isChanged;
  return isChanged;
}

/** A current job that a newer word on the person no longer names has ended, nobody says when. */
function retireEmployment(context: ImportContext, row: RecordRow, observedOn: string): boolean {
  return claimValues(context.db, 'employment', row, { is_current: '0' }, context.claimant, {
    observedOn,
    fillsOnly: false,
  });
}

/**
 * Writes the employments that rows give a known person. Those that the rows name as current retire
 * the current ones that they leave out, where the rows are the newer word.
 * @param isSeen whether this import spoke of the person before
 * @returns whether anything changed
 */
export function updateEmployments(
  context: ImportContext,
  personId: number,
  given: readonly GivenEmployment[],
  isSeen: boolean,
): boolean {
  const known = statement<RecordRow>(
    context.db,
    'SELECT * FROM employment WHERE person_id = ? ORDER BY id',
  ).all(personId);
  const pairs = pairEmployments(known, given);
  let isChanged = false;
  const current: GivenEmployment[] = [];
  given.forEach((employment, at) => {
    const row = pairs[at];
    if (row) isChanged = updateEmployment(context, row, employment, isSeen) || isChanged;
    else {
      insertEmployment(context, context.nextIds.employment++, personId, employment);
      isChanged = true;
    }
    const isCurrent = row ? row.is_current === 1 : employment.values.is_current === '1';
    if (isCurrent && employment.companyId !== null) current.push(employment);
  });
  const [newest] = current
    .map(({ observedOn }) => observedOn)
    .sort()
    .reverse();
  if (newest === undefined || isSeen) return isChanged;
  for (const row of known)
    if (row.is_current === 1 && !pairs.includes(row))
      isChanged = retireEmployment(context, row, newest) || isChanged;
  return isChanged;
}

/** Given employments with exact repeats put together, the first of them filled up by the others. */
export function mergeRepeats(given: readonly GivenEmployment[]): GivenEmployment[] {
  const merged = new Map<string, GivenEmployment>();
  for (const one of given) {
    const { title, start_on: startOn, end_on: endOn } = one.values;
    const key = [one.companyId, foldText(title ?? ''), startOn, endOn].join('|');
    const first = merged.get(key);
    merged.set(key, first ? { ...first, values: { ...one.values, ...first.values } } : one);
  }
  return [...merged.values()];
}

/** The employment that a row gives, if it gives one. */
export function givenEmployment(
  context: ImportContext,
  row: PersonFacts,
  companyId: number | null,
): GivenEmployment | null {
  if (!row.employment) return null;
  return {
    companyId,
    values: row.employment.values,
    observedOn: row.observedOn || context.observedOn,
  };
}

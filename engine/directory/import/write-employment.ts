// Writes the employments of a person: finds existing ones, adds new ones, and ends outdated ones.
import { statement } from '../../platform/sqlite/statement.ts';
import { foldText } from '../normalize/fold-text.ts';
import { recordFields, type Values } from '../normalize/record-fields.ts';
import type { ImportContext, PlacedFacts } from './import-context.ts';
import { claimValues, type RecordRow } from './source-values.ts';

export interface RowEmployment {
  readonly companyId: number | null;
  readonly values: Values<'employment'>;
  readonly observedOn: string;
}

const fields = recordFields.employment;
export const employmentColumns = [
  'id',
  'person_id',
  'company_id',
  'import_id',
  'observed_on',
  ...fields,
];

export function insertEmployment(
  context: ImportContext,
  id: number,
  personId: number,
  incoming: RowEmployment,
): void {
  const { companyId, values, observedOn } = incoming;
  const row: unknown[] = [id, personId, companyId, context.claimant.importId, observedOn];
  for (const field of fields) row.push(values[field] ?? null);
  context.insert.employment.add(row);
  context.seenEmployments.add(id);
  context.tally.count('employments_added');
}

const sameText = (one: unknown, other: unknown) =>
  foldText(String(one ?? '')) === foldText(String(other ?? ''));
/** Whether two dates can be equal: "2020" and "2020-03", or one is unknown. */
function canBeOne(one: unknown, other: unknown): boolean {
  const [a, b] = [String(one ?? ''), String(other ?? '')];
  return a.startsWith(b) || b.startsWith(a);
}

type Pairing = (row: RecordRow, values: Values<'employment'>) => boolean;
// From the strictest to the loosest: identical; identical with a date more or less; a job without
// dates whose title has changed.
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

/** The existing employment of each given one; null if it is new. None is used twice. */
function pairEmployments(
  context: ImportContext,
  known: readonly RecordRow[],
  incoming: readonly RowEmployment[],
): (RecordRow | null)[] {
  const pairs: (RecordRow | null)[] = incoming.map(() => null);
  const taken = new Set<RecordRow>();
  for (const pairing of pairings)
    incoming.forEach(({ companyId, values }, at) => {
      if (pairs[at]) return;
      // A job that this import already referred to is a different job, unless it is identical.
      const isOpen = (row: RecordRow) =>
        !taken.has(row) && (pairing === pairings[0] || !context.seenEmployments.has(row.id));
      const found = known.filter(
        (row) => isOpen(row) && row.company_id === companyId && pairing(row, values),
      );
      // Equal jobs are paired in order; a changed title only if there is a single candidate.
      const [row] = found;
      if (!row || (pairing === pairings[2] && found.length > 1)) return;
      pairs[at] = row;
      taken.add(row);
    });
  return pairs;
}

/** The job among those of a person that a job of another record of the person repeats. */
export function findRepeatedJob(known: readonly RecordRow[], job: RecordRow): RecordRow | null {
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  const values = {
    title: text(job.title),
    start_on: text(job.start_on),
    end_on: text(job.end_on),
  };
  for (const pairing of pairings) {
    if (pairing === pairings[2] && job.is_current !== 1) continue;
    const found = known.filter((row) => row.company_id === job.company_id && pairing(row, values));
    if (found[0] && (pairing !== pairings[2] || found.length === 1)) return found[0];
  }
  return null;
}

function updateEmployment(
  context: ImportContext,
  row: RecordRow,
  incoming: RowEmployment,
  fillsOnly: boolean,
): boolean {
  const { email_status: status, ...rest } = incoming.values;
  // "unknown" adds nothing about an existing address.
  const isNews = status && (status !== 'unknown' || !sameText(row.email, incoming.values.email));
  const values = isNews ? incoming.values : rest;
  const { db, claimant } = context;
  return claimValues(db, 'employment', row, values, claimant, {
    observedOn: incoming.observedOn,
    fillsOnly,
  });
}

const selectKnown = 'SELECT * FROM employment WHERE person_id = ? ORDER BY id';

/**
 * Writes the employments of a known person.
 * @param isSeen whether this import already referred to the person
 * @returns whether anything changed
 */
export function updateEmployments(
  context: ImportContext,
  personId: number,
  incoming: readonly RowEmployment[],
  isSeen: boolean,
): boolean {
  const { db, nextIds, seenEmployments, unsaidJobs } = context;
  const known = statement<RecordRow>(db, selectKnown).all(personId);
  const pairs = pairEmployments(context, known, incoming);
  let isChanged = false;
  incoming.forEach((employment, at) => {
    const row = pairs[at];
    if (row) {
      const fillsOnly = isSeen && seenEmployments.has(row.id);
      isChanged = updateEmployment(context, row, employment, fillsOnly) || isChanged;
      seenEmployments.add(row.id);
    } else {
      const id = nextIds.employment++;
      insertEmployment(context, id, personId, employment);
      isChanged = true;
    }
  });
  if (known.some((row) => row.is_current === 1 && !seenEmployments.has(row.id))) {
    const said = incoming.filter(({ companyId, values }) => companyId && values.is_current === '1');
    const days = [unsaidJobs.get(personId) ?? '', ...said.map(({ observedOn }) => observedOn)];
    unsaidJobs.set(personId, days.sort().at(-1) ?? '');
  }
  return isChanged;
}

/**
 * Ends current jobs that newer data on the person omits, without a known end date. Called after all
 * rows, for people with current jobs that no row confirmed.
 * @param saidOn the day on which the rows reported a current employer; '' if they reported none
 * @returns whether any job ended
 */
export function endUnconfirmedJobs(
  context: ImportContext,
  personId: number,
  saidOn: string,
): boolean {
  const { db, claimant, seenEmployments } = context;
  const current = statement<RecordRow>(db, selectKnown)
    .all(personId)
    .filter((row) => row.is_current === 1);
  const isSaid = (row: RecordRow) => seenEmployments.has(row.id) && row.company_id !== null;
  if (saidOn === '' || !current.some(isSaid)) return false;
  return current
    .filter((row) => !seenEmployments.has(row.id))
    .map((row) => {
      const options = { observedOn: saidOn, fillsOnly: false };
      return claimValues(db, 'employment', row, { is_current: '0' }, claimant, options);
    })
    .includes(true);
}

export function mergeRepeats(incoming: readonly RowEmployment[]): RowEmployment[] {
  // Jobs with different start dates are not repeats.
  const starts = new Set(incoming.map(({ values }) => values.start_on));
  if (starts.size === incoming.length) return [...incoming];
  const merged = new Map<string, RowEmployment>();
  for (const one of incoming) {
    const { title, start_on: startOn, end_on: endOn } = one.values;
    const key = [one.companyId, foldText(title ?? ''), startOn, endOn].join('|');
    const first = merged.get(key);
    merged.set(key, first ? { ...first, values: { ...one.values, ...first.values } } : one);
  }
  return [...merged.values()];
}

export function resolveEmployment(context: ImportContext, row: PlacedFacts): RowEmployment | null {
  if (!row.employment) return null;
  return {
    companyId: row.companyId,
    values: row.employment.values,
    observedOn: row.observedOn || context.observedOn,
  };
}

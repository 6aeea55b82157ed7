// The columns that an export adds to the user's, and their cells (docs/rules.md, "Exports").
import { formatCredits } from '../../contract/credits.ts';
import { reasons } from '../../contract/jobs/job.ts';
import { type LayerCode, layerByCode } from '../../contract/jobs/layers.ts';
import type { EarlierRow, Repeat } from '../../contract/jobs/repeats.ts';
import { namesPeople } from '../../contract/jobs/row-input.ts';
import type { OwnRecord } from '../../directory/read/own-lists.ts';
import { expandProvenance } from '../../directory/read/projection.ts';
import { priceRow } from '../../ledger/price-job.ts';
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import type { ExportColumn } from '../../spreadsheet/export/export-table.ts';
import type { JobRow } from '../job.table.ts';
import type { DescribedRepeat } from '../repeats/repeat-row.table.ts';
import type { ShownRow } from './hide-suppressed.ts';
import { inferredColumns, listInferredCells } from './inferred-email.ts';
import { readFacts } from './job-batch.table.ts';
import { type OwnColumn, readOwnCell } from './own-columns.ts';
import { presentRowError, readRowStatus } from './present-result.ts';
import type { ResultRecord } from './result.table.ts';
import { readFields } from './result-fields.ts';
import { formatRepairs, listRowRepairs } from './row-repairs.ts';
import { countOutcomes } from './view/row-facts.ts';

type Column = Pick<ExportColumn, 'name' | 'type'>;

const text = (name: string): Column => ({ name, type: 'text' });
const number = (name: string): Column => ({ name, type: 'number' });

const outcomeColumns: readonly Column[] = [
  text('Enrichment status'),
  text('Enrichment reason'),
  text('Enrichment error'),
  number('Credits charged'),
];

const describeRow = ({ job_id, row_index }: EarlierRow): string =>
  `row ${row_index + 1} of job ${job_id}`;

/** Columns of jobs with repeated people; rows are numbered from 1, as in the app. */
const repeatColumns: readonly (Column & {
  has(job: JobRow): boolean;
  write(repeat: Repeat): string;
})[] = [
  {
    ...number('Duplicate of row'),
    has: (job) => job.duplicateRows > 0,
    write: ({ duplicate_of: first }) => (first === null ? '' : String(first + 1)),
  },
  {
    ...text('Paid before'),
    has: (job) => job.paidBeforeRows > 0,
    write: ({ paid_before: paid }) =>
      paid
        .map((row) => `${row.layers.join(', ')} on ${row.paid_on} by ${describeRow(row)}`)
        .join('; '),
  },
  {
    ...text('Known from'),
    has: (job) => job.knownRows > 0,
    write: ({ known_from: known }) => (known === null ? '' : describeRow(known)),
  },
];

export const listRepeatColumns = (job: JobRow) => repeatColumns.filter(({ has }) => has(job));

const listFields = (codes: readonly LayerCode[]): string[] =>
  codes.flatMap((code) => layerByCode[code].fields);

/**
 * The layers of a job whose fields its rows may have: in a list of companies, those about people
 * only if a row was answered by one nevertheless.
 */
export function listOpenLayers(database: ReadableDatabase, job: JobRow): readonly LayerCode[] {
  if (namesPeople(job.mapping)) return job.codes;
  const ofPeople = job.codes.filter((code) => layerByCode[code].about === 'person');
  const { layers } = countOutcomes(readFacts(database, job.id), ofPeople);
  const isOfPeople = ofPeople.some((code) => (layers[code] ?? 0) > 0);
  return isOfPeople ? job.codes : job.codes.filter((code) => !ofPeople.includes(code));
}

const typesOfFields: Readonly<Record<string, ExportColumn['type']>> = {
  'New start date': 'date',
  'Inferred email probability': 'number',
};

/** The header of a found field: only its first word and abbreviations have capitals. */
const headerOf = (field: string): string =>
  field.replace(/ \p{Lu}(?=\p{Ll})/gu, (letter) => letter.toLowerCase());

export interface Additions {
  /** The layers whose fields are added. */
  readonly codes: readonly LayerCode[];
  readonly hasRepairs: boolean;
  readonly own: readonly OwnColumn[];
  /** Whether each found value comes with its source, day and confidence. */
  readonly hasSources: boolean;
}

export const noAdditions = ({ codes }: Pick<JobRow, 'codes'>): Additions => ({
  codes,
  hasRepairs: false,
  own: [],
  hasSources: false,
});

const sourceColumns = (field: string): Column[] => [
  text(`${field} source`),
  { name: `${field} date`, type: 'date' },
  number(`${field} confidence`),
];

export const listAddedColumns = (
  job: JobRow,
  { codes, hasRepairs, own, hasSources }: Additions,
): Column[] => [
  ...listFields(codes)
    .concat(job.inferEmails ? inferredColumns : [])
    .map((name) => ({ name: headerOf(name), type: typesOfFields[name] ?? 'text' })),
  ...outcomeColumns,
  ...listRepeatColumns(job),
  ...(hasRepairs ? [text('Input repairs')] : []),
  ...own.map(({ name }) => text(name)),
  ...(hasSources ? listFields(codes).map(headerOf).flatMap(sourceColumns) : []),
];

function listSourceCells(
  fields: readonly string[],
  { provenance }: ResultRecord,
  found: object,
): string[] {
  const known = expandProvenance(provenance ?? '{}', Object.keys(found));
  return fields.flatMap((field) => {
    const from = known[field];
    return from ? [from.source, from.observed_at, String(from.confidence)] : ['', '', ''];
  });
}

export function listAddedCells(
  job: JobRow,
  { cells, record, isHidden }: ShownRow<ResultRecord>,
  { repeat, freeLayers }: DescribedRepeat,
  ownRecord: OwnRecord | undefined,
  { codes, hasRepairs, own, hasSources }: Additions,
): string[] {
  const found = readFields(record);
  const fields = listFields(codes);
  const isEnriched = readRowStatus(record) === 'enriched';
  const charged = priceRow(job, isEnriched, record.layerBits, freeLayers);
  const added = [
    ...fields.map((name) => found[name] ?? ''),
    ...(job.inferEmails ? listInferredCells(record) : []),
    readRowStatus(record),
    reasons[record.reason] ?? '',
    presentRowError(record),
    formatCredits(charged),
    ...listRepeatColumns(job).map(({ write }) => write(repeat)),
  ];
  if (hasRepairs)
    added.push(formatRepairs(isHidden ? [] : listRowRepairs(cells, job.mapping, record)));
  for (const column of own) added.push(readOwnCell(ownRecord, column));
  if (hasSources) added.push(...listSourceCells(fields, record, found));
  return added;
}

/** The value by which a row is ordered: empty last, numbers before texts. */
import { EngineError } from '../../../contract/errors.ts';
import { reasons } from '../../../contract/jobs/job.ts';
import { layerByCode } from '../../../contract/jobs/layers.ts';
import { sortCharactersMax } from '../../../contract/limits/jobs.ts';
import type { JobRow } from '../../job.table.ts';
import { expandInferred } from '../inferred-email.ts';
import type { ResultRecord } from '../result.table.ts';
import { readField } from '../result-fields.ts';
import { foldText } from './search-rows.ts';

/** Reads the value of a row that an order compares. */
export type ReadSortValue = (cells: readonly string[], record: ResultRecord) => string;

/**
 * The reader of a `sort` of a view. Throws `validation_error` for a column that the job does not
 * have.
 */
export function createSortReader(
  job: Pick<JobRow, 'headers' | 'codes' | 'inferEmails'>,
  sort: string,
): ReadSortValue {
  const [kind, name = ''] = sort.split(/:(.*)/s);
  const refuse = () =>
    new EngineError('validation_error', `sort: this job has no column ${JSON.stringify(sort)}.`);
  if (sort === 'reason') return (_cells, record) => reasons[record.reason] ?? '';
  if (sort === 'guess' && job.inferEmails)
    return (_cells, record) => expandInferred(record)?.email ?? '';
  if (kind === 'input') {
    const column = /^\d+$/.test(name) ? Number(name) : job.headers.length;
    if (column >= job.headers.length) throw refuse();
    return (cells) => cells[column] ?? '';
  }
  const fields: readonly string[] = job.codes.flatMap((code) => layerByCode[code].fields);
  if (kind !== 'found' || !fields.includes(name)) throw refuse();
  return (_cells, record) => (record.fields === '{}' ? '' : readField(record, name));
}

const plainNumber = /^[+-]?\d+(\.\d+)?$/;

/** What is compared, in this order: 0 number, 1 text, 2 empty; the number; the folded text. */
export type SortKey = readonly [kind: 0 | 1 | 2, number: number, text: string];

/** The key of a value. */
export function sortKeyOf(value: string): SortKey {
  const text = value.trim();
  if (text === '') return [2, 0, ''];
  if (text.length < 16 && plainNumber.test(text)) return [0, Number(text), ''];
  return [1, 0, foldText(text.slice(0, sortCharactersMax))];
}

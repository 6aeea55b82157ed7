// The rules of an export, applied to the columns of one job.
import { invalid } from '../../contract/errors.ts';
import type { ColumnRule, Overwrite, OverwriteRule } from '../../contract/exports/overwrite.ts';
import { layerByCode } from '../../contract/jobs/layers.ts';
import { quoteNames } from '../../contract/reading/reading.ts';
import type { JobRow } from '../job.table.ts';
import { type Correspondence, listCorrespondences } from './corresponding-fields.ts';

export interface RuledColumn extends Correspondence {
  readonly rule: OverwriteRule;
  /** Index of the column of `newer`; null for other rules. */
  readonly dateColumn: number | null;
  /** Names of `trusted`, in lower case. */
  readonly sources: readonly string[];
}

const quote = (text: string): string => JSON.stringify(text);

const refuse = (path: string, sentence: string): never => {
  throw invalid(`${path}: ${sentence}`);
};

const listHeaders = (headers: readonly string[]): string =>
  `Its columns are ${quoteNames(headers)}.`;

function findColumn(headers: readonly string[], name: string, path: string): number {
  const at = headers.indexOf(name);
  if (at < 0) refuse(path, `the sheet has no column ${quote(name)}. ${listHeaders(headers)}`);
  return at;
}

function chooseFields(
  { codes }: Pick<JobRow, 'codes'>,
  { field }: ColumnRule,
  column: number,
  recognized: Correspondence | undefined,
  path: string,
): Correspondence {
  const selected = codes.flatMap((code) => layerByCode[code].fields);
  const allowed = `Fields of this job are ${selected.join(', ')}.`;
  if (field !== undefined && !selected.includes(field))
    refuse(`${path}.field`, `the job has no field ${quote(field)}. ${allowed}`);
  if (field !== undefined) return { column, fields: [field], isFullName: false, ofMove: null };
  if (recognized) return recognized;
  return refuse(path, `no found field corresponds to this column. Name one as "field". ${allowed}`);
}

function applyRule(
  job: Pick<JobRow, 'codes' | 'headers'>,
  named: ColumnRule,
  correspondence: Correspondence,
  path: string,
): RuledColumn {
  const { rule, date_column: dateName, sources = [] } = named;
  const dateColumn =
    dateName === undefined ? null : findColumn(job.headers, dateName, `${path}.date_column`);
  const names = sources.map((name) => name.trim().toLowerCase());
  return { ...correspondence, rule, dateColumn, sources: names };
}

/**
 * The columns of a job with their rules, in their order. Throws `validation_error`, with the path
 * in the rules, for a column, a field or a date column that the job does not have.
 */
export function readColumnRules(
  job: Pick<JobRow, 'codes' | 'headers' | 'mapping'>,
  { default: byDefault, columns }: Overwrite,
): RuledColumn[] {
  const recognized = listCorrespondences(job);
  const ruled = new Map<number, RuledColumn>(
    recognized.map((one) => [
      one.column,
      { ...one, rule: byDefault, dateColumn: null, sources: [] },
    ]),
  );
  for (const [name, rule] of Object.entries(columns)) {
    const path = `overwrite.columns[${quote(name)}]`;
    findColumn(job.headers, name, path);
    for (const [column, header] of job.headers.entries()) {
      if (header !== name) continue;
      const known: Correspondence | undefined = recognized.find((one) => one.column === column);
      // A column that is never changed needs no field.
      if (!known && rule.rule === 'never' && rule.field === undefined) continue;
      const fields = chooseFields(job, rule, column, known, path);
      ruled.set(column, applyRule(job, rule, fields, path));
    }
  }
  return [...ruled.values()].sort((a, b) => a.column - b.column);
}

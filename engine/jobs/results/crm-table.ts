/**
 * The table of an export for a CRM: the id of the record, then the values to be imported
 * (docs/crm-presets.md).
 */
import { EngineError } from '../../contract/errors.ts';
import {
  type CrmExport,
  type CrmName,
  crmNames,
  crmPresets,
  guessRecordId,
} from '../../contract/exports/crm-presets.ts';
import type { DisplayName } from '../../contract/jobs/layers.ts';
import { layerByCode } from '../../contract/jobs/layers.ts';
import { recordIdRowsMax } from '../../contract/limits/exports.ts';
import { type ExportColumn, nothingChanged } from '../../spreadsheet/export/export-table.ts';
import type { RowsFile } from '../../spreadsheet/read-rows.ts';
import type { JobRow } from '../job.table.ts';
import { readColumnRules } from '../overwrite/column-rules.ts';
import type { ResultExport } from './result-export.ts';
import type { ResultTable } from './result-table.ts';

/** Headers that a refusal names. */
const headersShown = 20;

type Listed = Pick<JobRow, 'headers' | 'totalRows'>;
type Rows = readonly (readonly string[])[];

/** The rows in which a record id is searched. */
export const readFirst = ({ totalRows }: Listed, rows: RowsFile): Rows =>
  rows.readRange(0, Math.min(recordIdRowsMax, totalRows));

/** The headers of a job's list, and the guessed column of each preset. */
export function guessRecordIds(job: Listed, rows: RowsFile) {
  const { headers } = job;
  const first = readFirst(job, rows);
  const guesses = Object.fromEntries(
    crmNames.map((crm) => [crm, headers[guessRecordId(crm, headers, first) ?? -1] ?? null]),
  );
  return { headers: [...headers], guesses: guesses as Record<CrmName, string | null> };
}

/**
 * The column of the record id. Throws `validation_error` if the list does not have the one that was
 * named, or if none was named and none can be guessed.
 */
export function findRecordId(
  { crm, record_id: named }: CrmExport,
  headers: readonly string[],
  firstRows: Rows,
): number {
  const { label, idHint } = crmPresets[crm];
  const shown = headers
    .slice(0, headersShown)
    .map((header) => JSON.stringify(header))
    .join(', ');
  if (named !== undefined) {
    const column = headers.indexOf(named);
    if (column >= 0) return column;
    throw new EngineError(
      'validation_error',
      `preset.record_id: the list has no column ${JSON.stringify(named)}. Its columns: ${shown}.`,
    );
  }
  const guessed = guessRecordId(crm, headers, firstRows);
  if (guessed !== null) return guessed;
  throw new EngineError(
    'validation_error',
    `preset.record_id: no column has the form of the id of ${label} (${idHint}). Name one. ` +
      `Its columns: ${shown}.`,
  );
}

/** A column of the file: its place in the full table, and its name. */
interface PlannedColumn {
  readonly at: number;
  readonly name: string;
}

/** The columns of the file, in order. */
function planColumns(
  job: Pick<JobRow, 'headers' | 'codes' | 'mapping'>,
  { overwrite }: Pick<ResultExport, 'overwrite'>,
  crm: CrmName,
  recordId: number,
): PlannedColumn[] {
  const { idHeader, columns } = crmPresets[crm];
  const own = overwrite
    ? readColumnRules(job, overwrite).filter(
        ({ rule, column }) => rule !== 'never' && column !== recordId,
      )
    : [];
  const plan = [
    { at: recordId, name: idHeader },
    ...own.map(({ column }) => ({ at: column, name: job.headers[column] ?? '' })),
  ];
  if (overwrite && !overwrite.found_columns) return plan;
  const taken = new Set(plan.map(({ name }) => name.trim().toLowerCase()));
  const fields = job.codes.flatMap((code) => layerByCode[code].fields);
  const found = fields.flatMap((field: DisplayName, place) => {
    const name = columns[field];
    if (name === undefined) return [];
    const shown = taken.has(name.toLowerCase()) ? `${name} (found)` : name;
    return [{ at: job.headers.length + place, name: shown }];
  });
  return [...plan, ...found];
}

/** The part of a result's table that a CRM imports. It has one sheet: no list of changes. */
export function pickForCrm(
  table: ResultTable,
  job: JobRow,
  rows: RowsFile,
  { overwrite, preset }: Pick<ResultExport, 'overwrite'> & { readonly preset: CrmExport },
): ResultTable {
  const plan = planColumns(
    job,
    { overwrite },
    preset.crm,
    findRecordId(preset, job.headers, readFirst(job, rows)),
  );
  const columns = plan.map(({ at, name }): ExportColumn => {
    const { type = 'text', isOwn = true } = table.columns[at] ?? {};
    return { name, type, isOwn };
  });
  const places = new Map(plan.map(({ at }, place) => [at, place]));
  return {
    columns,
    *rows() {
      for (const stretch of table.rows())
        yield stretch.map(({ cells, changed }) => ({
          cells: plan.map(({ at }) => cells[at] ?? ''),
          changed:
            changed.length === 0 ? nothingChanged : changed.flatMap((at) => places.get(at) ?? []),
        }));
    },
    changes: null,
    readDiff: table.readDiff,
  };
}

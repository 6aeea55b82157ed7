// Which found fields correspond to a column of the user's sheet.
import { type DisplayName, layerByCode } from '../../contract/jobs/layers.ts';
import { type RowInputField, rowInputFields } from '../../contract/jobs/row-input.ts';
import { recognizeColumns } from '../../spreadsheet/recognize-columns.ts';
import { rowInputColumns } from '../../spreadsheet/row-input-columns.ts';
import type { JobRow } from '../job.table.ts';

/** Fields whose values are written to a column: the first that has one. */
export interface Correspondence {
  readonly column: number;
  readonly fields: readonly DisplayName[];
  /**
   * Whether the column holds the whole name: the values of both fields, with a space. A column with
   * both fields that is not said to hold it may: each cell shows it.
   */
  readonly isFullName: boolean;
  /** The field of people who changed jobs, because the others are about the earlier employer. */
  readonly ofMove: DisplayName | null;
}

/** Found fields of each recognised column. Company, title and email are of the current job. */
const fieldsOf: Readonly<Record<RowInputField, readonly DisplayName[]>> = {
  first_name: ['First name'],
  last_name: ['Last name'],
  company_name: ['Current company name'],
  email: ['Email'],
  profile_url: ['Profile URL'],
  title: ['Current title'],
  phone: ['Mobile phone', 'Direct phone'],
  company_domain: ['Company website'],
  country: ['Contact country'],
  client_reference_id: [],
};

const fullName: readonly DisplayName[] = ['First name', 'Last name'];

/** Whether a column of names without a column of last names holds whole names. */
const isFullName = (header: string): boolean =>
  (recognizeColumns([header], rowInputColumns) as { first_name?: number }).first_name === undefined;

/**
 * The columns of a job's sheet to which a found field corresponds, in their order: those that the
 * import recognised, and those with the name of a found field. Only fields of the job's layers.
 */
export function listCorrespondences({
  codes,
  headers,
  mapping,
}: Pick<JobRow, 'codes' | 'headers' | 'mapping'>): Correspondence[] {
  const selected = codes.flatMap((code) => layerByCode[code].fields);
  const found = new Map<number, Correspondence>();
  const add = (
    column: number,
    fields: readonly DisplayName[],
    more: Partial<Correspondence> = {},
  ) => {
    const usable = fields.filter((field) => selected.includes(field));
    if (usable.length > 0 && !found.has(column))
      found.set(column, { column, fields: usable, isFullName: false, ofMove: null, ...more });
  };
  for (const field of rowInputFields) {
    const column = mapping[field];
    if (column === undefined) continue;
    const mayBeWhole = field === 'first_name' && mapping.last_name === undefined;
    const whole = mayBeWhole && isFullName(headers[column] ?? '');
    const ofMove = field === 'company_domain' ? 'New company website' : null;
    add(column, mayBeWhole ? fullName : fieldsOf[field], { isFullName: whole, ofMove });
  }
  const byName = new Map(selected.map((field) => [field.toLowerCase(), field]));
  for (const [column, header] of headers.entries()) {
    const field = byName.get(header.trim().toLowerCase());
    if (field) add(column, [field]);
  }
  return [...found.values()].sort((a, b) => a.column - b.column);
}

/** Parses the rows of a list to facts and remarks. */
import type { ImportColumn, ImportOptions } from '../../../contract/directory.ts';
import { EngineError } from '../../../contract/errors.ts';
import type { SampleRows } from '../../../spreadsheet/column-values.ts';
import type { RemarkOnRow } from '../import-tally.ts';
import { companyColumns, personColumns } from './import-columns.ts';
import { mapColumns } from './map-columns.ts';
import { type CompanyFacts, readCompanyRow } from './read-company-row.ts';
import { createPersonReader, type PersonFacts } from './read-person-row.ts';

/** The kinds of list in an import, with the facts of a row. */
export interface FactsOfList {
  readonly people: PersonFacts;
  readonly companies: CompanyFacts;
}
export type ListKind = keyof FactsOfList;

/** A remark on a row, and the header of the column that it is about. */
export type RowRemark = readonly [message: string, column: string | undefined];

/** One parsed row of a list. */
export interface ListRow<Kind extends ListKind> {
  /** The line in the file, from 1. */
  readonly line: number;
  /** null if the row is refused; a remark says why. */
  readonly facts: FactsOfList[Kind] | null;
  readonly remarks: readonly RowRemark[];
}

/** Parses the rows of one list. */
export interface RowReader<Kind extends ListKind> {
  read(cells: readonly string[], line: number): ListRow<Kind>;
  /** What the columns become. */
  readonly columns: readonly ImportColumn[];
}

/** The parts of a list that are needed to parse its rows. */
export interface ListHead {
  readonly fileName: string;
  readonly headers: readonly string[];
  readonly mapping: ImportOptions['mapping'];
  /** The first rows, at most importSampleRows. */
  readonly sample: SampleRows;
}

type ReadFacts<Kind extends ListKind> = (
  cells: readonly string[],
  line: number,
  remark: RemarkOnRow,
) => FactsOfList[Kind] | null;

interface OpenList<Kind extends ListKind> {
  readonly read: ReadFacts<Kind>;
  /** The field of each column; null if the column is not read. */
  readonly fields: readonly (string | null)[];
}

function openCompanies({ fileName, headers, mapping, sample }: ListHead): OpenList<'companies'> {
  const columns = mapColumns(headers, companyColumns, mapping, sample);
  if (!columns.has('name') && !(columns.has('id') && columns.has('aliases')))
    throw new EngineError(
      'validation_error',
      `${fileName} has no column of company names. Name a column "Company name", or set it ` +
        `in the mapping ({"name": "…"}). A list of aliases needs the columns "Company id" and ` +
        `"Alias". Its columns are ${headers.join(', ')}.`,
    );
  const read: ReadFacts<'companies'> = (cells, _line, remark) =>
    readCompanyRow(columns, cells, remark);
  return { read, fields: columns.fields };
}

function openPeople({ fileName, headers, mapping, sample }: ListHead): OpenList<'people'> {
  const columns = mapColumns(headers, personColumns, mapping, sample);
  const tellsApart = [
    ...(['first_name', 'last_name', 'full_name', 'email', 'personal_email'] as const),
    'profile_url',
  ] as const;
  if (!tellsApart.some((field) => columns.has(field)))
    throw new EngineError(
      'validation_error',
      `${fileName} has no column of names, emails or profile URLs. Name a column "Full name" or ` +
        `"Email", or set it in the mapping. Its columns are ${headers.join(', ')}.`,
    );
  return { read: createPersonReader(columns), fields: columns.fields };
}

const openers: { readonly [Kind in ListKind]: (head: ListHead) => OpenList<Kind> } = {
  people: openPeople,
  companies: openCompanies,
};

/** Creates a parser of a list's rows. Throws EngineError if its columns cannot identify anyone. */
export function createRowReader<Kind extends ListKind>(
  kind: Kind,
  head: ListHead,
): RowReader<Kind> {
  const { read, fields } = openers[kind](head);
  let remarks: RowRemark[] = [];
  const remark: RemarkOnRow = (message, column) => remarks.push([message, column]);
  return {
    read(cells, line) {
      if (remarks.length) remarks = [];
      return { line, facts: read(cells, line, remark), remarks };
    },
    columns: head.headers.map((header, at) => ({
      file: head.fileName,
      header,
      field: fields[at] ?? null,
    })),
  };
}

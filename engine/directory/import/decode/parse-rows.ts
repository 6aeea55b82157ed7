/** Parses the rows of a list to facts and remarks. */
import type { ImportOptions } from '../../../contract/directory.ts';
import { EngineError } from '../../../contract/errors.ts';
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
export type RowReader<Kind extends ListKind> = (
  cells: readonly string[],
  line: number,
) => ListRow<Kind>;

/** The parts of a list that are needed to parse its rows. */
export interface ListHead {
  readonly fileName: string;
  readonly headers: readonly string[];
  readonly mapping: ImportOptions['mapping'];
}

type ReadFacts<Kind extends ListKind> = (
  cells: readonly string[],
  line: number,
  remark: RemarkOnRow,
) => FactsOfList[Kind] | null;

function openCompanies({ fileName, headers, mapping }: ListHead): ReadFacts<'companies'> {
  const columns = mapColumns(headers, companyColumns, mapping);
  if (!columns.has('name') && !(columns.has('id') && columns.has('aliases')))
    throw new EngineError(
      'validation_error',
      `${fileName} has no column of company names. Name a column "Company name", or set it ` +
        `in the mapping ({"name": "…"}). A list of aliases needs the columns "Company id" and ` +
        `"Alias". Its columns are ${headers.join(', ')}.`,
    );
  return (cells, _line, remark) => readCompanyRow(columns, cells, remark);
}

function openPeople({ fileName, headers, mapping }: ListHead): ReadFacts<'people'> {
  const columns = mapColumns(headers, personColumns, mapping);
  const tellsApart = ['first_name', 'last_name', 'full_name', 'email', 'profile_url'] as const;
  if (!tellsApart.some((field) => columns.has(field)))
    throw new EngineError(
      'validation_error',
      `${fileName} has no column of names, emails or profile URLs. Name a column "Full name" or ` +
        `"Email", or set it in the mapping. Its columns are ${headers.join(', ')}.`,
    );
  return createPersonReader(columns);
}

const openers: { readonly [Kind in ListKind]: (head: ListHead) => ReadFacts<Kind> } = {
  people: openPeople,
  companies: openCompanies,
};

/** Creates a parser of a list's rows. Throws EngineError if its columns cannot identify anyone. */
export function createRowReader<Kind extends ListKind>(
  kind: Kind,
  head: ListHead,
): RowReader<Kind> {
  const read = openers[kind](head);
  let remarks: RowRemark[] = [];
  const remark: RemarkOnRow = (message, column) => remarks.push([message, column]);
  return (cells, line) => {
    if (remarks.length) remarks = [];
    return { line, facts: read(cells, line, remark), remarks };
  };
}

/**
 * From the cells of a list's rows to the facts that they state, with what is to be said of them.
 */
import type { ImportOptions } from '../../../contract/directory.ts';
import { EngineError } from '../../../contract/errors.ts';
import type { RemarkOnRow } from '../import-tally.ts';
import { companyColumns, personColumns } from './import-columns.ts';
import { mapColumns } from './map-columns.ts';
import { type CompanyFacts, readCompanyRow } from './read-company-row.ts';
import { createPersonReader, type PersonFacts } from './read-person-row.ts';

/** The lists of an import, and what a row of each states. */
export interface FactsOfList {
  readonly people: PersonFacts;
  readonly companies: CompanyFacts;
}
/** A list of an import. */
export type ListKind = keyof FactsOfList;

/** A remark on a row, and the header of the column that it is about. */
export type RowRemark = readonly [message: string, column: string | undefined];

/** One row of a list. */
export interface ListRow<Kind extends ListKind> {
  /** The line of the file, from 1. */
  readonly line: number;
  /** null where the row is refused; a remark says why. */
  readonly facts: FactsOfList[Kind] | null;
  readonly remarks: readonly RowRemark[];
}

/** Reads the rows of one list. */
export type RowReader<Kind extends ListKind> = (
  cells: readonly string[],
  line: number,
) => ListRow<Kind>;

/** A list, as far as it takes to read its rows. */
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
      `${fileName} has no column of company names. Name one "Company name", or say which ` +
        `it is in the mapping ({"name": "…"}). A list of other names needs the columns ` +
        `"Company id" and "Alias". Its columns are ${headers.join(', ')}.`,
    );
  return (cells, _line, remark) => readCompanyRow(columns, cells, remark);
}

function openPeople({ fileName, headers, mapping }: ListHead): ReadFacts<'people'> {
  const columns = mapColumns(headers, personColumns, mapping);
  const tellsApart = ['first_name', 'last_name', 'full_name', 'email', 'profile_url'] as const;
  if (!tellsApart.some((field) => columns.has(field)))
    throw new EngineError(
      'validation_error',
      `${fileName} has no column of names, emails or profile URLs. Name one "Full name" or ` +
        `"Email", or say which it is in the mapping. Its columns are ${headers.join(', ')}.`,
    );
  return createPersonReader(columns);
}

const openers: { readonly [Kind in ListKind]: (head: ListHead) => ReadFacts<Kind> } = {
  people: openPeople,
  companies: openCompanies,
};

/** A reader of a list's rows. Throws EngineError where its columns tell nobody apart. */
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

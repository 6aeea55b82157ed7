// Parses the rows of a list to facts and remarks.
import type { ImportColumn, ImportOptions } from '../../../contract/directory.ts';
import { invalid } from '../../../contract/errors.ts';
import { importSampleRows } from '../../../contract/limits/directory.ts';
import { quoteNames } from '../../../contract/reading/reading.ts';
import { findChildren } from '../../../spreadsheet/child-columns.ts';
import type { SampleRows } from '../../../spreadsheet/column-values.ts';
import { type DayOrder, findDayOrder, isAmbiguousDate } from '../../normalize/normalize-date.ts';
import type { RemarkOnRow } from '../import-tally.ts';
import { companyColumns, personColumns } from './import-columns.ts';
import { type ColumnChoices, mapColumns } from './map-columns.ts';
import { type CompanyFacts, readCompanyRow } from './read-company-row.ts';
import { createPersonReader, type PersonFacts } from './read-person-row.ts';
import { createRowSplitter } from './split-row.ts';

export interface FactsOfList {
  readonly people: PersonFacts;
  readonly companies: CompanyFacts;
}
export type ListKind = keyof FactsOfList;

export type RowRemark = readonly [message: string, column: string | undefined];

export interface ListRow<Kind extends ListKind> {
  /** The line in the file, from 1. */
  readonly line: number;
  /** null if the row is refused; a remark says why. */
  readonly facts: FactsOfList[Kind] | null;
  readonly further: readonly FactsOfList[Kind][];
  readonly remarks: readonly RowRemark[];
}

export interface RowReader<Kind extends ListKind> {
  read(cells: readonly string[], line: number): ListRow<Kind>;
  readonly columns: readonly ImportColumn[];
  readonly hasUndecidedDates: boolean;
}

export interface ListHead {
  readonly fileName: string;
  readonly headers: readonly string[];
  readonly choices: ColumnChoices;
  readonly dayOrder: ImportOptions['day_order'];
  /** The first rows: importSampleRows say what the columns are, all say the order of dates. */
  readonly sample: SampleRows;
}

type ReadFacts<Kind extends ListKind> = (
  cells: readonly string[],
  line: number,
  remark: RemarkOnRow,
) => FactsOfList[Kind] | null;

interface OpenList<Kind extends ListKind> {
  readonly read: ReadFacts<Kind>;
  /** A row for each person of a row that holds several; null for one that does not. */
  readonly split: (cells: readonly string[], remark: RemarkOnRow) => readonly string[][] | null;
  /** The field of each column; null if the column is not read. */
  readonly fields: readonly (string | null)[];
  readonly dayOrder: DayOrder | null;
  /** Whether the list has dates that may mean two days, and nothing says which. */
  readonly hasUndecidedDates: boolean;
}

/** The order of days and months of a list: as a column shows it, otherwise as the caller says. */
function readDayOrder(places: readonly number[], { sample, dayOrder }: ListHead) {
  const cellsOf = (at: number) => sample.map((cells) => cells[at] ?? '');
  const shown = places.flatMap((at) => findDayOrder(cellsOf(at)) ?? []);
  const found = new Set(shown).size === 1 ? (shown[0] ?? null) : (dayOrder ?? null);
  const hasUndecidedDates =
    found === null && places.some((at) => cellsOf(at).some(isAmbiguousDate));
  return { dayOrder: found, hasUndecidedDates };
}

function openCompanies(head: ListHead): OpenList<'companies'> {
  const { fileName, headers, choices, sample } = head;
  const columns = mapColumns(headers, companyColumns, choices, sample.slice(0, importSampleRows));
  const order = readDayOrder(columns.placesOf(['observed_on']), head);
  const hasName = columns.has('name') || columns.has('legal_name');
  if (!hasName && !(columns.has('id') && columns.has('aliases')))
    throw invalid(
      `${fileName} has no column of company names. Name a column "Company name". A list ` +
        `of aliases needs the columns "Company id" and "Alias". Its columns are ` +
        `${quoteNames(headers)}.`,
    );
  const read: ReadFacts<'companies'> = (cells, _line, remark) =>
    readCompanyRow({ ...columns, dayOrder: order.dayOrder }, cells, remark);
  return { read, split: () => null, fields: columns.fields, ...order };
}

function openPeople(head: ListHead): OpenList<'people'> {
  const { fileName, headers, choices, sample } = head;
  const columns = mapColumns(headers, personColumns, choices, sample.slice(0, importSampleRows));
  const tellsApart = [
    'first_name',
    'last_name',
    'full_name',
    'email',
    'personal_email',
    'profile_url',
  ] as const;
  if (!tellsApart.some((field) => columns.has(field)))
    throw invalid(
      `${fileName} has no column of names, emails or profile URLs. Name a column "Full name" ` +
        `or "Email", or import the file as a list of companies. Its columns are ` +
        `${quoteNames(headers)}.`,
    );
  const order = readDayOrder(columns.placesOf(['start_on', 'end_on', 'observed_on']), head);
  const read = createPersonReader({ ...columns, dayOrder: order.dayOrder });
  return { read, split: createRowSplitter(columns), fields: columns.fields, ...order };
}

const nobodyElse: readonly never[] = [];

const openers: { readonly [Kind in ListKind]: (head: ListHead) => OpenList<Kind> } = {
  people: openPeople,
  companies: openCompanies,
};

/** Creates a parser of a list's rows. Throws EngineError if its columns cannot identify anyone. */
export function createRowReader<Kind extends ListKind>(
  kind: Kind,
  head: ListHead,
): RowReader<Kind> {
  const { read, split, fields, hasUndecidedDates } = openers[kind](head);
  const children = kind === 'people' ? findChildren(head.headers) : null;
  let above: readonly string[] = [];
  let remarks: RowRemark[] = [];
  const remark: RemarkOnRow = (message, column) => remarks.push([message, column]);
  return {
    read(written, line) {
      const cells = children?.fill(written, above) ?? written;
      above = cells;
      if (remarks.length) remarks = [];
      const people = split(cells, remark);
      if (people === null)
        return { line, facts: read(cells, line, remark), further: nobodyElse, remarks };
      const said = new Set(remarks.map(([message]) => message));
      const found = people.flatMap(
        (person) =>
          read(person, line, (message, column) => {
            // What all people of a row share is told once.
            if (!said.has(message)) remark(message, column);
            said.add(message);
          }) ?? [],
      );
      return { line, facts: found[0] ?? null, further: found.slice(1), remarks };
    },
    columns: head.headers.map((header, at) => ({
      file: head.fileName,
      header,
      field: fields[at] ?? null,
      kind,
    })),
    hasUndecidedDates,
  };
}

/** The grid of the people or companies that a search finds. */
import { useCallback } from 'react';
import { useLocation } from 'wouter';
import type {
  FoundCompany,
  FoundContact,
  SearchedDirectory,
} from '../../../engine/contract/search.ts';
import { DataGrid } from '../../components/data-grid/data-grid.tsx';
import { type GridColumn, useGridColumns } from '../../components/data-grid/grid-columns.ts';
import { showCount } from '../../components/numbers.ts';
import { rowHeightPx } from '../../preferences/density.ts';
import type { FoundPages } from './found-pages.ts';
import { PickBox, type Picks } from './picked-people.tsx';

/** Pixels of a checkbox in the head of a row. */
const pickWidthPx = 28;
/** Rows in sight, including the header. */
const linesShown = 12;
/** The height of a full grid in pixels. */
export const gridHeightPx = () => linesShown * rowHeightPx;

/** A column: its title, width in pixels, and the text for a result. */
interface FoundColumn<Found> extends GridColumn {
  readonly read: (found: Found) => string;
}

const presence = (isThere: boolean) => (isThere ? 'On file' : '–');
const personColumns: readonly FoundColumn<FoundContact>[] = [
  {
    label: 'Name',
    kind: 'plain',
    width: 170,
    read: (person) => `${person.first_name} ${person.last_name}`.trim(),
  },
  { label: 'Title', kind: 'plain', width: 190, read: ({ title }) => title ?? '' },
  { label: 'Level', kind: 'plain', width: 88, read: ({ job_level }) => job_level ?? '' },
  { label: 'Company', kind: 'plain', width: 190, read: ({ company_name }) => company_name ?? '' },
  { label: 'Country', kind: 'plain', width: 100, read: ({ country }) => country ?? '' },
  { label: 'Email', kind: 'plain', width: 76, read: ({ has_email }) => presence(has_email) },
  { label: 'Phone', kind: 'plain', width: 76, read: ({ has_phone }) => presence(has_phone) },
];
const companyColumns: readonly FoundColumn<FoundCompany>[] = [
  { label: 'Name', kind: 'plain', width: 230, read: ({ name }) => name },
  { label: 'Website', kind: 'plain', width: 170, read: ({ website }) => website ?? '' },
  { label: 'Industry', kind: 'plain', width: 160, read: ({ industry }) => industry ?? '' },
  { label: 'Country', kind: 'plain', width: 120, read: ({ country }) => country ?? '' },
  {
    label: 'Employees',
    kind: 'plain',
    width: 110,
    read: (company) => company.employee_range ?? '',
  },
  { label: 'Revenue', kind: 'plain', width: 130, read: (company) => company.revenue_range ?? '' },
];

function FoundGrid<Found extends { readonly uuid: string }>({
  label,
  columns,
  path,
  found,
  total,
  picks,
  query = '',
}: {
  label: string;
  columns: readonly FoundColumn<Found>[];
  /** The address of a record, before its id. */
  path: string;
  found: FoundPages<Found>;
  total: number;
  /** With them, each row has a checkbox. */
  picks?: Picks | undefined;
  /** What follows the id in the address. */
  query?: string;
}) {
  const table = useGridColumns(columns);
  const [, navigate] = useLocation();
  const { readFound, onSight } = found;
  const readCell = useCallback(
    (one: Found, column: number) => columns[column]?.read(one) ?? '',
    [columns],
  );
  const rowHead = useCallback(
    (row: number) => (
      <>
        {picks && <PickBox row={row} picks={picks} />}
        {showCount(row + 1)}
      </>
    ),
    [picks],
  );
  const onOpenRow = (row: number) => {
    const one = readFound(row);
    if (one) navigate(`${path}/${one.uuid}${query}`);
  };
  return (
    <DataGrid
      label={label}
      table={table}
      columns={columns}
      rowCount={total}
      readRow={readFound}
      readCell={readCell}
      rowHead={rowHead}
      headLabel="#"
      headWidthPx={44 + showCount(total).length * 8 + (picks ? pickWidthPx : 0)}
      heightPx={Math.min(total + 1, linesShown) * rowHeightPx + rowHeightPx / 2}
      onSight={onSight}
      onOpenRow={onOpenRow}
    />
  );
}

/** What follows the id of a record in its address. */
const directoryQuery = (directory: SearchedDirectory): string =>
  directory === 'own' ? '' : `?directory=${directory}`;

/** Found people; a row opens the person. */
export const PeopleGrid = ({
  label = 'People found',
  directory = 'own',
  ...rest
}: {
  label?: string;
  /** Whose people they are. */
  directory?: SearchedDirectory;
  found: FoundPages<FoundContact>;
  total: number;
  picks?: Picks;
}) => (
  <FoundGrid
    label={label}
    columns={personColumns}
    path="/directory/people"
    query={directoryQuery(directory)}
    {...rest}
  />
);

/** Found companies; a row opens the company. */
export const CompaniesGrid = ({
  directory,
  ...rest
}: {
  /** Whose companies they are. */
  directory: SearchedDirectory;
  found: FoundPages<FoundCompany>;
  total: number;
}) => (
  <FoundGrid
    label="Companies found"
    columns={companyColumns}
    path="/directory/companies"
    query={directoryQuery(directory)}
    {...rest}
  />
);

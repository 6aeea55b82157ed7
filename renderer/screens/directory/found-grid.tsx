// The grid of the people or companies that a search finds.
import { useCallback, useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import type { ShownCompany, ShownContact } from '../../../engine/contract/records/record-search.ts';
import type { SearchedDirectory } from '../../../engine/contract/search.ts';
import { DataGrid } from '../../components/data-grid/data-grid.tsx';
import { type GridColumn, useGridColumns } from '../../components/data-grid/grid-columns.ts';
import { measureColumns } from '../../components/data-grid/input-columns.ts';
import { Monogram } from '../../components/monogram.tsx';
import { showCount } from '../../components/numbers.ts';
import run from '../../components/run.module.css';
import { webAddress } from '../../components/web-address.ts';
import { showValue } from '../../components/words.ts';
import { rowHeightPx } from '../../preferences/density.ts';
import type { FoundPages } from './found-pages.ts';
import { PickBox, type Picks } from './picked-people.tsx';

/** Pixels of a checkbox in the head of a row. */
const pickWidthPx = 28;
/** Pixels of the initials there. */
const monogramWidthPx = 28;
/** Rows in sight, including the header. */
const linesShown = 12;
export const gridHeightPx = () => linesShown * rowHeightPx;

/** Results that the widths of columns fit, and the widest column in pixels. */
const measuredRows = 30;
const widthMaxPx = 260;

interface FoundColumn<Found> extends GridColumn {
  readonly read: (found: Found) => string;
  /** The address that the text is a link to. */
  readonly link?: (found: Found) => string | null;
}

/** The columns, as wide as their first values. */
function fitColumns<Found>(
  columns: readonly FoundColumn<Found>[],
  first: readonly Found[],
): FoundColumn<Found>[] {
  const labels = columns.map(({ label }) => label);
  const cells = first.map((found) => columns.map(({ read }) => read(found)));
  const widths = measureColumns(labels, cells, widthMaxPx);
  return columns.map((column, at) => ({ ...column, width: widths[at]?.width ?? widthMaxPx }));
}

const presence = (isThere: boolean) => (isThere ? 'On file' : '–');
const personColumns: readonly FoundColumn<ShownContact>[] = [
  {
    label: 'Name',
    kind: 'plain',
    read: (person) => `${person.first_name} ${person.last_name}`.trim(),
  },
  { label: 'Title', kind: 'plain', read: ({ title }) => title ?? '' },
  { label: 'Level', kind: 'plain', read: ({ job_level }) => job_level ?? '' },
  { label: 'Company', kind: 'plain', read: ({ company_name }) => company_name ?? '' },
  { label: 'Country', kind: 'plain', read: ({ country }) => country ?? '' },
  { label: 'Email', kind: 'plain', read: ({ email, has_email }) => email ?? presence(has_email) },
  { label: 'Phone', kind: 'plain', read: ({ phone, has_phone }) => phone ?? presence(has_phone) },
];
const companyColumns: readonly FoundColumn<ShownCompany>[] = [
  { label: 'Name', kind: 'plain', read: ({ name }) => name },
  {
    label: 'Website',
    kind: 'plain',
    read: ({ website }) => website ?? '',
    link: ({ website }) => webAddress(website ?? ''),
  },
  { label: 'Industry', kind: 'plain', read: ({ industry }) => industry ?? '' },
  { label: 'Country', kind: 'plain', read: ({ country }) => country ?? '' },
  {
    label: 'Employees',
    kind: 'plain',
    read: ({ employees, employee_range: range }) => employees ?? range ?? '',
  },
  {
    label: 'Revenue',
    kind: 'plain',
    read: ({ revenue, revenue_range: range }) => revenue ?? showValue('revenue_range', range ?? ''),
  },
];

const readName = ({ name }: ShownCompany) => name;

interface GridProps<Found> {
  label: string;
  columns: readonly FoundColumn<Found>[];
  path: string;
  found: FoundPages<Found>;
  total: number;
  /** With them, each row has a checkbox. */
  picks?: Picks | undefined;
  /** The name whose initials follow the number of a row. */
  readInitialsOf?: (found: Found) => string;
  /** What follows the id in the address. */
  query?: string;
}

function FoundGrid<Found extends { readonly uuid: string }>({
  label,
  columns,
  path,
  found,
  total,
  picks,
  readInitialsOf,
  query = '',
}: GridProps<Found>) {
  const { readFound, onSight } = found;
  const [measured, setMeasured] = useState<readonly Found[]>([]);
  if (measured.length === 0 && readFound(0) !== undefined) {
    const first = Array.from({ length: measuredRows }, (_, row) => readFound(row));
    setMeasured(first.filter((one) => one !== undefined));
  }
  const fitted = useMemo(() => fitColumns(columns, measured), [columns, measured]);
  const table = useGridColumns(fitted);
  const [, navigate] = useLocation();
  const readCell = useCallback(
    (one: Found, column: number) => columns[column]?.read(one) ?? '',
    [columns],
  );
  const readLink = useCallback(
    (one: Found, column: number) => columns[column]?.link?.(one) ?? null,
    [columns],
  );
  const numberWidth = `${showCount(total).length}ch`;
  const rowHead = useCallback(
    (row: number, one: Found | undefined) => (
      <>
        {picks && <PickBox row={row} picks={picks} />}
        <span className={run.rowNumber} style={{ minWidth: numberWidth }}>
          {showCount(row + 1)}
        </span>
        {one && readInitialsOf && <Monogram title={readInitialsOf(one)} isSmall />}
      </>
    ),
    [picks, readInitialsOf, numberWidth],
  );
  const onOpenRow = (row: number) => {
    const one = readFound(row);
    if (one) navigate(`${path}/${one.uuid}${query}`);
  };
  return (
    <DataGrid
      label={label}
      table={table}
      columns={fitted}
      rowCount={total}
      readRow={readFound}
      readCell={readCell}
      readLink={readLink}
      rowHead={rowHead}
      headLabel="#"
      headWidthPx={
        24 +
        Math.max(3, showCount(total).length) * 8 +
        (picks ? pickWidthPx : 0) +
        (readInitialsOf ? monogramWidthPx : 0)
      }
      heightPx={Math.min(total + 1, linesShown) * rowHeightPx + rowHeightPx / 2}
      onSight={onSight}
      onOpenRow={onOpenRow}
    />
  );
}

/** What follows the id of a record in its address. */
const directoryQuery = (directory: SearchedDirectory): string =>
  directory === 'own' ? '' : `?directory=${directory}`;

export const PeopleGrid = ({
  label = 'People found',
  directory = 'own',
  ...rest
}: {
  label?: string;
  directory?: SearchedDirectory;
  found: FoundPages<ShownContact>;
  total: number;
  picks?: Picks | undefined;
}) => (
  <FoundGrid
    label={label}
    columns={personColumns}
    path="/directory/people"
    query={directoryQuery(directory)}
    {...rest}
  />
);

interface CompaniesGridProps {
  directory: SearchedDirectory;
  found: FoundPages<ShownCompany>;
  total: number;
}

export const CompaniesGrid = ({ directory, ...rest }: CompaniesGridProps) => (
  <FoundGrid
    label="Companies found"
    columns={companyColumns}
    readInitialsOf={readName}
    path="/directory/companies"
    query={directoryQuery(directory)}
    {...rest}
  />
);

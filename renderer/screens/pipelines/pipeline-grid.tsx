/** The contacts of a completed pipeline: input, unlocked and locked values. */
import { Group, Skeleton } from '@mantine/core';
import { useQueries, useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import {
  type PipelineGridPage,
  pipelines,
} from '../../../engine/contract/pipelines/app-pipelines.ts';
import type {
  Pipeline,
  PipelineContact,
  PipelineKind,
} from '../../../engine/contract/pipelines/pipeline.ts';
import { ask } from '../../api/client.ts';
import { pageRows } from '../../api/transport/first-requests.ts';
import { ColumnsMenu, ColumnsSwitch } from '../../components/data-grid/columns-menu.tsx';
import { DataGrid } from '../../components/data-grid/data-grid.tsx';
import { type GridColumn, useGridColumns } from '../../components/data-grid/grid-columns.ts';
import { type InputColumn, measureColumns } from '../../components/data-grid/input-columns.ts';
import { useVisiblePages } from '../../components/data-grid/visible-pages.ts';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { showCount } from '../../components/numbers.ts';
import run from '../../components/run.module.css';
import { StatusChip } from '../../components/status-chip.tsx';
import { chipOfContact, wordOfUnlock } from './pipeline-words.ts';

const measuredRows = 30;

const pageOf = (id: string, page: number) => ({
  queryKey: ['pipeline-rows', id, page],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    ask(pipelines.rows, { id, limit: pageRows, offset: page * pageRows }, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

const measurePage = ({ headers, rows }: PipelineGridPage) =>
  measureColumns(
    headers,
    rows.slice(0, measuredRows).map(({ input }) => input),
  );

/** Any contact near the visible range by position, and the columns of the caller's file. */
function usePipelineRows(id: string, rowCount: number) {
  const { pages, onSight } = useVisiblePages(rowCount);
  const firstPage = pages[0] ?? 0;
  const { data, error } = useQueries({
    queries: pages.map((page) => pageOf(id, page)),
    combine: (results) => ({
      data: results.map((result) => result.data?.rows),
      error: results.find((result) => result.error)?.error ?? null,
    }),
  });
  // A separate query, so that the grid is shown while the visible pages load.
  const first = useQuery({ ...pageOf(id, 0), select: measurePage });
  const readRow = useMemo(
    () =>
      (row: number): PipelineGridPage['rows'][number] | undefined =>
        data[Math.floor(row / pageRows) - firstPage]?.[row % pageRows],
    [data, firstPage],
  );
  return { readRow, onSight, inputColumns: first.data, error: error ?? first.error };
}

type Row = PipelineGridPage['rows'][number];
interface ContactColumn extends GridColumn {
  readonly read: (row: Row) => string;
}

const showValue = (contact: PipelineContact, kind: PipelineKind): string =>
  contact[kind] ?? (contact.locked.includes(kind) ? 'Locked' : '');

const found = (label: string, width: number, read: (contact: PipelineContact) => string) => ({
  label,
  kind: 'found' as const,
  width,
  read: ({ contact }: Row) => read(contact),
});

const verificationColumn = found('Verification', 100, ({ verification }) =>
  wordOfUnlock(verification?.status ?? ''),
);

/** Columns of the results; the unlocked values come first. */
const listFound = (withVerification: boolean): readonly ContactColumn[] => [
  found('Name', 150, (contact) => `${contact.first_name} ${contact.last_name}`.trim()),
  found('Email', 210, (contact) => showValue(contact, 'email')),
  found('Phone', 130, (contact) => showValue(contact, 'phone')),
  ...(withVerification ? [verificationColumn] : []),
  found('Title', 150, ({ title }) => title ?? ''),
  found('Company', 160, ({ company_name }) => company_name ?? ''),
  {
    label: 'Reason',
    kind: 'plain',
    width: 160,
    read: ({ contact }) => wordOfUnlock(contact.reason),
  },
  {
    label: 'Credits',
    kind: 'plain',
    width: 84,
    read: ({ contact }) => contact.credits_charged,
  },
];

/** The caller's own columns, then the pipeline's. */
const columnsOf = (input: readonly InputColumn[], withVerification: boolean): ContactColumn[] => [
  ...input.map((column, at) => ({
    ...column,
    kind: 'input' as const,
    read: ({ input }: Row) => input[at] ?? '',
  })),
  ...listFound(withVerification),
];

const readTitle = ({ contact }: Row) => contact.error_message || undefined;

interface GridProps {
  readonly pipeline: Pipeline;
  /** Whether the pipeline verifies emails. */
  readonly withVerification: boolean;
}

function Rows({
  pipeline,
  withVerification,
  inputColumns,
  rows: { readRow, onSight },
}: GridProps & {
  inputColumns: readonly InputColumn[];
  rows: ReturnType<typeof usePipelineRows>;
}) {
  const columns = useMemo(
    () => columnsOf(inputColumns, withVerification),
    [inputColumns, withVerification],
  );
  const table = useGridColumns(columns);
  const readCell = useCallback(
    (data: Row, column: number) => columns[column]?.read(data) ?? '',
    [columns],
  );
  const numberWidth = `${showCount(pipeline.total).length}ch`;
  const rowHead = useCallback(
    (row: number, data: Row | undefined) => {
      return (
        <>
          <span className={run.rowNumber} style={{ minWidth: numberWidth }}>
            {showCount(row + 1)}
          </span>
          {data && <StatusChip {...chipOfContact(data.contact)} />}
        </>
      );
    },
    [numberWidth],
  );
  return (
    <>
      {inputColumns.length > 0 && (
        <Group gap="sm">
          <ColumnsSwitch table={table} columns={columns} />
          <ColumnsMenu table={table} columns={columns} />
        </Group>
      )}
      <div className={run.gridRoom}>
        <DataGrid
          label={`Contacts of ${pipeline.title || 'the list'}`}
          table={table}
          columns={columns}
          rowCount={pipeline.total}
          readRow={readRow}
          readCell={readCell}
          readTitle={readTitle}
          rowHead={rowHead}
          headLabel="Contact"
          headWidthPx={150 + showCount(pipeline.total).length * 8}
          onSight={onSight}
        />
      </div>
    </>
  );
}

export function PipelineGrid(props: GridProps) {
  const rows = usePipelineRows(props.pipeline.pipeline_id, props.pipeline.total);
  return (
    <>
      <ErrorPanel title="The contacts could not be loaded" error={rows.error} />
      {rows.inputColumns ? (
        <Rows {...props} inputColumns={rows.inputColumns} rows={rows} />
      ) : (
        !rows.error && <Skeleton className={run.gridRoom} />
      )}
    </>
  );
}

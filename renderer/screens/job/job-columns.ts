/** The columns of a job's grid, and how each reads a row. */
import { useMemo } from 'react';
import type { GridRow } from '../../../engine/contract/jobs/app-jobs.ts';
import type { ResultRow, StatusData } from '../../../engine/contract/jobs/job.ts';
import { layerByCode } from '../../../engine/contract/jobs/layers.ts';
import type { GridColumn } from '../../components/data-grid/grid-columns.ts';
import type { InputColumn } from '../../components/data-grid/input-columns.ts';
import { describeProvenance, wordOfReason, wordOfRepeat } from '../../components/words.ts';
import { describeInferred, inferredColumn, showInferred } from './inferred-email.tsx';

/** Found fields that repeat the name next to the status; their columns are last. */
const nameFields = new Set(['First name', 'Last name']);

/** A column of the grid, and how it reads a row. */
export interface JobColumn extends GridColumn {
  /** The label without a mark: what the file or the layer calls the column. */
  readonly name: string;
  read(data: GridRow): string;
  readTitle?(data: GridRow): string | undefined;
}

const readResult =
  (read: (result: ResultRow) => string) =>
  ({ result }: GridRow): string =>
    result ? read(result) : '';

const foundColumn = (label: string, width: number): JobColumn => ({
  label,
  name: label,
  kind: 'found',
  width,
  sort: `found:${label}`,
  read: readResult(({ enriched_fields: fields }) => fields[label] ?? ''),
  readTitle({ result }) {
    const provenance = result?.provenance[label];
    return provenance && describeProvenance(provenance);
  },
});

const guessColumn: JobColumn = {
  ...inferredColumn,
  name: inferredColumn.label,
  sort: 'guess',
  read: readResult(showInferred),
  readTitle: ({ result }) =>
    result?.inferred_email ? describeInferred(result.inferred_email) : undefined,
};

const reasonColumn: JobColumn = {
  label: 'Reason',
  name: 'Reason',
  kind: 'plain',
  width: 130,
  sort: 'reason',
  read: readResult((result) => wordOfReason(result.reason) || wordOfRepeat(result)),
};

/**
 * The labels of the caller's columns: a name that a found field has too is marked, and a name that
 * the file repeats is numbered.
 */
function labelInputs(labels: readonly string[], found: readonly string[]): string[] {
  const taken = new Set(found.map((label) => label.toLowerCase()));
  const times = new Map<string, number>();
  return labels.map((label) => {
    const key = label.toLowerCase();
    const nth = (times.get(key) ?? 0) + 1;
    times.set(key, nth);
    const own = taken.has(key) ? `${label} (yours)` : label;
    return nth > 1 ? `${own} ${nth}` : own;
  });
}

/** The columns: those of the selected layers, the reason, the caller's. */
export function useJobColumns(
  job: StatusData,
  inputColumns: readonly InputColumn[],
  foundWidths: ReadonlyMap<string, number>,
): JobColumn[] {
  return useMemo(() => {
    const found = job.selected_layers.flatMap((code) => [...layerByCode[code].fields]);
    const isName = (label: string) => nameFields.has(label);
    const column = (label: string) => foundColumn(label, foundWidths.get(label) ?? 160);
    const labels = labelInputs(
      inputColumns.map(({ label }) => label),
      found,
    );
    return [
      ...found.filter((label) => !isName(label)).map(column),
      ...(job.infer_emails ? [guessColumn] : []),
      reasonColumn,
      ...inputColumns.map((one, index) => ({
        ...one,
        label: labels[index] ?? one.label,
        name: one.label,
        kind: 'input' as const,
        sort: `input:${index}`,
        read: ({ input }: GridRow) => input[index] ?? '',
      })),
      ...found.filter(isName).map(column),
    ];
  }, [job.selected_layers, job.infer_emails, inputColumns, foundWidths]);
}

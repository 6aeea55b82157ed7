// The columns of a list's grid, and how each reads a row.
import { useMemo } from 'react';
import type { ResultRow } from '../../../engine/contract/jobs/job.ts';
import { type LayerCode, layerByCode } from '../../../engine/contract/jobs/layers.ts';
import type { GridColumn } from '../../components/data-grid/grid-columns.ts';
import type { InputColumn } from '../../components/data-grid/input-columns.ts';
import { chipOfRow, toneOfStatus } from '../../components/status-chip.tsx';
import { isAddressField, webAddress } from '../../components/web-address.ts';
import { describeProvenance, wordOfRepeat } from '../../components/words.ts';
import { readTones } from './compare-own.ts';
import { describeInferred, inferredColumn, showInferred } from './inferred-email.tsx';
import { type ListPage, type ListRow, type ListSource, readOwnValues } from './list-source.ts';
import { wordOfRow } from './row-chip.tsx';

/** Found fields that repeat the names of the row. */
export const nameFields = new Set(['First name', 'Last name']);
/** Columns that say little in most rows: they are last. */
const lastFields = new Set(['Email status', ...nameFields]);

export interface JobColumn extends GridColumn {
  /** The label without a mark: what the file or the layer calls the column. */
  readonly name: string;
  /** What an export calls the column, if it is not sorted by it. */
  readonly exported?: string;
  read(row: ListRow): string;
  readTitle?(row: ListRow): string | undefined;
  readTone?(row: ListRow): string | undefined;
  readLink?(row: ListRow): string | null;
}

/** What is expected of a found field before the start. */
export interface FieldOutlook {
  readonly note: string;
  readonly hint: string;
}

const readResult =
  (read: (result: ResultRow) => string) =>
  ({ result }: ListRow): string =>
    result ? read(result) : '';

/** What the colour of a found value says: in a word, and in full. */
export const foundTones = {
  found: { word: 'found', meaning: 'As in your list, or your list has no such column.' },
  new: { word: 'new', meaning: 'Found, and your cell is empty.' },
  differs: { word: 'other than yours', meaning: 'Found, and your cell says something else.' },
} as const;

/** Pixels in which a whole header is shown. */
const headerWidth = (label: string): number => label.length * 7 + 34;

function foundColumn(
  label: string,
  width: number,
  outlook: FieldOutlook | undefined,
  correspondences: ListPage['correspondences'],
): JobColumn {
  const readTone = (row: ListRow) =>
    row.result ? readTones(correspondences, row).get(label) || undefined : undefined;
  return {
    label,
    name: label,
    kind: 'found',
    width: outlook ? Math.max(width, headerWidth(label)) : width,
    sort: `found:${label}`,
    note: outlook?.note,
    hint: outlook?.hint,
    read: readResult(({ enriched_fields: fields }) => fields[label] ?? ''),
    ...(isAddressField(label) && {
      readLink: ({ result }) => webAddress(result?.enriched_fields[label] ?? ''),
    }),
    readTone,
    readTitle(row) {
      const provenance = row.result?.provenance[label];
      const tone = readTone(row);
      const words = [
        provenance && describeProvenance(provenance),
        tone && foundTones[tone].word,
      ].filter(Boolean);
      return words.length > 0 ? words.join('; ') : undefined;
    },
  };
}

const guessColumn: JobColumn = {
  ...inferredColumn,
  name: inferredColumn.label,
  sort: 'guess',
  read: readResult(showInferred),
  readTitle: ({ result }) =>
    result?.inferred_email ? describeInferred(result.inferred_email) : undefined,
};

/** A column of an own list. Ids of what the rows are about follow the status, before all finds. */
const ownColumn = (
  own: ListPage['own_columns'][number],
  width: number | undefined,
  statusAt: number,
): JobColumn => ({
  label: own.name,
  name: own.name,
  kind: 'found',
  width: width ?? 160,
  ...(own.is_of_rows && own.header === null ? { behind: statusAt } : {}),
  hint: `${own.name}: from your imported list ${own.list}`,
  exported: `own:${own.name}`,
  read: readResult((result) => readOwnValues([own], result)[own.name] ?? ''),
});

/** What the icon of a row leaves open: why it was skipped, or that it was free. */
const statusColumn: JobColumn = {
  label: 'Status',
  name: 'Status',
  kind: 'plain',
  width: 140,
  sort: 'reason',
  read: readResult((result) => {
    const word = wordOfRepeat(result) || wordOfRow(result);
    return word === 'enriched' ? '' : word;
  }),
  readTone: ({ result }) => (result ? toneOfStatus(chipOfRow(result)) : undefined),
};

/** A name that a found field has too is marked; one that the file repeats is numbered. */
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

const inputColumn = (one: InputColumn, index: number, label: string): JobColumn => ({
  ...one,
  label,
  // A mark behind the name is no use if it is cut off.
  width: label === one.label ? one.width : Math.max(one.width, headerWidth(label)),
  name: one.label,
  kind: 'input',
  sort: `input:${index}`,
  read: ({ input }) => input[index] ?? '',
  readTone: ({ corrected }) => (corrected?.has(index) ? 'corrected' : undefined),
  readTitle({ corrected }) {
    const inFile = corrected?.get(index);
    return inFile === undefined ? undefined : `The file has “${inFile}”`;
  },
});

export const fieldsOfLayers = (layers: readonly LayerCode[]): string[] =>
  layers.flatMap((code) => [...layerByCode[code].fields]);

/** The caller's, what layers find, the reason. What the first page lacks comes last. */
export function useJobColumns(
  { layers, infersEmails }: Pick<ListSource, 'layers' | 'infersEmails'>,
  inputColumns: readonly InputColumn[],
  foundWidths: ReadonlyMap<string, number>,
  correspondences: ListPage['correspondences'],
  ownColumns: ListPage['own_columns'],
  filledFields: ReadonlySet<string> | null,
  outlook: ReadonlyMap<string, FieldOutlook> | null,
): JobColumn[] {
  return useMemo(() => {
    const found = fieldsOfLayers(layers);
    const column = (label: string) =>
      foundColumn(label, foundWidths.get(label) ?? 160, outlook?.get(label), correspondences);
    const labels = labelInputs(
      inputColumns.map(({ label }) => label),
      found,
    );
    const columns = [
      ...inputColumns.map((one, index) => inputColumn(one, index, labels[index] ?? one.label)),
      { ...statusColumn, isAbsent: outlook !== null },
      ...found
        .filter((label) => !lastFields.has(label))
        .map(column)
        .map((one, at) => (outlook !== null && at === 0 ? { ...one, isPinned: true } : one)),
      ...(infersEmails ? [guessColumn] : []),
      ...ownColumns.map((own) => ownColumn(own, foundWidths.get(own.name), inputColumns.length)),
      ...found.filter((label) => lastFields.has(label)).map(column),
    ];
    if (filledFields === null) return columns;
    return columns.map((one) =>
      one.kind === 'found' && !filledFields.has(one.name)
        ? { ...one, behind: columns.length }
        : one,
    );
  }, [
    layers,
    infersEmails,
    inputColumns,
    foundWidths,
    correspondences,
    ownColumns,
    filledFields,
    outlook,
  ]);
}

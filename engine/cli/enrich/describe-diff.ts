// Describes what overwrite rules change, for a terminal.
import type { ColumnDiff, DiffExample, OverwriteDiff } from '../../contract/exports/overwrite.ts';
import { formatCount, formatNumber, formatTable } from '../kit/format-text.ts';

const header = ['Column', 'Found in', 'Rule', 'Filled', 'Replaced', 'Kept', 'Same', 'Not found'];
const valueCharactersMax = 40;

function quoteValue(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  const short =
    line.length > valueCharactersMax ? `${line.slice(0, valueCharactersMax - 1)}…` : line;
  return JSON.stringify(short);
}

function describeExample({ row, outcome, old, found, source, observed_on }: DiffExample): string {
  const from = [source, observed_on].filter((part) => part !== '').join(', ');
  const change = `row ${row}: ${quoteValue(old)} ${outcome === 'kept' ? 'kept, found' : '→'}`;
  return `    ${change} ${quoteValue(found)}${from ? ` (${from})` : ''}`;
}

function describeColumn({ column, unread_days: unread, examples }: ColumnDiff): string[] {
  if (examples.length === 0 && unread === 0) return [];
  return [
    `  ${column}`,
    ...examples.map(describeExample),
    ...(unread > 0
      ? [`    ${formatNumber(unread, 'cell')} kept because the day of the row cannot be read`]
      : []),
  ];
}

export function describeDiff(diff: OverwriteDiff): string[] {
  if (diff.columns.length === 0)
    return ['No column of the list corresponds to a found field: no value changes.'];
  const rows = diff.columns.map(({ column, fields, rule, counts }) => [
    column,
    fields.join(' or '),
    rule,
    ...[counts.filled, counts.replaced, counts.kept, counts.same, counts.not_found].map(
      formatCount,
    ),
  ]);
  return [
    ...formatTable([header, ...rows], [3, 4, 5, 6, 7]),
    ...diff.columns.flatMap(describeColumn),
  ];
}

export const summarizeDiff = ({
  changed_cells: cells,
  changed_rows: rows,
}: OverwriteDiff): string =>
  cells === 0
    ? 'no value changes'
    : `${formatNumber(cells, 'value')} in ${formatNumber(rows, 'row')} changed`;

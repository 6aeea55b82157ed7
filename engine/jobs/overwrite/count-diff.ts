// Counts what overwrite rules do with the cells of an export.
import type { ColumnDiff, DiffExample, OverwriteDiff } from '../../contract/exports/overwrite.ts';
import { diffExamplesMax, diffSourcesMax } from '../../contract/limits/exports.ts';
import type { RuledColumn } from './column-rules.ts';
import type { CellDecision } from './overwrite-rows.ts';

export interface DiffCounter {
  /** @param row index of the row in the list */
  add(row: number, decisions: readonly CellDecision[]): void;
  read(): OverwriteDiff;
}

const isChange = ({ outcome }: CellDecision): boolean =>
  outcome === 'filled' || outcome === 'replaced';

/** Examples of replaced cells among those of filled ones, which may be many more. */
const replacedFirst = 3;

interface Counted extends Omit<ColumnDiff, 'examples'> {
  readonly examples: Record<'filled' | 'replaced' | 'kept', DiffExample[]>;
}

const startColumn = (
  headers: readonly string[],
  { column, fields, rule }: RuledColumn,
): Counted => ({
  index: column,
  column: headers[column] ?? '',
  fields: [...fields],
  rule,
  counts: { filled: 0, replaced: 0, kept: 0, same: 0, not_found: 0 },
  unread_days: 0,
  examples: { filled: [], replaced: [], kept: [] },
});

export function createDiffCounter(
  headers: readonly string[],
  columns: readonly RuledColumn[],
): DiffCounter {
  const counted = columns.map((column) => startColumn(headers, column));
  const sources = new Map<string, number>();
  let [rows, changedRows, changedCells] = [0, 0, 0];
  const addExample = (one: Counted, row: number, decision: CellDecision) => {
    const { outcome, old, found, source, observedOn } = decision;
    if (outcome === 'same' || outcome === 'not_found') return;
    const list = one.examples[outcome];
    if (list.length < diffExamplesMax)
      list.push({ row: row + 1, outcome, old, found, source, observed_on: observedOn });
  };
  return {
    add(row, decisions) {
      rows += 1;
      let changes = 0;
      for (const [at, decision] of decisions.entries()) {
        const one = counted[at]!;
        one.counts[decision.outcome] += 1;
        if (decision.isDayUnread) one.unread_days += 1;
        if (isChange(decision)) changes += 1;
        if (
          decision.source !== '' &&
          (sources.has(decision.source) || sources.size < diffSourcesMax)
        )
          sources.set(decision.source, (sources.get(decision.source) ?? 0) + 1);
        addExample(one, row, decision);
      }
      changedCells += changes;
      if (changes > 0) changedRows += 1;
    },
    read: () => ({
      rows,
      changed_rows: changedRows,
      changed_cells: changedCells,
      columns: counted.map(({ examples, ...rest }) => ({
        ...rest,
        counts: { ...rest.counts },
        examples: [
          ...examples.replaced.slice(0, replacedFirst),
          ...examples.filled,
          ...examples.replaced.slice(replacedFirst),
          ...examples.kept,
        ].slice(0, diffExamplesMax),
      })),
      headers: [...headers],
      sources: [...sources].sort((a, b) => b[1] - a[1]).map(([name]) => name),
    }),
  };
}

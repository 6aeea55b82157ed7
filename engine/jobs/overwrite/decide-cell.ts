/** Decides whether a found value replaces the user's (docs/rules.md, "Overwrite rules"). */
import type { CellOutcome, OverwriteRule } from '../../contract/exports/overwrite.ts';

/** What a rule knows about a cell that has a found value. */
export interface CellFacts {
  readonly isEmpty: boolean;
  readonly isSame: boolean;
  /** The day on which the found value was observed, YYYY-MM-DD; '' if it is not known. */
  readonly observedOn: string;
  /** The last day on which the user's value may have changed; null without a readable day. */
  readonly ownDay: string | null;
  readonly isTrusted: boolean;
}

/** When each rule writes the found value. */
const writes: Readonly<Record<OverwriteRule, (facts: CellFacts) => boolean>> = {
  fill_empty: ({ isEmpty }) => isEmpty,
  newer: ({ isEmpty, observedOn, ownDay }) => isEmpty || (ownDay !== null && observedOn > ownDay),
  trusted: ({ isTrusted }) => isTrusted,
  never: () => false,
};

/** The outcome of a rule for a cell with a found value. */
export function decideCell(
  rule: OverwriteRule,
  facts: CellFacts,
): Exclude<CellOutcome, 'not_found'> {
  if (facts.isSame) return 'same';
  if (!writes[rule](facts)) return 'kept';
  return facts.isEmpty ? 'filled' : 'replaced';
}

// Overwrite rules while a user chooses them.
import type {
  ColumnRule,
  Overwrite,
  OverwriteRule,
} from '../../../engine/contract/exports/overwrite.ts';

/** The rule of a column as it is chosen; what another rule needs is kept. */
export interface RuleDraft {
  readonly rule: OverwriteRule;
  readonly dateColumn: string | null;
  readonly sources: readonly string[];
}

/** The drafts by the name of the column. A column without one has the default rule. */
export type OverwriteDraft = Readonly<Record<string, RuleDraft>>;

export const firstRule: RuleDraft = { rule: 'fill_empty', dateColumn: null, sources: [] };

/** The names of the rules, in the order of the menu. */
export const ruleNames: Readonly<Record<OverwriteRule, string>> = {
  fill_empty: 'Fill empty cells',
  newer: 'Newer wins',
  trusted: 'Trusted source wins',
  never: 'Never change',
};

/** What is missing from a rule; null if it is complete. */
export const findFault = ({ rule, dateColumn, sources }: RuleDraft): string | null => {
  if (rule === 'newer' && dateColumn === null) return 'Choose the column with the day of the row.';
  if (rule === 'trusted' && sources.length === 0) return 'Choose at least one source.';
  return null;
};

function readRule({ rule, dateColumn, sources }: RuleDraft): ColumnRule {
  if (rule === 'newer') return { rule, date_column: dateColumn ?? '' };
  return rule === 'trusted' ? { rule, sources: [...sources] } : { rule };
}

export const readRules = (draft: OverwriteDraft, addsFound: boolean): Overwrite => ({
  default: 'fill_empty',
  columns: Object.fromEntries(
    Object.entries(draft).map(([column, one]) => [column, readRule(one)]),
  ),
  found_columns: addsFound,
});

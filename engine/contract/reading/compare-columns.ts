// Compares the columns of files that are to become one list.

export interface ColumnDifference {
  readonly missing: readonly string[];
  readonly added: readonly string[];
}

/** The form in which names of columns are compared: without case and extra space. */
export const foldLabel = (label: string): string => label.trim().replace(/\s+/g, ' ').toLowerCase();

/** How the columns of a file differ from the first one's, in any order; null if not at all. */
export function compareColumns(
  first: readonly string[],
  labels: readonly string[],
): ColumnDifference | null {
  const without = (names: readonly string[], others: readonly string[]) => {
    const known = new Set(others.map(foldLabel));
    return names.filter((name) => !known.has(foldLabel(name)));
  };
  const [missing, added] = [without(first, labels), without(labels, first)];
  return missing.length + added.length > 0 || first.length !== labels.length
    ? { missing, added }
    : null;
}

const shownMax = 4;

const nameSome = (names: readonly string[]): string => {
  const shown = names.slice(0, shownMax).map((name) => `"${name}"`);
  const rest = names.length - shown.length;
  return rest > 0 ? `${shown.join(', ')} and ${rest} more` : shown.join(' and ');
};

/** Says how a file differs: `has no column "Email" and has "Phone" too`. */
export function describeDifference({ missing, added }: ColumnDifference): string {
  const parts = [
    missing.length > 0 ? `does not have ${nameSome(missing)}` : '',
    added.length > 0 ? `also has ${nameSome(added)}` : '',
  ].filter(Boolean);
  return parts.length > 0 ? parts.join(' and ') : 'has a column more than once';
}

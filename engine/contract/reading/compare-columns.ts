// Compares the columns of files that are to become one list.

export interface ColumnDifference {
  readonly missing: readonly string[];
  readonly added: readonly string[];
}

/** The form in which names of columns are compared: without case and extra space. */
const foldLabel = (label: string): string => label.trim().replace(/\s+/g, ' ').toLowerCase();

/** The places of each name, in order. Names of one file may differ in case alone. */
function placesOf(labels: readonly string[]): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (const [at, label] of labels.entries()) {
    const before = places.get(foldLabel(label));
    if (before) before.push(at);
    else places.set(foldLabel(label), [at]);
  }
  return places;
}

/** The place in a file with the same columns of each column of the first one. */
export function placeColumns(first: readonly string[], labels: readonly string[]): number[] {
  const places = placesOf(labels);
  return first.map((label) => places.get(foldLabel(label))?.shift() ?? 0);
}

/** How the columns of a file differ from the first one's, in any order; null if not at all. */
export function compareColumns(
  first: readonly string[],
  labels: readonly string[],
): ColumnDifference | null {
  const without = (names: readonly string[], others: readonly string[]) => {
    const places = placesOf(others);
    return names.filter((name) => places.get(foldLabel(name))?.pop() === undefined);
  };
  const [missing, added] = [without(first, labels), without(labels, first)];
  return missing.length + added.length > 0 ? { missing, added } : null;
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
  ];
  return parts.filter(Boolean).join(' and ');
}

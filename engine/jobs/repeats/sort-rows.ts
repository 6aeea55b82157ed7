// Decides which rule of repeated people applies to the enriched rows of a batch, for a job and for
// its estimate (docs/rules.md, "Repeated people"):
//
//   its person is in the excluded job      ──> skipped, known_from_earlier_job
//   an earlier row of the job is about it  ──> enriched, free, duplicate_of
//   earlier jobs paid for layers of it     ──> enriched, without the price of these layers

export interface PersonOfRow {
  readonly rowIndex: number;
  readonly personUuid: string;
  readonly layerBits: number;
}

interface SortedRows {
  /** Rows about people of the excluded job. */
  readonly known: readonly { readonly row: PersonOfRow; readonly sourceId: number }[];
  readonly duplicates: readonly { readonly row: PersonOfRow; readonly firstRow: number }[];
  /** The first row of each other person. Earlier jobs may have paid for its layers. */
  readonly firsts: readonly PersonOfRow[];
}

/**
 * Sorts enriched rows, which are in the order of the list.
 * @param known result.id of a row of the excluded job, by person
 * @param findFirst the first row of each person in the rows of the job before these
 */
export function sortRows(
  all: readonly PersonOfRow[],
  known: ReadonlyMap<string, number>,
  findFirst: (rows: readonly PersonOfRow[]) => ReadonlyMap<string, number>,
): SortedRows {
  const sorted = {
    known: [] as { row: PersonOfRow; sourceId: number }[],
    duplicates: [] as { row: PersonOfRow; firstRow: number }[],
    firsts: [] as PersonOfRow[],
  };
  const rest: PersonOfRow[] = [];
  for (const row of all) {
    const sourceId = known.get(row.personUuid);
    if (sourceId === undefined) rest.push(row);
    else sorted.known.push({ row, sourceId });
  }
  const firstRows = new Map(findFirst(rest));
  for (const row of rest) {
    const firstRow = firstRows.get(row.personUuid);
    if (firstRow === undefined) {
      firstRows.set(row.personUuid, row.rowIndex);
      sorted.firsts.push(row);
    } else sorted.duplicates.push({ row, firstRow });
  }
  return sorted;
}

/** The first of the rows about each person: result.id. */
export function firstByPerson(
  rows: readonly { readonly personUuid: string; readonly id: number }[],
): ReadonlyMap<string, number> {
  const first = new Map<string, number>();
  for (const { personUuid, id } of rows) if (!first.has(personUuid)) first.set(personUuid, id);
  return first;
}

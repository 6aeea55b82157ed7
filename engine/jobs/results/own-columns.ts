// The columns that the user's own lists add to a result (docs/rules.md, "Own lists").
import type { ImportKind } from '../../contract/directory.ts';
import { type ColumnMapping, isOfCompanies } from '../../contract/jobs/row-input.ts';
import type { OwnEntry, OwnList, OwnRecord } from '../../directory/read/own-lists.ts';

export interface OwnColumn {
  readonly name: string;
  readonly kind: ImportKind;
  readonly source: string;
  /** The header of a kept column; null for the id of the record. */
  readonly header: string | null;
}

const idNames: Readonly<Record<ImportKind, string>> = {
  people: 'Id in',
  companies: 'Company id in',
};

const countNames = (all: readonly string[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const name of all.map((one) => one.trim().toLowerCase()))
    counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
};

/**
 * The columns, one list after the other. A kept column has its own header, with the name of its
 * list if another list or the file has the same.
 * @param taken names of other columns of the file
 */
function listOwnColumns(lists: readonly OwnList[], taken: readonly string[]): OwnColumn[] {
  const counts = countNames([...taken, ...lists.flatMap(({ kept }) => kept)]);
  // One source may name the people and the companies of an import.
  const ofSource = countNames(lists.map(({ name }) => name));
  return lists.flatMap(({ kind, source, name: list, idHeader, kept }): OwnColumn[] => {
    const whole = ofSource.get(list.trim().toLowerCase()) === 1 ? list : `${list}, ${kind}`;
    const named = kept.map((header): OwnColumn => {
      const isOne = counts.get(header.toLowerCase()) === 1;
      return { name: isOne ? header : `${header} (${whole})`, kind, source, header };
    });
    const id = { name: `${idNames[kind]} ${list}`, kind, source, header: null };
    return idHeader === null ? named : [id, ...named];
  });
}

/** The columns of a job's rows. A row about a company is in no list of people. */
export const listColumnsOfRows = (
  mapping: ColumnMapping,
  lists: readonly OwnList[],
  taken: readonly string[],
): OwnColumn[] =>
  listOwnColumns(
    isOfCompanies(mapping) ? lists.filter(({ kind }) => kind === 'companies') : lists,
    taken,
  );

export const findOwnEntry = (
  own: OwnRecord | undefined,
  { kind, source }: Pick<OwnColumn, 'kind' | 'source'>,
): OwnEntry | undefined => own?.entries[kind].get(source);

/** The cell of a contact; '' if the list does not have the contact. */
export function readOwnCell(own: OwnRecord | undefined, column: OwnColumn): string {
  const entry = findOwnEntry(own, column);
  return (column.header === null ? entry?.id : entry?.kept[column.header]) ?? '';
}

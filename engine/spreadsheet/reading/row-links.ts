// Addresses that a workbook has only in the links of its cells.
import { isEmailCell, isUrlCell } from '../column-values.ts';
import { readHeader } from '../read-header.ts';

/** The kinds of link that say who is meant, and the name of a column for each. */
const linkColumns = { email: 'Email', profile: 'LinkedIn URL' } as const;
export type LinkKind = keyof typeof linkColumns;
export const linkKinds = Object.keys(linkColumns) as LinkKind[];

export type RowLinks = { readonly [Kind in LinkKind]?: string };

export interface LinkFill {
  /** The columns with those that are added. */
  readonly header: string[];
  fill(cells: string[], links: RowLinks | undefined): string[];
}

/**
 * Finds a column for each kind of link: the first of that meaning, whose cells without an address
 * then have that of their row, or a new one at the end.
 */
export function createLinkFill(header: readonly string[], kinds: readonly LinkKind[]): LinkFill {
  const columns = [...header];
  const places = kinds.map((kind) => {
    const at = header.findIndex((name) => readHeader(name)?.key.replace(/\..*$/, '') === kind);
    if (at >= 0) return { kind, at };
    columns.push(linkColumns[kind]);
    return { kind, at: columns.length - 1 };
  });
  return {
    header: columns,
    fill(cells, links) {
      const row = columns.map((_name, at) => cells[at] ?? '');
      for (const { kind, at } of places) {
        const own = row[at] ?? '';
        const address = links?.[kind];
        if (address !== undefined && !isEmailCell(own) && !isUrlCell(own)) row[at] = address;
      }
      return row;
    },
  };
}

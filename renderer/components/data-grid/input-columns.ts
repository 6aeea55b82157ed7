// Widths of the caller's columns, from their first rows.

export interface InputColumn {
  readonly label: string;
  readonly width: number;
}

/** Narrow columns stay narrow. @param widthMax pixels; small, so that added columns are visible */
export function measureColumns(
  headers: readonly string[],
  rows: readonly (readonly string[])[],
  widthMax = 150,
): InputColumn[] {
  return headers.map((header, column) => {
    const label = header.trim() || `Column ${column + 1}`;
    const cells = rows.map((cellsOfRow) => cellsOfRow[column]?.length ?? 0);
    const characters = Math.max(label.length, ...cells);
    return { label, width: Math.min(widthMax, Math.max(64, Math.ceil(characters * 7.8) + 26)) };
  });
}

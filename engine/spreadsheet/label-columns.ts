// Names of columns where each must have its own: for display, and in formats that need it.

/** The names, made unique and never empty: `Email`, `Email (2)`, `Column 3`. */
export function labelColumns(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((given, column) => {
    const name = given.trim() || `Column ${column + 1}`;
    let label = name;
    for (let copy = 2; taken.has(label); copy++) label = `${name} (${copy})`;
    taken.add(label);
    return label;
  });
}

// Names the columns that the product adds to a list (docs/rules.md, "Exports").

/**
 * The header: the caller's columns, then the product's. A product name that equals one of the
 * caller's, ignoring case, becomes `<name> (enriched)`.
 */
export function nameColumns(headers: readonly string[], names: readonly string[]): string[] {
  const own = new Set(headers.map((header) => header.trim().toLowerCase()));
  const named = names.map((name) => (own.has(name.toLowerCase()) ? `${name} (enriched)` : name));
  return [...headers, ...named];
}

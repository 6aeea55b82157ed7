/** Recognises the column of each field by the headers and a dictionary of names. */

/** Words of a header: lower case, without accents and punctuation, camelCase split. */
function splitWords(text: string): string[] {
  const plain = text
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ø', 'o')
    .replaceAll('æ', 'ae')
    .replaceAll('œ', 'oe')
    .replaceAll('ł', 'l')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '');
  return plain.match(/[\p{L}\p{N}]+/gu) ?? [];
}

// Words that may surround a usual name without changing its meaning. "company", "owner" and
// "previous" are not among them: "Company Phone" is not a person's phone.
const fillers = new Set(
  (
    'contact contacts lead leads person people prospect customer client user member candidate ' +
    'primary main work business professional current value 1 the of field data text s ' +
    'kontakt kunde kontakte ansprechpartner contacto cliente client du de la le del'
  ).split(' '),
);

/** Whether a header is a usual name, surrounded only by fillers. */
function containsAlias(header: readonly string[], alias: readonly string[]): boolean {
  for (let from = 0; from + alias.length <= header.length; from++) {
    const isHere = alias.every((word, place) => header[from + place] === word);
    if (!isHere) continue;
    const others = [...header.slice(0, from), ...header.slice(from + alias.length)];
    if (others.every((word) => fillers.has(word))) return true;
  }
  return false;
}

/**
 * Finds the column of each field: first by a header that is one of its usual names (in the
 * dictionary's order, ignoring case, punctuation, spacing, camelCase and accents), then by a header
 * that contains such a name among fillers. A column is used for only one field; of equal headers
 * the first one is used.
 * @param dictionary field → its usual names, the best first
 * @returns field → column index, from 0; without fields that were not found
 */
export function recognizeColumns(
  headers: readonly string[],
  dictionary: Readonly<Record<string, readonly string[]>>,
): Record<string, number> {
  const columns = headers.map(splitWords);
  const taken = new Set<number>();
  const found: Record<string, number> = {};
  const same = (header: readonly string[], alias: readonly string[]) =>
    alias.length > 0 && header.join('') === alias.join('');
  for (const matches of [same, containsAlias]) {
    for (const [field, aliases] of Object.entries(dictionary)) {
      if (found[field] !== undefined) continue;
      for (const alias of aliases.map(splitWords)) {
        const column = columns.findIndex((header, at) => !taken.has(at) && matches(header, alias));
        if (column < 0) continue;
        found[field] = column;
        taken.add(column);
        break;
      }
    }
  }
  return found;
}

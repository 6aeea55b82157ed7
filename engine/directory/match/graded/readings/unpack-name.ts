/**
 * Takes names out of the records of other programs that stand in a cell of a name: passports,
 * tickets, JSON; and leaves out dates and other notes that hold a slash.
 */

/** The first line of a passport: "P<USAKING<<ANN<MARY<<<<". */
const passport = /^[PVIAC][A-Z<][A-Z<]{3}([A-Z]+(?:<[A-Z]+)*)<<([A-Z]+(?:<[A-Z]+)*)<*$/;
/** A name on a ticket: "KING/ANN MRS". */
const ticket =
  /^([A-Z][A-Z'-]+(?: [A-Z'-]+)*)\/([A-Z]{2,}(?: [A-Z]+)*?)(?: ?(?:MR|MRS|MS|MISS|DR|MSTR))?$/;
const careOf = /\s*\bc\s?\/\s?o\b.*$/i;
const date = /\b\d{1,4}[./-]\d{1,2}(?:[./-]\d{1,4})?\b/g;
const letterPair = /\s\p{Lu}\/\p{Lu}(?=\s|$)/gu;
const firstKey = /^(?:first|given|fore|vorname|prenom|nombre)/i;
const lastKey = /^(?:last|sur|family|nachname|apellido)/i;
const wholeKey = /^(?:full|display|person)?_?name$/i;

/** The name in a JSON object; null if the text is none, or has no name. */
function readJson(text: string): string | null {
  let values: Record<string, unknown>;
  try {
    values = JSON.parse(text) as Record<string, unknown>;
  } catch {
    return null;
  }
  const textOf = (pattern: RegExp): string => {
    const [, value] = Object.entries(values).find(([key]) => pattern.test(key)) ?? [];
    return typeof value === 'string' ? value : '';
  };
  const [first, last] = [textOf(firstKey), textOf(lastKey)];
  return `${first} ${last}`.trim() || textOf(wholeKey) || null;
}

/** A cell that needs nothing of this. */
const plain = /^[\p{L}\s.'’,-]*$/u;

/**
 * The text of a cell of a name without what other programs put around it.
 * @param isAlone the other cell of the name is empty
 */
export function unpackName(text: string, isAlone: boolean): string {
  if (plain.test(text)) return text;
  if (text.startsWith('{')) return readJson(text) ?? text;
  const found = passport.exec(text) ?? (isAlone ? ticket.exec(text) : null);
  if (found) return `${found[1]!.replaceAll('<', ' ')}, ${found[2]!.replaceAll('<', ' ')}`;
  const bare = text.replace(careOf, '').replace(date, ' ').replace(letterPair, ' ');
  return bare === text ? text : bare.replace(/\s+/g, ' ').trim();
}

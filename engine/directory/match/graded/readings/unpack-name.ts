/**
 * Takes names out of the records of other programs that stand in a cell of a name: passports,
 * tickets, JSON, forms, contact cards; and leaves out dates and other notes that hold a slash.
 */

/** The first line of a passport, or the name of it: "P<USAKING<<ANN<MARY<<<<". */
const passport = /^(?:[PVIAC]<[A-Z<]{3})?([A-Z]+(?:<[A-Z]+)*)<<([A-Z]+(?:<[A-Z]+)*)<*$/;
/** A name on a ticket: "KING/ANN MRS", "KING/ANNMRS". */
const ticket =
  /^([A-Z][A-Z'-]+(?: [A-Z'-]+)*)\/([A-Z]{2,}?(?: [A-Z]+)*?)(?: ?(?:MR|MRS|MS|MISS|DR|MSTR))?$/;
/** The name of a contact card: "N:King;Ann;Mary;;". */
const card = /(?:^|\s)N[^:;\s]*:([^;]+);([^;]+)/;
/** What a form sends: "first=Ann&last=King". */
const form = /^[\w.[\]-]+=[^&=]*(?:&[\w.[\]-]+=[^&=]*)+$/;
/** A name of letters with a space between them: "M a r k". */
const spaced = /^\p{Lu}(?: \p{Ll}){2,}$/u;
const careOf = /\s*\bc\s?\/\s?o\b.*$/i;
const date = /\b\d{1,4}[./-]\d{1,2}(?:[./-]\d{1,4})?\b/g;
const letterPair = /\s\p{Lu}\/\p{Lu}(?=\s|$)/gu;
const firstKey = /^(?:first|given|fore|vorname|prenom|nombre)/i;
const lastKey = /^(?:last|sur|family|nachname|apellido)/i;
const wholeKey = /^(?:full|display|person)?_?name$/i;

/** Texts of a record, with their keys. */
type Entries = readonly (readonly [key: string, text: string])[];

/** The texts of a value of JSON, whatever holds them. */
function listTexts(key: string, value: unknown): Entries {
  if (typeof value === 'string') return [[key, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inside]) => listTexts(name, inside));
}

function readJson(text: string): Entries {
  try {
    return listTexts('', JSON.parse(text));
  } catch {
    return [];
  }
}

/** The name in a record; null if it has none. */
function nameOf(entries: Entries): string | null {
  const textOf = (pattern: RegExp): string => entries.find(([key]) => pattern.test(key))?.[1] ?? '';
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
  if (plain.test(text)) return spaced.test(text) ? text.replaceAll(' ', '') : text;
  if (text.startsWith('{')) return nameOf(readJson(text)) ?? text;
  if (form.test(text)) return nameOf([...new URLSearchParams(text)]) ?? text;
  const contact = card.exec(text);
  if (contact) return `${contact[1]}, ${contact[2]}`;
  const found = passport.exec(text) ?? (isAlone ? ticket.exec(text) : null);
  if (found) return `${found[1]!.replaceAll('<', ' ')}, ${found[2]!.replaceAll('<', ' ')}`;
  const bare = text
    .replace(/"\s*,\s*"/g, ' ')
    .replace(careOf, '')
    .replace(date, ' ')
    .replace(letterPair, ' ');
  return bare === text ? text : bare.replace(/\s+/g, ' ').trim();
}

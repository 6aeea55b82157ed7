/**
 * Takes names out of the records of other programs that stand in a cell of a name: passports,
 * tickets, JSON, forms, contact cards; and leaves out dates and other notes that hold a slash.
 */
import { dropLeadIn } from './around-person.ts';

/** The first line of a passport, or the name of it: "P<USAKING<<ANN<MARY<<<<". */
const passport = /^(?:[PVIAC]<[A-Z<]{3})?([A-Z]+(?:<[A-Z]+)*)<<([A-Z]+(?:<[A-Z]+)*)<*$/;
/** A name on a ticket: "KING/ANN MRS", "KING/ANNMRS". */
const ticket =
  /^([A-Z][A-Z'-]+(?: [A-Z'-]+)*)\/([A-Z]{2,}?(?: [A-Z]+)*?)(?: ?(?:MR|MRS|MS|MISS|DR|MSTR))?$/;
/** The name of a contact card: "N:King;Ann;Mary;;". */
const card = /(?:^|\s)N[^:;\s]*:([^;]+);([^;]+)/;
const cardOrg = /[;\s]ORG[^:;\s]*:([^;]+)/;
/** What a form sends: "first=Ann&last=King". */
const form = /^[\w.[\]-]+=[^&=]*(?:&[\w.[\]-]+=[^&=]*)+$/;
/** A name of letters with a space between them: "M a r k". */
const spaced = /^\p{Lu}(?: \p{Ll}){2,}$/u;
const careOf = /\s*\bc\s?\/\s?o\b.*$/i;
const date = /\b\d{1,4}[./-]\d{1,2}(?:[./-]\d{1,4})?\b/g;
const letterPair = /\s\p{Lu}\/\p{Lu}(?=\s|$)/gu;
const firstKey = /^(?:first|given|fore|vorname|prenom|nombre|gn$)/i;
const lastKey = /^(?:last|sur|family|nachname|apellido|sn$)/i;
const wholeKey = /^(?:(?:full|display|person)?_?name|cn|fn)$/i;
const employerKey = /^(?:org|company|employer|firma|empresa|entreprise|o$)/i;

/** Texts of a record, with their keys. */
type Entries = readonly (readonly [key: string, text: string])[];

/** The texts of a value of JSON, whatever holds them. */
function listTexts(key: string, value: unknown): Entries {
  if (typeof value === 'string') return [[key, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inside]) => listTexts(name, inside));
}

function readOrg(text: string): Entries {
  const [, employer] = cardOrg.exec(text) ?? [];
  return employer === undefined ? [] : [['org', employer]];
}

function readJson(text: string): Entries {
  try {
    return listTexts('', JSON.parse(text));
  } catch {
    return [];
  }
}

/** The entries of a text with a key before each: "CN=Ann King,O=Acme", "name: Ann King". */
function readKeys(text: string): Entries {
  const entries = text.split(/[,;|]+\s*(?=\w+\s*[:=])/).map((part) => keyed.exec(part));
  return entries.length > 1 && entries.every((entry) => entry !== null)
    ? entries.map(([, key, value]) => [key!, value!])
    : [];
}

/** The name in a record, and the employer behind it; null if it has none. */
function nameOf(entries: Entries): string | null {
  const textOf = (pattern: RegExp): string => entries.find(([key]) => pattern.test(key))?.[1] ?? '';
  const [first, last, employer] = [textOf(firstKey), textOf(lastKey), textOf(employerKey)];
  const name = `${first} ${last}`.trim() || textOf(wholeKey);
  return name === '' ? null : employer === '' ? name : `${name} | ${employer}`;
}

const keyed = /^\s*([a-z]\w*)\s*[:=]\s*([^:=]+)$/i;
/** What a letter has before a name. */
const leadIn = new RegExp(
  [
    String.raw`^(?:attn|att|attention|for the attention of|fao|z\.? ?h(?:d|dn|ä?nden)`,
    String.raw`à l['’]attention de)[.:]?\s+(?:(?:herrn|frau)\s+)?`,
  ].join('|'),
  'i',
);
/** A list of texts in quotes: "Ann","King". */
const quotedList = /^"?[^",]+"(?:\s*,\s*"[^",]+)+"?$/;

/** A cell that needs nothing of this. */
const plain = /^[\p{L}\s.'’,-]*$/u;

/**
 * The text of a cell of a name without what other programs put around it.
 * @param isAlone the other cell of the name is empty
 */
export function unpackName(written: string, isAlone: boolean): string {
  const text = written.replace(leadIn, '');
  const dropLead = (name: string): string =>
    isAlone && name.includes(' ') ? dropLeadIn(name) : name;
  if (plain.test(text)) return spaced.test(text) ? text.replaceAll(' ', '') : dropLead(text);
  if (text.startsWith('{')) return nameOf(readJson(text)) ?? text;
  if (form.test(text)) return nameOf([...new URLSearchParams(text)]) ?? text;
  const contact = card.exec(text);
  if (contact) return nameOf([['name', `${contact[1]}, ${contact[2]}`], ...readOrg(text)]) ?? text;
  const entries = readKeys(text);
  if (entries.length > 0) return nameOf(entries) ?? text;
  if (quotedList.test(text)) return text.replace(/"\s*,\s*"/g, ' ').replaceAll('"', '');
  const found = passport.exec(text) ?? (isAlone ? ticket.exec(text) : null);
  if (found) return `${found[1]!.replaceAll('<', ' ')}, ${found[2]!.replaceAll('<', ' ')}`;
  const bare = text
    .replace(/"\s*,\s*"/g, ' ')
    .replace(careOf, '')
    .replace(date, ' ')
    .replace(letterPair, ' ');
  return dropLead(bare === text ? text : bare.replace(/\s+/g, ' ').trim());
}

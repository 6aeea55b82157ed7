// Cells of names that hold more than one name: an address behind it, or a second person.
import {
  dropSalutation,
  hasCompanyWord,
  hasTitleWord,
  isEmailCell,
  isFullName,
  isSalutation,
} from './column-values.ts';

export interface Mailbox {
  readonly name: string;
  readonly email: string;
}

/** What people write next to an address besides a name. */
const label =
  /^(?:e-?mail|mail|smtp|mailto|work|business|private|privat|personal|home|office|other|main|primary|secondary|arbeit|dienstlich|travail|trabajo|lavoro|adresse?|address|old|new|preferred|verified|valid|invalid|bounced|unsubscribed|cc|bcc|to|from)$/i;
/** Longer cells hold no names. */
const charactersMax = 300;
const addressInside =
  /[<([{]?\s*(?:mailto:)?([^\s<>()[\]{},;:"'|]+@[^\s<>()[\]{},;:"'|]+\.[^\s<>()[\]{},;:"'|]{2,}?)\s*[>)\]}]?[.;,]?(?=\s|$|[,;|])/giu;

/**
 * The name and the address of a cell with exactly one address and words next to it:
 * `Ann Lee <ann@ola.example>`, `ann@ola.example (Ann Lee)`, `Ann Lee - ann@ola.example`; null for
 * any other cell.
 */
export function readMailbox(cell: string): Mailbox | null {
  if (cell.length > charactersMax || !cell.includes('@')) return null;
  const found = [...cell.matchAll(addressInside)];
  const [only] = found;
  const email = only?.[1] ?? '';
  if (only === undefined || found.length > 1 || !isEmailCell(email)) return null;
  const rest = `${cell.slice(0, only.index)} ${cell.slice(only.index + only[0].length)}`;
  if (rest.includes('@')) return null;
  const name = rest
    .replace(/\be-?mail\s*:/i, ' ')
    .replace(/[<>()[\]{}"“”„]/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[\s'‘’|/;:,–—-]+|[\s'‘’|/;:,–—-]+$/gu, '');
  if (!/\p{L}/u.test(name) || /\d/.test(name) || label.test(name)) return null;
  // In "ann lee@ola.example" the first word is a part of the address, or it is a name.
  const isApart = /[<([{]/.test(only[0]) || /[|/;:,–—(-]\s*$/u.test(cell.slice(0, only.index));
  const isCapital = isFullName(name) && /\p{Lu}/u.test(name);
  return isApart || isCapital || /^\s*\(/.test(cell.slice(only.index + only[0].length))
    ? { name, email }
    : null;
}

/** Name and address of a cell; '' for what it lacks. Several addresses stay as the name. */
export function readNameCell(cell: string): Mailbox {
  if (!cell.includes('@')) return { name: cell, email: '' };
  const mailbox = readMailbox(cell);
  if (mailbox !== null) return mailbox;
  const found = cell.length > charactersMax ? [] : [...cell.matchAll(addressInside)];
  const email = found[0]?.[1] ?? '';
  if (!isEmailCell(email)) return { name: cell, email: '' };
  const rest = cell
    .replace(addressInside, ' ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  return { name: rest === '' || label.test(rest) ? '' : cell, email };
}

export const isMailbox = (cell: string): boolean => readMailbox(cell) !== null;

/** "two people", "3 people" */
export const countPeople = (count: number): string =>
  `${count === 2 ? 'two' : count.toLocaleString('en-US')} people`;

/** Signs that stand between people, whatever the language. */
const strongBreaks = /\s*[;\r\n]+\s*|\s*\/\s*|\s+\+\s+/u;
/** Words between people. Some of them also stand between two surnames: "Ortega y Gasset". */
const softBreaks = /\s*,?\s+(?:&|and|und|u\.|et|og|och|en|ja|és|ve|oraz|y|e|i|a|и|та)\s+/iu;
const familyWord =
  '(?:famil(?:y|ie|ien|ia|jen)|fam\\.|famille|família|famiglia|eheleute|ehepaar|familien|perhe|' +
  'rodzina|państwo|rodina|család|семья|семейство|οικογένεια)';
/** "Familie Ray", "The Smith Family" */
const family = new RegExp(
  `^(?:die |la )?${familyWord}\\s+\\p{Lu}|^\\p{L}.*\\s(?:family|familie|ailesi)$`,
  'iu',
);
/** "The Smiths" */
const pluralName = /^The\s+(?:\p{Lu}[\p{L}'’]+[\s-])?\p{Lu}[\p{L}'’]+[sz]$/u;
/** A guest of a person, without a name: "Ann Lee & guest", "Ann Lee + 1". */
const companion =
  /\s*(?:[&+]|\s(?:and|und|et|y|e|og|och|en)\s)\s*(?:\d{1,2}|(?:his |her )?(?:guests?|family|spouse|partner|wife|husband)|gast|gäste|familie|begleitung|famille|invités?|acompañante|famiglia|gæst|gäst)$/iu;

/** A cell without somebody unnamed behind the name. */
export const dropCompanion = (cell: string): string => {
  const named = cell.replace(companion, '');
  return named !== cell && isWhole(dropSalutation(named)) ? named : cell;
};

/** Between forms of address, as in "Mr&Mrs". */
const coupleBreak = new RegExp(`\\s*[&+]\\s*|${softBreaks.source}`, 'iu');

/** Whether a text is a couple's address and name: "Mr and Mrs Ray", "M. et Mme Durand". */
export function isCouple(text: string): boolean {
  if (text.length > charactersMax || !mayHoldSeveral.test(text)) return false;
  const [one = '', other = '', ...more] = text.trim().split(coupleBreak);
  return more.length === 0 && isSalutation(one) && dropSalutation(other) !== other.trim();
}

/**
 * The name in a cell of a couple, a family, or a person with somebody unnamed, without the words
 * for them: '' of "Herr und Frau Ray" and "Familie Ray", which have no given name, and "Bo
 * Lee" of "Mr. & Mrs. Bo Lee" and "Bo Lee & guest". Null for any other cell.
 */
export function readCouple(cell: string): string | null {
  const text = cell.trim();
  if (text.length > charactersMax) return null;
  const named = dropCompanion(text);
  if (named !== text) return dropSalutation(named);
  if (family.test(text) || pluralName.test(text)) return hasCompanyWord(text) ? null : '';
  if (!isCouple(text)) return null;
  const name = dropSalutation(text.split(coupleBreak)[1] ?? '');
  return isWhole(name) && !particle.test(name) ? name : '';
}

/** "van der Berg": a surname of several words. */
const particle = /^(?:v[ao]n|de[rnl]?|d[iu]|la|le|zu[rm]?|ten|ter|af|av)\s/iu;

/** A cell without such a sign has one person. */
const mayHoldSeveral = /[;/&+\r\n]|\s(?:and|und|u\.|et|og|och|en|ja|és|ve|oraz|y|e|i|a|и|та)\s/iu;
/** "Ludwig van & …": the name goes on behind the sign. */
export const endsInParticle = /(?:^|\s)(?:von|vom|van|de|del|zu|zum|zur|auf|da|di|du)$/iu;

/** "Lee, Ann" */
const isReversed = /^\p{Lu}[\p{L}'’-]+(?: [\p{L}'’-]+)?,\s\p{Lu}[\p{L}'’.-]+$/u;

const isWhole = (part: string): boolean =>
  isFullName(part) &&
  !part.includes(',') &&
  !endsInParticle.test(part) &&
  !hasTitleWord(part) &&
  !/^\p{Ll}+\s/u.test(part);

const isGiven = (part: string): boolean =>
  /^\p{Lu}[\p{L}'’.-]+$/u.test(part) && !isSalutation(part) && !hasCompanyWord(part);

/** At least one: "Ann Lee / Bo Kim", "Ann & Bo Lee", "Ann Lee, Bo Kim and Cy Poe". */
export function splitPeople(cell: string): readonly string[] {
  if (cell.length > charactersMax) return [cell];
  if (!mayHoldSeveral.test(cell) && !/,.*,|@.*@/.test(cell)) return [cell];
  if (readCouple(cell) !== null) return [cell];
  const mailboxes = cell
    .split(/\s*[;\r\n]+\s*|(?<=>)\s*[,/&]?\s*/)
    .filter(Boolean)
    .map(readMailbox);
  if (mailboxes.length > 1 && mailboxes.every((one) => one !== null))
    return mailboxes.map(({ name }) => name);
  const text = cell.replace(/\s*<[^<>]*@[^<>]*>/g, '').trim();
  const strong = text.split(strongBreaks).filter(Boolean);
  if (strong.length > 1 && strong.every((part) => isWhole(part) || isReversed.test(part)))
    return strong;
  if (strong.length > 1) return [cell];
  const soft = text.split(softBreaks).filter(Boolean);
  const parts = soft
    .flatMap((part, at) =>
      at < soft.length - 1 || soft.length === 1 ? part.split(/,\s+/) : [part],
    )
    .map((part) => (isWhole(dropSalutation(part)) ? dropSalutation(part) : part));
  const last = parts.at(-1) ?? '';
  if (parts.length < 2 || !isWhole(last)) return [cell];
  // "Lopez Garcia, Maria Jose" is one person: without a word between them, three are a list.
  if (soft.length === 1 && parts.length < 3) return [cell];
  if (parts.every(isWhole)) return parts;
  if (soft.length === 1 || !parts.slice(0, -1).every(isGiven)) return [cell];
  const family = last.split(' ').slice(1).join(' ');
  return [...parts.slice(0, -1).map((given) => `${given} ${family}`), last];
}

/** "Ann & Bo" and "Lee", "Ann / Bo" and "Lee / Kim". One pair if the cells hold one person. */
export function splitPairs(first: string, last: string): readonly (readonly [string, string])[] {
  const one = [[first, last]] as const;
  if (first.length + last.length > charactersMax || !mayHoldSeveral.test(first)) return one;
  if (last.trim() === '') return splitPeople(first).map((name) => [name, ''] as const);
  const apart = (text: string) =>
    text
      .trim()
      .split(strongBreaks)
      .flatMap((part) => part.split(softBreaks))
      .filter(Boolean);
  const [given, family] = [apart(first), apart(last)];
  const areGiven = given.every(
    (part) => part.split(' ').every(isGiven) && part.split(' ').length < 3,
  );
  if (given.length < 2 || !areGiven) return one;
  if (family.length !== 1 && family.length !== given.length) return one;
  return given.map((name, at) => [name, family[family.length === 1 ? 0 : at] ?? ''] as const);
}

/** What a first and a last name say of several people: "holds two people"; '' of one person. */
export function describePeople(first: string, last: string): string {
  const { length } = splitPairs(first, last);
  if (length > 1) return `holds ${countPeople(length)}`;
  return readCouple(`${first} ${last}`) === null ? '' : 'names a couple or a group, not one person';
}

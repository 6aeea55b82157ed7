// Reads the contacts of an address book: vCard 2.1, 3.0 and 4.0 (RFC 6350).
import { jsonUploadBytesMax } from '../../contract/limits/spreadsheet.ts';
import { createRowCheck, type ListReader, noSheets, refuseFile } from './list-reader.ts';
import { readText } from './read-text.ts';

/** A property: "item1.TEL;TYPE=CELL:+49 …". */
interface Property {
  readonly name: string;
  readonly types: ReadonlySet<string>;
  readonly value: string;
  /** 1 is the preferred one of its kind. */
  readonly rank: number;
}

const rankMax = 101;

/** The letters of a value in quoted-printable or Base64; the value itself if it is not. */
function decodeValue(value: string, parameters: ReadonlyMap<string, string>): string {
  const encoding = parameters.get('ENCODING')?.toUpperCase() ?? '';
  if (!/^(?:QUOTED-PRINTABLE|B|BASE64)$/.test(encoding)) return value;
  const bytes = encoding.startsWith('B')
    ? Buffer.from(value, 'base64')
    : Buffer.from(
        value.replace(/=([0-9A-F]{2})/gi, (_escape, hex: string) =>
          String.fromCharCode(Number.parseInt(hex, 16)),
        ),
        'latin1',
      );
  const charset = parameters.get('CHARSET') ?? 'utf-8';
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return bytes.toString('utf8');
  }
}

function readProperty(line: string): Property | null {
  const colon = /^(?:[^:"]|"[^"]*")*:/.exec(line)?.[0].length;
  if (colon === undefined) return null;
  const [head = '', ...rest] = line.slice(0, colon - 1).split(';');
  const parameters = new Map<string, string>();
  const types = new Set<string>();
  for (const part of rest) {
    const [key = '', text] = part.split('=', 2);
    const name = key.toUpperCase();
    // Version 2.1 writes types and encodings without a name.
    if (text === undefined && /^(?:QUOTED-PRINTABLE|BASE64)$/i.test(key))
      parameters.set('ENCODING', key);
    else if (text === undefined || name === 'TYPE')
      for (const type of (text ?? key).replaceAll('"', '').split(','))
        types.add(type.toUpperCase());
    else parameters.set(name, text.replaceAll('"', ''));
  }
  const name = head.replace(/^[^.]*\./, '').toUpperCase();
  // Pictures and sounds are no text.
  if (/^(?:PHOTO|LOGO|SOUND|KEY)$/.test(name)) return null;
  const rank = types.has('PREF') ? 1 : Number(parameters.get('PREF') ?? rankMax);
  return { name, types, value: decodeValue(line.slice(colon), parameters), rank };
}

const unescapeText = (text: string): string =>
  text.replace(/\\([nN,;:\\])/g, (_escape, mark: string) => (/n/i.test(mark) ? '\n' : mark)).trim();

/** The parts of a value such as "Lee;Ann;;Dr.;". */
const listParts = (value: string): string[] =>
  value
    .split(/(?<!\\)(?:\\\\)*;/)
    .map((part) => unescapeText(part).replace(/(?<=\S),(?=\S)/g, ' '));

/** The numbered name of a further column: "Email 2". */
const numberName = (name: string, row: ReadonlyMap<string, string>): string => {
  let at = 1;
  while (row.has(at === 1 ? name : `${name} ${at}`)) at++;
  return at === 1 ? name : `${name} ${at}`;
};

const addressParts = ['', '', 'Street', 'City', 'State', 'Postal code', 'Country'];

function readColumns({
  name,
  types,
  value,
}: Omit<Property, 'rank'>): [column: string, text: string][] {
  const isHome = types.has('HOME');
  const text = unescapeText(value);
  if (name === 'FN') return [['Full name', text]];
  if (name === 'N') {
    const [last = '', first = '', middle = '', , suffix = ''] = listParts(value);
    return [
      ['First name', first],
      ['Middle name', middle],
      ['Last name', last],
      ['Name suffix', suffix],
    ];
  }
  if (name === 'ORG') {
    const [company = '', department = ''] = listParts(value);
    return [
      ['Company', company],
      ['Department', department],
    ];
  }
  if (name === 'ADR') {
    const kind = isHome ? 'Home' : types.has('WORK') ? 'Work' : '';
    return listParts(value).flatMap((part, at): [string, string][] => {
      const column = addressParts[at];
      return column ? [[`${kind} ${column}`.trim(), part]] : [];
    });
  }
  if (name === 'TEL') {
    if (types.has('FAX') || types.has('PAGER')) return [];
    const kind = types.has('CELL') ? 'Mobile' : isHome ? 'Home' : types.has('WORK') ? 'Work' : '';
    return [[`${kind} phone`.trim(), text.replace(/^tel:/i, '')]];
  }
  if (name === 'EMAIL') {
    const kind = isHome ? 'Home' : types.has('WORK') ? 'Work' : '';
    return [[`${kind} email`.trim(), text.replace(/^mailto:/i, '')]];
  }
  if (/^(?:URL|(?:X-)?SOCIALPROFILE)$/.test(name))
    return [[/linkedin\./i.test(text) ? 'LinkedIn profile' : 'Website', text]];
  const plain: Readonly<Record<string, string>> = {
    TITLE: 'Job title',
    ROLE: 'Role',
    NICKNAME: 'Nickname',
    UID: 'ID',
    NOTE: 'Note',
  };
  const column = plain[name];
  return column === undefined ? [] : [[column, text]];
}

interface Card {
  readonly line: number;
  readonly cells: ReadonlyMap<string, string>;
}

/** "TEL;TYPE=CELL:…", with its value on this line. */
const propertyStart = /^(?:[\w-]+\.)?[a-z][\w-]*(?:;[^:]*)?:/i;

/** The logical lines of a text: those that begin with a space, or with no property, continue. */
function unfold(text: string): { text: string; line: number }[] {
  const lines: { text: string; line: number }[] = [];
  for (const [at, line] of text.split(/\r\n|\n|\r/).entries()) {
    const last = lines.at(-1);
    // A soft line end of quoted-printable, which some programs fold as well.
    if (last?.text.endsWith('=') && /QUOTED-PRINTABLE/i.test(last.text))
      last.text = last.text.slice(0, -1) + line.replace(/^[ \t]/, '');
    else if (last !== undefined && /^[ \t]/.test(line)) last.text += line.slice(1);
    // Some programs break a value without the space.
    else if (last !== undefined && line !== '' && !propertyStart.test(line)) last.text += line;
    else lines.push({ text: line, line: at + 1 });
  }
  return lines;
}

/** The cells of a contact; null for a group of contacts, which is none itself. */
function readCells(properties: readonly Property[]): Map<string, string> | null {
  const textOf = (name: string): string =>
    unescapeText(properties.find((one) => one.name === name)?.value ?? '');
  const kind = textOf('KIND') || textOf('X-ADDRESSBOOKSERVER-KIND');
  if (/^group$/i.test(kind)) return null;
  const [company = ''] = listParts(textOf('ORG'));
  // The name of an organisation's card is no person's.
  const isCompany =
    /^org/i.test(kind) ||
    /^company$/i.test(textOf('X-ABSHOWAS')) ||
    (company !== '' && textOf('FN') === company && !/[^;\s]/.test(textOf('N')));
  const cells = new Map<string, string>();
  const placeOf = (name: string): number => properties.findIndex((one) => one.name === name);
  const inOrder = properties.toSorted(
    (one, other) => placeOf(one.name) - placeOf(other.name) || one.rank - other.rank,
  );
  for (const property of inOrder) {
    const { types, value } = property;
    const isNameOfCompany = isCompany && property.name === 'FN' && company === '';
    if (isCompany && !isNameOfCompany && /^F?N$/.test(property.name)) continue;
    const name = isNameOfCompany ? 'ORG' : property.name;
    for (const [column, text] of readColumns({ name, types, value }))
      if (text !== '') cells.set(numberName(column, cells), text);
  }
  return cells;
}

/** The contacts of a text, and the lines of its groups. */
function readCards(text: string): { cards: Card[]; groups: number[] } {
  const cards: Card[] = [];
  const groups: number[] = [];
  let properties: Property[] = [];
  let depth = 0;
  let begin = 0;
  for (const { text: line, line: number } of unfold(text)) {
    if (/^BEGIN:VCARD\s*$/i.test(line)) {
      depth++;
      // A card inside a card is that of an assistant.
      if (depth > 1) continue;
      properties = [];
      begin = number;
    } else if (/^END:VCARD\s*$/i.test(line)) {
      depth = Math.max(0, depth - 1);
      if (depth > 0) continue;
      const cells = readCells(properties);
      if (cells === null) groups.push(begin);
      else if (cells.size > 0) cards.push({ line: begin, cells });
      properties = [];
    } else if (depth === 1) {
      const property = readProperty(line);
      if (property) properties.push(property);
    }
  }
  return { cards, groups };
}

/** Each contact is a row; each property of any contact is a column. */
export const readVcards: ListReader = async (source, { take }) => {
  if (source.bytes > jsonUploadBytesMax) {
    const most = jsonUploadBytesMax.toLocaleString('en-US');
    throw refuseFile(`The address book has more than ${most} bytes.`);
  }
  let text = '';
  await readText(source, (piece) => {
    text += piece;
  });
  const { cards, groups } = readCards(text);
  const columns = [...new Set(cards.flatMap(({ cells }) => [...cells.keys()]))];
  if (columns.length === 0) throw refuseFile('The vCard file has no complete contact.');
  const check = createRowCheck();
  take(columns, 1);
  for (const { line, cells } of cards) {
    const row = columns.map((column) => cells.get(column) ?? '');
    check(row, line);
    take(row, line);
  }
  const warnings = groups.map((line) => ({
    line,
    message: 'The card is a group of contacts, and was left out.',
  }));
  return { ...noSheets, warnings };
};

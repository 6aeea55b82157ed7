/** Reads the contacts of an address book: vCard 2.1, 3.0 and 4.0 (RFC 6350). */
import { jsonUploadBytesMax } from '../../contract/limits/spreadsheet.ts';
import { createRowCheck, type ListReader, noSheets, refuseFile } from './list-reader.ts';
import { readText } from './read-text.ts';

/** A property: "item1.TEL;TYPE=CELL:+49 …". */
interface Property {
  readonly name: string;
  readonly types: ReadonlySet<string>;
  readonly value: string;
}

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
  return { name, types, value: decodeValue(line.slice(colon), parameters) };
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

function readColumns({ name, types, value }: Property): [column: string, text: string][] {
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
  if (name === 'URL' || name === 'X-SOCIALPROFILE')
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

/** The logical lines of a text: those that begin with a space continue the one before. */
function unfold(text: string): { text: string; line: number }[] {
  const lines: { text: string; line: number }[] = [];
  for (const [at, line] of text.split(/\r\n|\n|\r/).entries()) {
    const last = lines.at(-1);
    // A soft line end of quoted-printable, which some programs fold as well.
    if (last?.text.endsWith('=') && /QUOTED-PRINTABLE/i.test(last.text))
      last.text = last.text.slice(0, -1) + line.replace(/^[ \t]/, '');
    else if (last !== undefined && /^[ \t]/.test(line)) last.text += line.slice(1);
    else lines.push({ text: line, line: at + 1 });
  }
  return lines;
}

function readCards(text: string): Card[] {
  const cards: Card[] = [];
  let cells: Map<string, string> | null = null;
  let begin = 0;
  for (const { text: line, line: number } of unfold(text)) {
    if (/^BEGIN:VCARD\s*$/i.test(line)) {
      cells = new Map();
      begin = number;
    } else if (/^END:VCARD\s*$/i.test(line)) {
      if (cells !== null && cells.size > 0) cards.push({ line: begin, cells });
      cells = null;
    } else if (cells !== null) {
      const property = readProperty(line);
      for (const [column, value] of property ? readColumns(property) : [])
        if (value !== '') cells.set(numberName(column, cells), value);
    }
  }
  return cards;
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
  const cards = readCards(text);
  const columns = [...new Set(cards.flatMap(({ cells }) => [...cells.keys()]))];
  if (columns.length === 0) throw refuseFile('The vCard file has no complete contact.');
  const check = createRowCheck();
  take(columns, 1);
  for (const { line, cells } of cards) {
    const row = columns.map((column) => cells.get(column) ?? '');
    check(row, line);
    take(row, line);
  }
  return noSheets;
};

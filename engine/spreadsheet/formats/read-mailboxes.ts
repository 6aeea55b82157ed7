// Reads recipients as a mail program writes them, such as `"Lee, Ann" <ann@ola.example>; Bo Kim
// <bo@ola.example>`: each becomes a row with a name and an email address.
import { isFullName } from '../column-values.ts';
import { readHeader } from '../read-header.ts';
import type { ListReader } from './list-reader.ts';
import { createRowCheck, noSheets } from './list-reader.ts';
import { readText } from './read-text.ts';

/** A recipient; the address is '' if the mail program did not know it. */
interface Mailbox {
  readonly name: string;
  readonly address: string;
}

const address = String.raw`[^\s<>()[\],;:"'@]+@[^\s<>()[\],;:"'@]+\.[^\s<>()[\],;:"'@]+`;
/** An address in brackets, an address alone, a separator, a quoted text, or other text. */
const tokenPattern = new RegExp(
  String.raw`[<[(]\s*(?:mailto:|smtp:)?(${address})\s*[>\])]|(${address})|([;,])|` +
    String.raw`"(?:[^"\\]|\\.)*"|\s+|[^\s;,<[("]+|.`,
  'giu',
);
/** The name of a line of a mail: "To:", "Cc:", "An:". */
const fieldName =
  /^\s*(?:[>*-]\s*)?(?:to|cc|bcc|from|reply-to|an|kopie|von|à|de|para|a|da|aan|do|till|til|komu|кому|копия|收件人|宛先|받는 사람)\s*:\s*/iu;

/** A word of a header of a mail in another encoding: "=?UTF-8?Q?J=C3=BCrgen?=". */
const encodedWord = /=\?([\w-]+)\?([bq])\?([^?]*)\?=(?:\s+(?==\?))?/gi;

function decodeWord(whole: string, charset: string, form: string, text: string): string {
  const bytes =
    form.toLowerCase() === 'b'
      ? Buffer.from(text, 'base64')
      : Buffer.from(
          text
            .replaceAll('_', ' ')
            .replace(/=([0-9a-f]{2})/gi, (_hex, digits: string) =>
              String.fromCharCode(Number.parseInt(digits, 16)),
            ),
          'latin1',
        );
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return whole;
  }
}

/** A name without quotes; '' for an address. */
function readName(text: string): string {
  const plain = text
    .replace(encodedWord, decodeWord)
    .trim()
    .replace(/^["'“”]+|["'“”]+$/g, '')
    .replace(/\\(["\\])/g, '$1')
    .trim();
  return plain.includes('@') && !plain.includes(' ') ? '' : plain;
}

/** What is behind an address: nothing, or its name as a comment. Null for anything else. */
function readComment(text: string): string | null {
  const plain = text.replace(/["']/g, '').trim();
  if (plain === '') return '';
  return /^\(([^()@]+)\)$/.exec(plain)?.[1] ?? null;
}

/** The recipients of a line; null if it has anything else. */
function readLine(line: string): Mailbox[] | null {
  const mailboxes: Mailbox[] = [];
  /** The text since the last recipient, with the commas in it. */
  let text = '';
  let commas = 0;
  let last: Mailbox | null = null;

  /** Ends the recipient whose address was read, or a name without one. False if it is neither. */
  function end(): boolean {
    if (last !== null) {
      const comment = readComment(text);
      if (comment === null) return false;
      mailboxes.push({ address: last.address, name: last.name || readName(comment) });
    } else if (isFullName(readName(text))) mailboxes.push({ name: readName(text), address: '' });
    else if (text.trim() !== '') return false;
    last = null;
    text = '';
    commas = 0;
    return true;
  }

  for (const [token, inBrackets, alone, separator] of line
    .replace(fieldName, '')
    .matchAll(tokenPattern)) {
    const given = inBrackets ?? alone;
    if (given !== undefined && last !== null) {
      // "ann@ola.example <ann@ola.example>"
      if (last.address.toLowerCase() !== given.toLowerCase() || readComment(text) !== '')
        return null;
      text = '';
    } else if (given !== undefined) {
      const name = readName(text);
      // "Ola,Ann <ann@ola.example>" has two cells; "Lee, Ann <…>" is one name.
      if (commas > 1 || (commas > 0 && !/,\s/.test(text))) return null;
      if (alone !== undefined && name !== '') return null;
      last = { name, address: given };
      text = '';
      commas = 0;
    } else if (separator === undefined) text += token;
    else if (last !== null || separator === ';') {
      if (!end()) return null;
    } else {
      text += separator;
      commas++;
    }
  }
  return end() && mailboxes.some(({ address: given }) => given !== '') ? mailboxes : null;
}

const endOfLine = /\r\n|\n|\r/;
const linesLookedAt = 200;
/** The share of lines that may be something else, such as a heading. */
const othersShare = 0.2;

export function isMailboxList(text: string): boolean {
  if (!text.includes('@')) return false;
  const lines = text
    .split(endOfLine)
    .filter((line) => line.trim() !== '')
    .slice(0, linesLookedAt);
  const read = lines.map(readLine);
  const others = lines.filter((_line, at) => read[at] === null);
  const othersMax = lines.length < 2 ? 0 : Math.max(1, lines.length * othersShare);
  if (others.length > othersMax || others.some((line) => /[,;\t|@]/.test(line))) return false;
  const found = read.filter((mailboxes) => mailboxes !== null);
  const counts = new Set(found.map(({ length }) => length));
  const hasNames = found.some((mailboxes) =>
    mailboxes.some(({ name, address: given }) => name !== '' && given !== ''),
  );
  // Lines with as many addresses each may be columns of addresses.
  return hasNames || (Math.max(...counts) > 1 && (counts.size > 1 || found.length === 1));
}

/** Whether a line above the recipients only names them: "Attendees:", "Email". */
const isHeading = (line: string): boolean =>
  /:\s*$/.test(line) || (readHeader(line)?.doubt ?? 2) === 0;

export const readMailboxes: ListReader = async (source, { take }) => {
  let text = '';
  await readText(source, (piece) => {
    text += piece;
  });
  const check = createRowCheck();
  take(['Full name', 'Email'], 1);
  for (const [at, line] of text.split(endOfLine).entries()) {
    if (line.trim() === '') continue;
    const mailboxes = readLine(line);
    if (mailboxes === null && at === 0 && isHeading(line)) continue;
    for (const { name, address: given } of mailboxes ?? [{ name: line.trim(), address: '' }]) {
      const row = [name, given];
      check(row, at + 1);
      take(row, at + 1);
    }
  }
  return noSheets;
};

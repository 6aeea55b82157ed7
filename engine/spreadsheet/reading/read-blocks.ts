// Reads contacts that are written as address labels: blocks of lines with a name, a company, an
// email, and an empty line between them.
import {
  hasCompanyWord,
  hasTitleWord,
  isEmailCell,
  isFullName,
  isMemberPage,
  isPhoneCell,
  isUrlCell,
} from '../column-values.ts';
import { readMailbox } from '../several-people.ts';
import { countKnown, type Line } from './find-table.ts';
import { numberName } from './turn-table.ts';

/** A line of a block: its text, and the label before it; '' if it has none. */
interface Item {
  readonly label: string;
  readonly text: string;
}

interface Block {
  readonly line: number;
  readonly items: Item[];
}

const [linesMin, linesMax] = [2, 12];
/** The share of blocks that must be those of a contact. */
const contactShare = 0.7;

const known = /^([^:]{1,40}?)\s*:\s*(\S.*)$/;
const ofPhone =
  /^(tel(?:efon|ephone|éfono)?|phone|t|p|ph|mobil(?:e|telefon)?|cell|handy|m|fax|f)\b\.?\s*[:.]?\s*(?=[+(\d])/iu;
const isGap = (text: string): boolean => /^[\s*=_#~-]*$/.test(text);

/** A line without its label, and without its number in the list. */
function readItem(written: string): Item {
  const text = written.trim().replace(/^\d{1,4}[.)]\s+(?=\p{L})/u, '');
  const [, name = '', value = ''] = known.exec(text) ?? [];
  if (name !== '' && countKnown([name]) > 0) return { label: name, text: value };
  const phone = ofPhone.exec(text);
  if (phone === null) return { label: '', text };
  const kind = (phone[1] ?? '').toLowerCase();
  const isMobile = /^(?:m|cell|handy)/.test(kind);
  const label = kind.startsWith('f') ? 'Fax' : isMobile ? 'Mobile phone' : 'Phone';
  return { label, text: text.slice(phone[0].length) };
}

function readBlocks(lines: readonly Line[], delimiter: string): Block[] {
  const blocks: Block[] = [];
  let previous = 0;
  for (const { cells, line } of lines) {
    // The columns of "Email: ann@ola.example" are its label and its value.
    const [label = '', ...values] = cells;
    const isLabelled = delimiter === ' ' && label !== '' && values.length > 0;
    const text = isLabelled ? `${label}: ${values.join(' ')}` : cells.join(delimiter).trim();
    const bare = text.replace(
      new RegExp(`^[\\s${delimiter === '|' ? '|' : ',;'}]+|[\\s,;|]+$`, 'g'),
      '',
    );
    if (isGap(bare)) continue;
    const isNext = line > previous + 1 || blocks.length === 0;
    if (isNext) blocks.push({ line, items: [] });
    blocks.at(-1)?.items.push(readItem(bare));
    previous = line;
  }
  return blocks;
}

const isAddress = ({ text }: Item): boolean =>
  isEmailCell(text) || isPhoneCell(text) || isUrlCell(text) || readMailbox(text) !== null;

/** Whether a block begins with a name alone and has an email, a page or a phone below it. */
function isContact({ items }: Block): boolean {
  const [first] = items;
  if (first === undefined || items.length < linesMin || items.length > linesMax) return false;
  const mayBeName = isFullName(first.text) || hasCompanyWord(first.text);
  const isNamed = first.label === '' && (mayBeName || readMailbox(first.text) !== null);
  const mailboxes = items.filter(({ text }) => readMailbox(text) !== null).length;
  return isNamed && mailboxes < 2 && (mailboxes === 1 || items.slice(1).some(isAddress));
}

/** Whether the lines are such blocks, at least two. */
export function areBlocks(lines: readonly Line[], delimiter: string): boolean {
  if (lines.some(({ cells }) => countKnown(cells) > 1)) return false;
  const wide = lines.filter(({ cells }) => cells.filter((cell) => cell.trim() !== '').length > 1);
  if (delimiter !== ' ' && wide.length * 2 > lines.length) return false;
  const blocks = readBlocks(lines, delimiter);
  return blocks.length > 1 && blocks.filter(isContact).length >= blocks.length * contactShare;
}

/** The column of a line that says by its form what it is; null for other texts. */
function nameOfForm({ label, text }: Item): string | null {
  if (label !== '') return label;
  if (isEmailCell(text)) return 'Email';
  if (isUrlCell(text)) return isMemberPage(text) ? 'LinkedIn' : 'Website';
  return isPhoneCell(text) ? 'Phone' : null;
}

/** The columns of the other lines: the name comes first, unless a company does. */
function nameTexts(texts: readonly string[]): [name: string, text: string][] {
  const isSwapped =
    hasCompanyWord(texts[0] ?? '') && isFullName(texts[1] ?? '') && !hasTitleWord(texts[1] ?? '');
  const nameAt = isSwapped ? 1 : 0;
  const rest = texts.filter((text, at) => at !== nameAt && !/\d/.test(text));
  const company =
    rest.find(hasCompanyWord) ??
    rest.filter((text) => !hasTitleWord(text)).at(rest.length > 1 ? 1 : 0) ??
    rest.find((text) => !hasTitleWord(text));
  const title = rest.find((text) => text !== company);
  return texts.map((text, at) => {
    if (at === nameAt) return ['Full name', text];
    if (text === company) return ['Company', text];
    return [text === title && hasTitleWord(text) ? 'Job title' : 'Address', text];
  });
}

/** A line for each contact, below a line with the names of the columns. */
export function turnBlocks(lines: readonly Line[], delimiter: string): Line[] {
  const contacts = readBlocks(lines, delimiter).map(({ line, items }) => {
    const cells = new Map<string, string>();
    const texts: string[] = [];
    for (const item of items) {
      const name = nameOfForm(item);
      const mailbox = name === null ? readMailbox(item.text) : null;
      if (name !== null) cells.set(numberName(name, cells), item.text);
      else if (mailbox !== null) {
        texts.push(mailbox.name);
        cells.set(numberName('Email', cells), mailbox.email);
      } else texts.push(item.text);
    }
    for (const [name, text] of nameTexts(texts)) cells.set(numberName(name, cells), text);
    return { line, cells };
  });
  const names = [...new Set(['Full name', ...contacts.flatMap(({ cells }) => [...cells.keys()])])];
  const rows = contacts.map(({ line, cells }) => ({
    line,
    cells: names.map((name) => cells.get(name) ?? ''),
  }));
  return [{ line: 1, cells: names }, ...rows];
}

export const blocksMessage =
  'The lines between two empty ones were read as a contact. If that is wrong, choose line 1 as ' +
  'the line of the column names.';

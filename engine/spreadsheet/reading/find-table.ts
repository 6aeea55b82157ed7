// Finds the table in the lines of a file: the column names, which may be below notes and above
// units, and the lines between and below the rows that are no rows.
import {
  footerLinesMax,
  headerLinesMax,
  valueCharactersMax,
} from '../../contract/limits/spreadsheet.ts';
import type { OtherLineKind, Reading } from '../../contract/reading/reading.ts';
import { isEmailCell, isPhoneCell, isUrlCell } from '../column-values.ts';
import { foldWords, readHeader } from '../read-header.ts';
import { readsLikeContact } from './first-row.ts';
import {
  canBeName,
  canNameCompany,
  isHeadingPair,
  isHeadingText,
  isNumbered,
  isPageNumber,
} from './heading-lines.ts';
import type { RowLinks } from './row-links.ts';

export interface Line {
  readonly cells: string[];
  readonly line: number;
  readonly links?: RowLinks | undefined;
  /** The cells as formatRecord writes them, if the source has this text. */
  readonly written?: string | undefined;
}

export interface SetAside extends Line {
  readonly kind: OtherLineKind;
}

export interface FoundTable {
  readonly headerLine: number | null;
  /** The column names; the first row if the list has none. */
  readonly header: readonly string[];
  /** The line of the column names as it is written, below a line of groups. */
  readonly names?: readonly string[] | undefined;
  readonly setAside: readonly SetAside[];
  readonly rows: readonly Line[];
}

export interface FindOptions {
  readonly header: Reading['header'];
  /** The line of the column names, if the user said it. */
  readonly headerLine?: number | undefined;
}

/** Longer texts are no column names. */
const nameCharactersMax = 120;
const columnsLookedAt = 200;

const isFilled = (cell: string): boolean => cell.trim() !== '';

const foldCell = (cell: string): string => cell.trim().toLowerCase();

const countFilled = (cells: readonly string[]): number => cells.filter(isFilled).length;

const numberPattern = /^[-+(]*[\p{Sc}#]?\s*\d[\d.,'\s]*(?:%|\)|\p{Sc}|[a-z]{1,3})?$/iu;
const datePattern = /^\d{1,4}[-./]\d{1,2}[-./]\d{1,4}(?:[ T]\d.*)?$/;

const isContactValue = (cell: string): boolean =>
  isEmailCell(cell) || isUrlCell(cell) || isPhoneCell(cell);

/** Whether a cell is a value by its form, so that it is no column name. */
export const isValue = (cell: string): boolean =>
  isContactValue(cell) || numberPattern.test(cell.trim()) || datePattern.test(cell.trim());

/** Different columns whose name is known without doubt. */
export function countKnown(cells: readonly string[]): number {
  const keys = new Set<string>();
  for (const cell of cells.slice(0, columnsLookedAt)) {
    if (!isFilled(cell) || cell.length > nameCharactersMax) continue;
    const meaning = readHeader(cell);
    if (meaning !== null && meaning.doubt === 0) keys.add(meaning.key);
  }
  return keys.size;
}

const isSameRow = (first: readonly string[], second: readonly string[]): boolean =>
  first.every((cell, at) => foldCell(cell) === foldCell(second[at] ?? ''));

const hasNames = ({ known, isText }: LineFacts): boolean => known > 1 && isText;

/** Whether a filled cell occurs in its column in another line, as values do. */
const isCategory = (lines: readonly Line[], facts: readonly LineFacts[], at: number): boolean => {
  const cells = lines[at]?.cells ?? [];
  // The names of a narrower table, or of another section, are no values of this one.
  const others = lines.filter(
    (line, place) =>
      place !== at &&
      !hasNames(facts[place]!) &&
      countFilled(line.cells) * 2 > countFilled(cells) &&
      !isSameRow(cells, line.cells),
  );
  return cells.some(
    (cell, column) =>
      isFilled(cell) &&
      others.some((line) => foldCell(line.cells[column] ?? '') === foldCell(cell)),
  );
};

/** A line of a printed table: "+-----+-----+". */
const isRule = (cells: readonly string[]): boolean =>
  /^[\s+|:=_-]{3,}$/.test(cells.join('')) && cells.join('').trim().length > 2;

/** The letters that a spreadsheet shows above its columns: "A", "B", "C", above its row numbers. */
function areLetters(cells: readonly string[]): boolean {
  const [corner = '', ...letters] = cells;
  const filled = corner === '' ? letters : cells;
  return filled.length > 1 && filled.every((cell, at) => cell === nameLetters(at));
}

/** "A" of 0, "Z" of 25, "AA" of 26. */
const nameLetters = (at: number): string =>
  (at > 25 ? nameLetters(Math.floor(at / 26) - 1) : '') + String.fromCharCode(65 + (at % 26));

/** How programs start a comment. */
export const commentStart = /^\s*(?:#+(?:\s|$)|\/\/|(?:[~%!]+|--)\s)/;

/** A comment of a program: "# exported by …", unless it has column names. */
const isComment = (cells: readonly string[]): boolean =>
  commentStart.test(cells[0] ?? '') && cells[0] !== '#' && countKnown(cells) < 2;

interface LineFacts {
  readonly filled: number;
  readonly known: number;
  /** Whether no cell is a value by its form. */
  readonly isText: boolean;
  readonly hasContact: boolean;
}

/** Rows of full width before a line: the list has then already begun. */
const rowsAboveMax = 3;

/** Whether the lines above one can be notes: none is a contact, and few are as wide. */
function canBeNotes(facts: readonly LineFacts[], { filled }: LineFacts): boolean {
  const wide = facts.filter((above) => above.filled > 1 && above.filled * 2 >= filled);
  if (wide.some(({ hasContact }) => hasContact)) return false;
  return wide.filter((above) => above.filled * 5 >= filled * 4).length <= rowsAboveMax;
}

/** The line with the most known names, if there are two; null without one. */
function findKnownNames(lines: readonly Line[], facts: readonly LineFacts[]): number | null {
  let best: number | null = null;
  for (const [at, fact] of facts.entries()) {
    const isBetter = best === null || fact.known > (facts[best]?.known ?? 0);
    if (fact.known < 2 || !fact.isText || !isBetter) continue;
    const above = facts.slice(0, at);
    // "Attendee Details" below the section of the hosts.
    const isTitled = above.at(-1)?.filled === 1 && above.some(hasNames);
    if (at > 0 && !isTitled && !canBeNotes(above, fact)) continue;
    if (at > 0 && isCategory(lines, facts, at)) continue;
    best = at;
  }
  return best;
}

/** The number of cells that rows of the list fill: the second largest, as one line may be odd. */
const findReach = (lines: readonly Line[]): number => {
  const counts = lines.map(({ cells }) => countFilled(cells)).sort((one, other) => other - one);
  return counts[counts.length > 2 ? 1 : 0] ?? 0;
};

/** Whether a cell is a sentence or a caption, and no name: "Exported for the fair:". */
const isSentence = (cell: string): boolean => {
  const words = cell.trim().split(/\s+/).length;
  return words > 5 || (words > 2 && /[.:!?]$/.test(cell.trim()));
};

function isNote({ cells }: Line, { filled, known, hasContact }: LineFacts, reach: number): boolean {
  if (isComment(cells) || isRule(cells)) return true;
  if (known > 0 || hasContact) return false;
  if (filled === 0) return true;
  if (filled === 1) return reach > 2 || cells.some(isSentence);
  // "Report date: | 2024-01-31", next to a table that is at least twice as wide.
  return filled * 2 <= reach && cells.some((cell) => /:\s*$/.test(cell) || isValue(cell));
}

function findFirstFull(lines: readonly Line[], facts: readonly LineFacts[], reach: number): number {
  // "My list" above the one column "Email".
  const named = facts.findIndex(({ known }) => known > 0);
  if (reach === 1)
    return named > 0 && !facts.slice(0, named).some(({ hasContact }) => hasContact) ? named : 0;
  const at = facts.findIndex((fact, place) => {
    const line = lines[place];
    return line !== undefined && !isNote(line, fact, reach);
  });
  const found = facts[at];
  // A row of numbers has no names: what is above it is kept, for the user to decide.
  return found !== undefined && (found.isText || found.hasContact) ? at : 0;
}

const unitPattern =
  /^(?:[([].{1,40}[)\]]|#|%|\p{Sc}|eur|usd|gbp|chf|jpy|[kmt]?(?:€|\$|£)|(?:in )?(?:k|m|mio|tsd|th)\.? ?(?:eur|usd|gbp|chf|€|\$)|pcs|stk|units?|days?|tage|years?|jahre|kg|km|mm?|cm|hours?|h|text|string|str|varchar|char|number|numeric|integer|int|float|decimal|boolean|bool|date|datetime|email|url|phone|list|enum|required|optional|mandatory|pflicht(?:feld)?|optionnel|obligatoire|obligatorio|opcional|yyyy-mm-dd|dd[./]mm[./]yyyy|mm\/dd\/yyyy|tt\.mm\.jjjj)\.?\*?$/iu;

/** A name without spaces and signs: "Recipient Email" is "recipientemail". */
const foldName = (name: string): string => foldWords(name).replaceAll(' ', '');
const answerWord =
  /^(?:open-ended )?(?:response|answer|antwort|réponse|respuesta|risposta|resposta)$/i;

function hasQuestions(
  filled: readonly string[],
  cells: readonly string[],
  header: readonly string[],
) {
  if (filled.length < 2) return false;
  if (filled.every((cell) => /^\{"\w+":.*\}$/.test(cell) || answerWord.test(cell))) return true;
  if (cells.some(isValue)) return false;
  const same = cells.filter(
    (cell, at) => isFilled(cell) && foldName(cell) === foldName(header[at] ?? ''),
  );
  return same.length * 2 > filled.length;
}

/** How many lines below the column names explain them at most. */
const explainingLinesMax = 3;

/** Whether a line below the column names explains them: units, types, questions, numbers. */
function explainsNames(cells: readonly string[], header: readonly string[]): boolean {
  const filled = cells.map((cell) => cell.trim()).filter(Boolean);
  if (filled.length === 0) return false;
  // A rule of a printed table: "-----|------".
  if (filled.every((cell) => /^[:+]?[-=_]+[:+]?$/.test(cell))) return true;
  if (hasQuestions(filled, cells, header)) return true;
  if (filled.every((cell) => unitPattern.test(cell)))
    return filled.length > 1 || countFilled(header) > 2;
  const isNumbered = filled.length > 2 && filled.length === countFilled(header);
  return isNumbered && filled.every((cell, at) => cell === String(at + 1));
}

function namesGroups(above: Line, names: Line): boolean {
  const groups = above.cells;
  const filled = countFilled(groups);
  if (filled === 0 || filled > countFilled(names.cells) || groups.some(isValue)) return false;
  if (isRule(groups) || isComment(groups) || areLetters(groups)) return false;
  const first = groups.findIndex(isFilled);
  // One cell at the start is a title, unless its column has no name of its own.
  return filled > 1 || first > 0 || !isFilled(names.cells[first] ?? '');
}

/** What a company has as well as its contact: a place and a phone. */
const sharedKeys = /^(?:phone|street|city|state|postal_code|country|location)$/;

/** A repeated name gets its group's, as does a place or a phone below "Company". */
function joinGroups(groups: readonly string[], names: readonly string[]): string[] {
  const width = Math.max(groups.length, names.length);
  const folded = names.map(foldCell);
  const joined: string[] = [];
  let group = '';
  for (let at = 0; at < width; at++) {
    const own = (groups[at] ?? '').trim();
    const name = (names[at] ?? '').trim();
    if (own !== '') group = own;
    const isRepeated = folded.indexOf(foldCell(name)) !== folded.lastIndexOf(foldCell(name));
    const isOfCompany = keyOf(group) === 'company' && sharedKeys.test(keyOf(name));
    if (name === '') joined.push(own);
    else if ((isRepeated || isOfCompany) && group !== '' && foldCell(group) !== foldCell(name))
      joined.push(`${group} ${name}`);
    else joined.push(names[at] ?? '');
  }
  return joined;
}

/** The lines above one, without empty ones. */
const listAbove = (lines: readonly Line[], at: number): SetAside[] =>
  lines
    .slice(0, at)
    .filter(({ cells }) => cells.some(isFilled))
    .map((line) => ({ ...line, kind: 'above_header' }));

const numberName = /^\s*(?:#|n[or°º]?|num|numm?er|number|numero|lfd|pos|row|index|idx|id)\b/i;

/**
 * Whether each row begins with its number, in a column that has no name: as R writes tables. Then
 * the rows have a cell more than there are names.
 */
function areNumbered(rows: readonly Line[], names: readonly string[]): boolean {
  const width = names.findLastIndex(isFilled) + 1;
  const [first = ''] = names;
  if (width < 2 || rows.length < 2 || numberName.test(first)) return false;
  // With a cell for an empty name at the end, only a name that is known is surely in a wrong place.
  if (width < names.length && readHeader(first)?.doubt !== 0) return false;
  return (
    rows.every(({ cells }) => cells.findLastIndex(isFilled) <= width) &&
    rows.some(({ cells }) => isFilled(cells[width] ?? '')) &&
    rows.every(({ cells }) => cells.length > width) &&
    rows.every(({ cells }, at) => Number(cells[0]) === Number(rows[0]?.cells[0]) + at)
  );
}

function describeHeader(lines: readonly Line[], at: number): FoundTable {
  const names = lines[at];
  if (names === undefined) return { headerLine: null, header: [], setAside: [], rows: [] };
  const above = lines[at - 1];
  const joined =
    above !== undefined && namesGroups(above, names)
      ? joinGroups(above.cells, names.cells)
      : names.cells;
  const setAside = listAbove(lines, at);
  let rows = lines.slice(at + 1);
  const header = areNumbered(rows, joined)
    ? ['', ...joined.slice(0, joined.findLastIndex(isFilled) + 1)]
    : joined;
  for (let count = 0; count < explainingLinesMax; count++) {
    const [below] = rows;
    if (rows.length < 2 || below === undefined || !explainsNames(below.cells, header)) break;
    setAside.push({ ...below, kind: 'below_header' });
    rows = rows.slice(1);
  }
  return { headerLine: names.line, header, names: names.cells, setAside, rows };
}

/** A list without column names, which begins at a line. */
const describeRows = (lines: readonly Line[], at: number): FoundTable => ({
  headerLine: null,
  header: lines[at]?.cells ?? [],
  setAside: listAbove(lines, at),
  rows: lines.slice(at),
});

/**
 * Finds the table in the first lines of a file. The column names are those of the line that has the
 * most known names, if there are two; otherwise those of the first line that is as wide as the
 * rows.
 */
export function findTable(lines: readonly Line[], options: FindOptions): FoundTable {
  const { header, headerLine } = options;
  if (headerLine !== undefined) {
    const at = lines.findIndex(({ line }) => line >= headerLine);
    return describeHeader(lines, at < 0 ? lines.length - 1 : at);
  }
  if (header === 'no') return describeRows(lines, 0);
  const looked = lines.slice(0, headerLinesMax);
  const aside: LineFacts = { filled: 1, known: 0, isText: true, hasContact: false };
  // Each row of a grid begins with its number.
  const isGrid = looked.some(({ cells }) => cells[0] === '' && areLetters(cells));
  const facts = looked.map((line): LineFacts => {
    const { cells } = isGrid ? dropNumber(line) : line;
    if (isComment(cells) || isRule(cells) || areLetters(line.cells)) return aside;
    return {
      filled: countFilled(cells),
      known: countKnown(cells),
      isText: !cells.some(isValue),
      hasContact: cells.some(isContactValue),
    };
  });
  const known = findKnownNames(looked, facts);
  if (known !== null)
    return describeHeader(
      lines.map((line, at) => (isGrid && at === known ? dropNumber(line) : line)),
      known,
    );
  const at = findFirstFull(looked, facts, findReach(lines));
  const below = lines.slice(at + 1).map(({ cells }) => cells);
  const first = lines[at]?.cells ?? [];
  // Names of columns alone are no list.
  const isOnlyLine = lines.length === 1 && countKnown(first) === 0;
  const isContact = header === 'auto' && (isOnlyLine || readsLikeContact(first, below));
  return isContact ? describeRows(lines, at) : describeHeader(lines, at);
}

/** A line of a grid without the number of its row. */
const dropNumber = (line: Line): Line =>
  /^\d+$/.test(line.cells[0] ?? '') ? { ...line, cells: line.cells.with(0, '') } : line;

const totalPhrases = (
  'total|totals|sum|summe|gesamt|gesamtsumme|gesamtergebnis|gesamtzahl|zwischensumme|teilsumme|' +
  'endsumme|insgesamt|total général|total general|sous-total|soustotal|somme|totale|subtotale|' +
  'totale generale|totale complessivo|suma|totaal|subtotaal|eindtotaal|tussentotaal|razem|ogółem|' +
  'łącznie|celkem|mezisoučet|spolu|összesen|végösszeg|totalt|i alt|summa|yhteensä|toplam|' +
  'genel toplam|ara toplam|ukupno|skupaj|kokku|kopā|iš viso|samtals|σύνολο|γενικό σύνολο|общо|' +
  'итого|всего|усього|разом|tổng|tổng cộng|jumlah|รวม|סה"כ|الإجمالي|المجموع|合計|小計|小计|总计|總計|合计|' +
  '합계|총계|소계'
).split('|');
const totalWords = `(?:(?:grand|sub|over-?all|report)[\\s-]*)?totals?|${totalPhrases.join('|')}`;

/** Words before the name of a group: "Subtotal Ola", "Total for Ola". */
const groupTotal = new RegExp(
  `^\\s*(?:sub[\\s-]?totals?|zwischensumme|sous-?total|totaux?\\s+pour|(?:${totalWords})\\s+` +
    '(?:for|of|für|von|pour|de|por|per|voor|dla))\\b',
  'iu',
);
/** "Ola Total", below the rows of the group, as Excel writes it. */
const totalOfGroup = new RegExp(`^(.+?)\\s+(?:${totalWords}|ergebnis|count|anzahl)\\s*$`, 'iu');
/** "Total North" */
const totalBefore = new RegExp(`^\\s*(?:${totalWords})\\s+(.+)$`, 'iu');
/** "North Total" alone; people and companies are called Sum. */
const groupTotalAlone = new RegExp(
  `\\s(?:${totalWords.replace(/\|(?:sum|summa|suma|spolu)(?=\|)/g, '')})\\s*$`,
  'iu',
);
/** A group and the number of its rows: "Ola Ltd (2 records)". */
const groupCount =
  /^.{1,80}\(\d{1,6}(?:\s+(?:records?|rows?|contacts?|people|entries|datensätze|einträge|kontakte|contacts|registros|contatti))?\)\s*$/iu;

/** "Total", "Grand Totals (2 records)", "Summe: 1.234". */
const totalPattern = new RegExp(`^\\s*(?:${totalWords})\\s*(?:[:=(\\[].*|\\d[\\d.,'\\s]*)?$`, 'iu');
/** A total that no company or person is called: it has a count, or two words. */
const plainTotalPattern = new RegExp(
  `^\\s*(?:(?:grand|sub|report)[\\s-]*totals?\\b.*|(?:${totalWords})\\s*[:=(\\[]?\\s*\\d.*)$`,
  'iu',
);
const countWords =
  /^(?:count|sum|average|avg|min|max|records?|rows?|contacts?|anzahl|summe|mittelwert|nombre|somme|moyenne|cuenta|suma|promedio|n\/a|-)\.?:?$/i;

/** Words of lines that programs write below a report. */
const footerPattern = new RegExp(
  [
    '^\\s*(?:©|\\(c\\)\\s|copyright\\b)',
    '\\ball rights reserved\\b|\\balle rechte vorbehalten\\b|\\btous droits réservés\\b|' +
      '\\btodos los derechos reservados\\b',
    '^\\s*(?:strictly\\s+)?confidential(?:\\s+information\\b|\\s*[-–—:.]|\\s+and\\b|\\s*$)',
    '^\\s*(?:streng\\s+)?vertraulich\\b|^\\s*confidentiel\\b|^\\s*confidencial\\b|^\\s*riservato\\b|^\\s*vertrouwelijk\\b',
    '^\\s*(?:report\\s+|this (?:report|list|file) was\\s+)?(?:generated|exported|created|printed|produced|downloaded)\\s+(?:by|on|at|from|with|using)\\b',
    '^\\s*(?:erstellt|exportiert|gedruckt|erzeugt)\\s+(?:am|von|mit|um)\\b',
    '^\\s*(?:généré|exporté|créé|imprimé)\\s+(?:le|par|avec)\\b',
    '^\\s*(?:generado|exportado|creado|impreso)\\s+(?:el|por|con)\\b',
    '^\\s*(?:generato|esportato|creato)\\s+(?:il|da|con)\\b',
    '^\\s*-{0,3}\\s*(?:end of (?:report|list|file|document|data)|' +
      'ende (?:der liste|des berichts)|fin (?:du rapport|del informe))\\b',
    '^\\s*\\(?\\d[\\d.,]*\\s+(?:records?|rows?|contacts?|results?|entries|leads?|people|datensätze|zeilen|kontakte|einträge|lignes|enregistrements|registros|filas)(?:\\s+(?:affected|selected|found|exported|total|gefunden|exportiert))?\\s*\\)?\\.?\\s*$',
    // The end of a file of DOS, a line of a printed table, and comments of programs.
    '^(?:\\u001a|[-=_+|: ]{3,})\\s*$',
    '^\\s*(?:#+|//)\\s+\\p{L}',
    '^\\s*(?:total|sum|number of|count of|anzahl|nombre de|n[úu]mero de|numero di|aantal|liczba|' +
      'records?|rows?|contacts?)\\b[\\p{L} ]{0,30}[:=]\\s*\\d[\\d.,\\s]*$',
    '^\\s*(?:source|quelle|fuente|fonte|bron)\\s*:',
    '^\\s*(?:as of|stand)\\s*:?\\s+\\d',
    '^\\s*(?:applied filters|angewendete filter|filtres appliqués|filtros aplicados)\\s*:',
    '^\\s*report (?:name|type|date|run)\\b.*[:\\d]',
  ].join('|'),
  'iu',
);

const isClosing = (text: string): boolean =>
  totalPattern.test(text) || isSentence(text) || datePattern.test(text.trim());

const space = 32;
const byteOrderMark = 0xfeff;

/** The first two letters of a text, as a number. */
const startOf = (text: string): number => text.charCodeAt(0) * 65_536 + text.charCodeAt(1);
const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const totalStarts = new Set(
  [...totalPhrases, 'grand', 'sub', 'over', 'report', 'totaux']
    .flatMap((phrase) => [phrase, capitalize(phrase), phrase.toUpperCase()])
    .map(startOf),
);
/** Most rows are no totals by their first letters, which is faster than the pattern. */
const mayBeTotal = (text: string): boolean =>
  text.charCodeAt(0) === space || totalStarts.has(startOf(text));

/** Columns whose cell alone may say who is meant: names, and addresses with the caller's id. */
const nameKeys =
  /^(?:(?:first|last|full|middle)_name|name|nickname|contact|client|company|legal_name)/;
const addressKeys = /^(?:email|profile|url|website|domain|phone|mobile|direct|id|work|private)/;
/** Columns of which a contact fills the cell with a value of its form. */
const contactKeys = /^(?:email|profile|url|website|domain|phone|mobile|direct)/;
const companyKeys = /^(?:company|legal_name)/;
/** Columns that lists of companies have, and those that lists of people have. */
const factsOfCompanies = /^(?:domain|website|industry|employees|revenue)/;
const factsOfPeople = /^(?:first|last|full|middle|email|profile|title|company)/;
const keyOf = (header: string | undefined): string => readHeader(header ?? '')?.key ?? '';

/** Whether a column says who a row is of, or something unknown. */
const maySayWho = (key: string): boolean =>
  key === '' || nameKeys.test(key) || addressKeys.test(key);

/** Whether a line with one cell names the group of the next row, which repeats it in a column. */
function namesGroupOf(
  header: readonly string[],
  { cells }: Line,
  next: readonly string[],
): boolean {
  const column = cells.findIndex(isFilled);
  const text = foldCell(cells[column] ?? '');
  const mayBeWho = maySayWho(keyOf(header[column]));
  return next.some((cell, at) => !(at === column && mayBeWho) && foldCell(cell) === text);
}

export interface RowSorter {
  /** Whether a record is a row, as almost all are. If not, it may still be one: call `take`. */
  isPlainRow(cells: readonly string[], line: number): boolean;
  /** Passes rows on, and lines that are no rows; either may come later than its line. */
  take(line: Line): void;
  end(): void;
}

/**
 * Creates a sorter of the lines of one table. A line with one cell waits for the next row: at the
 * end of the file, or before a footer, it may be a part of the footer.
 */
export function createRowSorter(
  { headerLine, header, names = header, setAside, rows }: FoundTable,
  onRow: (line: Line) => void,
  onOther: (line: SetAside) => void,
): RowSorter {
  const hasHeader = headerLine !== null;
  const firstName = header.findIndex(isFilled);
  const firstNameText = header[firstName] ?? '';
  const isNarrow = countFilled(header) < 2;
  const narrowKey = isNarrow ? keyOf(header[firstName]) : '';
  const keys = header.map(keyOf);
  const knowsContacts =
    !hasHeader || keys.some((key) => nameKeys.test(key) || addressKeys.test(key));
  const isOfCompanies =
    keys.some((key) => factsOfCompanies.test(key)) && !keys.some((key) => factsOfPeople.test(key));
  const counts = rows.map(({ cells }) => countFilled(cells));
  const fillsSeveral =
    !isNarrow &&
    counts.filter((count) => count > 1).length >= counts.filter((count) => count === 1).length;
  const groupLines = setAside.map(({ cells }) => cells).filter((cells) => countFilled(cells) > 1);
  let waiting: Line[] = [];
  /** Whether a footer or repeated names came after the last row. */
  let isAfterEnd = false;
  let lastLine = headerLine ?? 0;
  let lastCells: readonly string[] = [];
  /** The last text of the first column that is no total: a group may stand above its rows. */
  let lastGroup = '';
  let isInOtherTable = false;

  /** Whether a waiting line is apart from the rows: below a gap, or without their cells. */
  const isApart = ({ cells, line }: Line, previous: number): boolean =>
    line > previous + 1 || cells.length < header.length;

  /** Passes the waiting lines on, as rows unless they belong to a footer or name a group. */
  function passWaiting(isEnd: boolean, next: readonly string[] = []): void {
    if (waiting.length === 0) return;
    const lines = waiting;
    waiting = [];
    let isFooter = isAfterEnd;
    let previous = lastLine;
    for (const line of lines) {
      const text = line.cells.find(isFilled) ?? '';
      isFooter ||= isEnd && (isApart(line, previous) || text === '' || totalPattern.test(text));
      // An empty row is a gap, too.
      if (text !== '') previous = line.line;
      if (text === '') {
        // A list of one column may be written next to another one, line for line.
        if (!isFooter && (isNarrow || line.links)) onRow(line);
        else if (!isFooter) onOther({ ...line, kind: 'empty' });
      } else if (isFooter) onOther({ ...line, kind: 'footer' });
      else if (namesGroupOf(header, line, next) || !canBeContact(line)) {
        onOther({ ...line, kind: 'no_contact' });
      } else onRow(line);
    }
    if (isFooter) isAfterEnd = true;
  }

  function setAsideLine(line: Line, kind: OtherLineKind): void {
    const isEnd = kind !== 'total' && kind !== 'no_contact';
    passWaiting(isEnd);
    isAfterEnd ||= isEnd;
    lastLine = line.line;
    onOther({ ...line, kind });
  }

  function passRow(line: Line): void {
    isAfterEnd = false;
    if (waiting.length > 0) passWaiting(false, line.cells);
    lastLine = line.line;
    lastCells = line.cells;
    onRow(line);
  }

  /** Whether the only cell of a line can be all that a list knows of a contact. */
  function canBeContact({ cells, links }: Line): boolean {
    const column = cells.findIndex(isFilled);
    const text = (cells[column] ?? '').slice(0, valueCharactersMax);
    if (isContactValue(text) || links) return true;
    if (!knowsContacts) return true;
    const key = keyOf(header[column]);
    // A group stands in the first column or in one of names. A row of which only a team or a city
    // is known stays a row.
    if (column > 0 && !nameKeys.test(key)) return true;
    const namesCompany = companyKeys.test(key) || (isOfCompanies && nameKeys.test(key));
    const mayBeName = namesCompany
      ? canNameCompany(text, !fillsSeveral)
      : key === 'last_name' && canBeName(text);
    if (isHeadingText(text) && !mayBeName) return false;
    if (!fillsSeveral || key === '' || addressKeys.test(key)) return true;
    return nameKeys.test(key) && canBeName(text);
  }

  /** Whether a line repeats the column names, perhaps behind the mark of a joined file. */
  function isHeaderAgain(cells: readonly string[]): boolean {
    if (!hasHeader) return false;
    if (groupLines.length > 0 && isSameRow(names, cells)) return true;
    const first = cells[firstName];
    if (first === firstNameText) return isSameRow(header, cells);
    if (first?.charCodeAt(0) !== byteOrderMark || first.slice(1) !== firstNameText) return false;
    return isSameRow(header, cells.with(firstName, firstNameText));
  }

  const beginsTable = ({ cells, line }: Line): boolean =>
    hasHeader &&
    line > lastLine + 1 &&
    !cells.some(isValue) &&
    countKnown(cells) > 1 &&
    countKnown(cells) === countFilled(cells);

  /** The waiting lines with a text. Empty ones may be the end of a sheet, whatever their number. */
  let texts = 0;
  let emptyCells: string[] = [];

  function wait(line: Line): void {
    if (waiting.length === 0) texts = 0;
    const isEmpty = !line.cells.some(isFilled);
    if (!isEmpty) texts++;
    if (isEmpty && !line.links) {
      // A sheet may have a million of them.
      if (line.cells.length !== emptyCells.length) emptyCells = line.cells;
      waiting.push({ cells: emptyCells, line: line.line });
    } else waiting.push(line);
    if (texts > footerLinesMax) passWaiting(false);
  }

  /** Whether a line has names of another table, below a gap and its title. */
  const beginsSection = ({ cells }: Line): boolean =>
    hasHeader &&
    waiting.some(({ cells: above, line }) => line > lastLine + 1 && above.some(isFilled)) &&
    countFilled(cells) > 1 &&
    countFilled(cells) !== countFilled(header) &&
    !cells.some(isValue) &&
    countKnown(cells) > 0;

  function isTotalAlone(text: string): boolean {
    if (plainTotalPattern.test(text) || groupCount.test(text)) return true;
    if (isNarrow) return totalPattern.test(text) && !/^company|^client/.test(narrowKey);
    const group = totalBefore.exec(text)?.[1];
    if (group !== undefined && isHeadingText(group)) return true;
    return totalPattern.test(text) || groupTotal.test(text) || groupTotalAlone.test(text);
  }

  function takeSingle(line: Line, cell: string): void {
    const text = cell.slice(0, valueCharactersMax);
    if (footerPattern.test(text) || isPageNumber(text)) setAsideLine(line, 'footer');
    else if (isTotalAlone(text)) setAsideLine(line, 'total');
    else if (isContactValue(text) || isNarrow) passRow(line);
    else wait(line);
  }

  /** Whether a line has a heading in two cells, or repeated in all: "Region | North". */
  function isWideHeading(cells: readonly string[], first: number): boolean {
    const filled = cells.map((cell) => cell.trim()).filter(Boolean);
    const [name = '', value = ''] = filled;
    if (!knowsContacts || cells.length > header.length || filled.some(isContactValue)) return false;
    if (filled.length > 2)
      return name.length > 1 && filled.every((cell) => cell === name) && isHeadingText(name);
    if (header.length < 4 || first > 1 || !isHeadingPair(name, value)) return false;
    const second = cells.findIndex((cell, at) => at > first && isFilled(cell));
    const [nameKey, valueKey] = [keyOf(header[first]), keyOf(header[second])];
    // People and companies are called List and Branch, but no given name is such a word.
    if (nameKey === 'first_name') return isNumbered(value) || isHeadingText(value);
    return !maySayWho(nameKey) || contactKeys.test(valueKey);
  }

  /** Whether a line is a total: its first cell says so, and no other cell is a text. */
  function isTotal(cells: readonly string[], first: number): boolean {
    const text = (cells[first] ?? '').slice(0, valueCharactersMax);
    const group = first === 0 ? lastGroup : (lastCells[first] ?? '');
    // Almost no cell is its neighbour with a word behind it.
    const isOfGroup =
      text.charCodeAt(group.length) === space &&
      text.startsWith(group) &&
      totalOfGroup.exec(text)?.[1] === group;
    const saysSo = mayBeTotal(text) && (totalPattern.test(text) || groupTotal.test(text));
    if (!saysSo && !isOfGroup) return false;
    return cells
      .slice(first + 1)
      .map((cell) => cell.trim())
      .every((cell) => cell === '' || numberPattern.test(cell) || countWords.test(cell));
  }

  /** Whether a line is a footer whose text has the delimiter. */
  const isSplitFooter = (cells: readonly string[]): boolean =>
    cells.length * 2 <= header.length &&
    footerPattern.test((cells[0] ?? '').slice(0, valueCharactersMax));

  // Rows of a list with a line of groups are compared with it.
  const canBePlain = groupLines.length === 0 && header.length > 1;
  return {
    isPlainRow(cells, line) {
      const text = cells[0];
      if (!canBePlain || text === undefined || text === '' || cells[1] === '') return false;
      if (waiting.length > 0 || isInOtherTable || line !== lastLine + 1) return false;
      if (cells[2] === '' || cells[1] === text) return false;
      const name = cells[firstName];
      if (cells.length !== header.length || name === firstNameText) return false;
      if (mayBeTotal(text) || text.charCodeAt(lastGroup.length) === space) return false;
      if (name?.charCodeAt(0) === byteOrderMark) return false;
      isAfterEnd = false;
      lastLine = line;
      lastCells = cells;
      lastGroup = text;
      return true;
    },
    take(line) {
      const { cells } = line;
      let first = 0;
      while (first < cells.length && cells[first] === '') first++;
      let second = first + 1;
      while (second < cells.length && cells[second] === '') second++;
      isInOtherTable ||= line.line > lastLine + 1 && (beginsTable(line) || beginsSection(line));
      if (isHeaderAgain(cells)) {
        isInOtherTable = false;
        setAsideLine(line, 'repeated_header');
      } else if (isInOtherTable) setAsideLine(line, 'other_table');
      else if (second >= cells.length) {
        const text = cells[first] ?? '';
        if (isFilled(text)) takeSingle(line, text);
        // An empty row above a footer belongs to it.
        else wait(line);
      } else if (isTotal(cells, first)) setAsideLine(line, 'total');
      else if (isSplitFooter(cells)) setAsideLine(line, 'footer');
      else if (isWideHeading(cells, first)) setAsideLine(line, 'no_contact');
      else if (groupLines.length > 0 && groupLines.some((names) => isSameRow(names, cells)))
        setAsideLine(line, 'repeated_header');
      else passRow(line);
      const [text = ''] = cells;
      if (text !== '' && !isTotal(cells, 0)) lastGroup = text;
    },
    end() {
      const lastText = waiting.findLastIndex(({ cells }) => cells.some(isFilled));
      // A few are rows without values. A single column may have many.
      if (!isNarrow && waiting.length - lastText - 1 > footerLinesMax)
        waiting.length = lastText + 1;
      const isClosed = waiting.some(({ cells }) => isClosing(cells.find(isFilled) ?? ''));
      passWaiting(isClosed);
    },
  };
}

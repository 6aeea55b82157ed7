// The options of commands that read a list: which sheet, which column names, which lines.
import { EngineError } from '../../contract/errors.ts';
import { headerLinesMax } from '../../contract/limits/spreadsheet.ts';
import { encodingLabels } from '../../contract/reading/encoding-labels.ts';
import { type Encoding, encodingNames } from '../../contract/reading/encodings.ts';
import { groupRemarks, type LineRemark } from '../../contract/reading/group-remarks.ts';
import {
  extraCellsWords,
  type OtherLine,
  otherLineWords,
  quoteNames,
  type Reading,
  type ReadList,
  textBehindKind,
} from '../../contract/reading/reading.ts';
import { type Call, type Options, readOption } from './command.ts';
import { formatCount, formatNumber } from './format-text.ts';
import { badUsage } from './refusal.ts';

export const readingOptions: Options = {
  sheet: {
    value: 'NAME',
    summary: 'the sheet of a workbook; the first visible one with known names if omitted',
  },
  encoding: {
    value: 'NAME',
    summary: 'the encoding of a text file, such as windows-1250; found by the letters if omitted',
  },
  'header-line': {
    value: 'N',
    summary: `the line of the column names; found among the first ${headerLinesMax} if omitted`,
  },
  'no-header': { summary: 'the first line is a row, not column names' },
  'keep-other-lines': { summary: 'read totals, footers and repeated column names as rows' },
  'skip-bad-lines': { summary: 'leave out lines with more cells than columns' },
};

/** What to do about a list, by what was found in it: the same words in every command. */
export const readingHints = {
  otherLines:
    '--keep-other-lines keeps those below the column names, --header-line N names their line',
  severalPeople: '--split-people gives each of several people in a name cell a row',
  extraCells: 'Or leave such lines out with --skip-bad-lines.',
  unknownColumns:
    'Name columns with --mapping FILE, their line with --header-line N, or say with --no-header ' +
    'that the first line is a row.',
  letters: 'if they are wrong, choose with --encoding NAME',
  twoDays: '--dates day-first or --dates month-first says how the file writes dates',
} as const;

const unreadRemedies = {
  import: 'To read one, use --mapping FILE; to keep one as it is, --keep COLUMN.',
  mapping: 'They stay as they are; to read one, use --mapping FILE.',
  column: 'They stay as they are; to read another column, use --column C.',
} as const;

/** @param file its name, if a command reads several */
export function describeUnread(
  columns: readonly string[],
  remedy: keyof typeof unreadRemedies,
  file = '',
): string[] {
  if (columns.length === 0) return [];
  const start = file === '' ? '' : `${file}: `;
  return [`  ${start}columns not read: ${quoteNames(columns)}. ${unreadRemedies[remedy]}`];
}

/** Adds the options of a command to a refusal that another way of reading would change. */
export function hintAtOptions(error: unknown, { values }: Call): unknown {
  if (!(error instanceof EngineError)) return error;
  const missing = / has no column of (company )?/.exec(error.detail);
  const field = missing?.[1] ? 'name' : 'full_name';
  const unknownColumns =
    'no-header' in values
      ? `Name columns with --mapping FILE, such as {"${field}": "Column 1"}.`
      : readingHints.unknownColumns;
  const hint = error.detail.includes(extraCellsWords)
    ? readingHints.extraCells
    : missing && unknownColumns;
  return hint === null ? error : new EngineError(error.code, `${error.detail} ${hint}`);
}

function readHeaderLine(call: Call): number | undefined {
  const text = readOption(call, 'header-line');
  if (text === undefined) return undefined;
  const line = Number(text);
  if (Number.isInteger(line) && line >= 1 && line <= headerLinesMax) return line;
  throw badUsage(`--header-line ${text}: give a whole number from 1 to ${headerLinesMax}.`);
}

/** The encoding of --encoding, by any of its usual names. Throws bad usage. */
function readEncoding(call: Call): Encoding | undefined {
  const text = readOption(call, 'encoding')?.trim().toLowerCase();
  if (text === undefined) return undefined;
  const known = (name: string) => encodingNames.find((encoding) => encoding === name);
  const aliases: Readonly<Record<string, Encoding>> = {
    gbk: 'gb18030',
    'utf-16': 'utf-16le',
    'utf-32': 'utf-32le',
    utf32: 'utf-32le',
    mac: 'macintosh',
    cp932: 'shift_jis',
    cp936: 'gb18030',
    cp949: 'euc-kr',
    cp950: 'big5',
  };
  // "cp850", "IBM-850" and "850" are ibm850; "cp037" and "cp37" are ibm037.
  const page = /^(?:cp|ibm)?[-_ ]?0*(\d{2,4})$/.exec(text)?.[1]?.padStart(3, '0');
  const found = known(text) ?? aliases[text] ?? known(`ibm${page}`) ?? known(`windows-${page}`);
  if (found) return found;
  try {
    const standard = known(new TextDecoder(text).encoding);
    if (standard) return standard;
  } catch {
    // Not a name of the Encoding standard.
  }
  throw badUsage(`--encoding ${text}: use one of ${encodingNames.join(', ')}.`);
}

/** The options of reading a list. Throws bad usage. */
export function readReading(call: Call): Partial<Reading> {
  const sheet = readOption(call, 'sheet');
  const headerLine = readHeaderLine(call);
  const encoding = readEncoding(call);
  const hasNoHeader = 'no-header' in call.values;
  if (hasNoHeader && headerLine !== undefined)
    throw badUsage('Give --header-line or --no-header, not both.');
  return {
    ...(sheet !== undefined && { sheet }),
    ...(encoding !== undefined && { encoding }),
    ...(headerLine !== undefined && { header_line: headerLine }),
    header: hasNoHeader ? 'no' : 'auto',
    other_lines: 'keep-other-lines' in call.values ? 'keep' : 'leave_out',
    ...('split-people' in call.values && { several_people: 'split' }),
    extra_cells: 'skip-bad-lines' in call.values ? 'leave_out' : 'refuse',
  };
}

export function describeLetters(encoding: string, letters: ReadList['letters']): string[] {
  if (letters.is_sure || letters.sample === '') return [];
  const others = letters.others.map(
    (other) => `    ${other.encoding} (${encodingLabels[other.encoding]}): ${other.sample}`,
  );
  return [
    `  read as ${encoding}: ${letters.sample}`,
    ...(others.length > 0
      ? ['  if these letters are wrong, choose with --encoding:', ...others]
      : []),
  ];
}

const linesShownMax = 5;

const remarksMax = 20;
const remarkLinesMax = 20;

/** "line 5", or "lines 5, 7 and more". */
export function listLines(remarks: readonly LineRemark[], of = 'line'): string {
  const lines = [...new Set(remarks.map(({ line }) => line))];
  const shown = lines.slice(0, remarkLinesMax).join(', ');
  const more = lines.length > remarkLinesMax ? ' and more' : '';
  return `${lines.length === 1 ? of : `${of}s`} ${shown}${more}`;
}

/** @param of what the number of a remark counts */
export function describeRemarks(
  remarks: readonly LineRemark[],
  whereAll: string,
  of = 'line',
): string[] {
  const kinds = groupRemarks(remarks);
  const lines = kinds.slice(0, remarksMax).flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const { file, line, column, message } = first;
    const places = [file ?? '', line === null ? '' : `${of} ${line}`, column ? `(${column})` : ''];
    const place = places.filter((part) => part !== '').join(' ');
    const count = formatCount(others.length);
    const more = others.length > 0 ? ` (${count} more like it: ${listLines(others, of)})` : '';
    return [`  ${place === '' ? '' : `${place}: `}${message}${more}`];
  });
  const rest = kinds.slice(remarksMax).flat().length;
  return rest > 0 ? [...lines, `  and ${formatCount(rest)} more: ${whereAll}`] : lines;
}

/** The lines that were left out because they are no rows. */
export function describeOtherLines(lines: readonly OtherLine[], count: number): string[] {
  if (count === 0) return [];
  const shown = lines
    .slice(0, linesShownMax)
    .map(
      ({ line, kind, text }) =>
        `    line ${line}, ${otherLineWords[kind].toLowerCase()}${textBehindKind(text)}`,
    );
  const more = count - shown.length;
  return [
    `  ${formatNumber(count, 'line')} left out as no rows (${readingHints.otherLines}):`,
    ...shown,
    ...(more > 0 ? [`    and ${formatCount(more)} more`] : []),
  ];
}

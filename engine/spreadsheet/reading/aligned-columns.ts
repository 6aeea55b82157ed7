// Finds and cuts the columns of texts that are aligned with spaces, as terminals print them.
import { isEmailCell } from '../column-values.ts';
import { countKnown } from './find-table.ts';

/**
 * Where the columns of each line begin, from 0; `gaps` if two spaces or more separate cells;
 * `label` if each line is a name, a colon and a value.
 */
export type AlignedColumns = readonly number[] | 'gaps' | 'label';

const linesLookedAt = 200;
const namesLookedAt = 20;
const gap = / {2,}/;
/** "----------  -----": what database programs print below the names. */
const ruleOfColumns = /^\s*-{2,}(?: +-{2,})+\s*$/;

const splitGaps = (line: string): string[] => line.trim().split(gap);

const isBlankAt = (line: string, at: number): boolean => at >= line.length || line[at] === ' ';

/** The starts of the runs of columns that are not blank in all lines. */
function findRuns(lines: readonly string[]): number[] {
  const width = Math.max(...lines.map((line) => line.length));
  const starts: number[] = [];
  let isInRun = false;
  for (let at = 0; at < width; at++) {
    const isBlank = lines.every((line) => isBlankAt(line, at));
    if (!isBlank && !isInRun) starts.push(at);
    isInRun = !isBlank;
  }
  return starts;
}

/** The starts that the names confirm: a word within a name or a cell begins no column. */
function confirmStarts(
  starts: readonly number[],
  names: string,
  rows: readonly string[],
): number[] {
  return starts.filter((start, place) => {
    if (place === 0) return true;
    const end = starts[place + 1] ?? names.length;
    const name = names.slice(start, end);
    if (name.trim() === '') return false;
    const nameStart = start + name.search(/\S/);
    const isAfterGap = names.slice(0, nameStart).endsWith('  ');
    // After a single space, most rows must have a cell that begins exactly here.
    return isAfterGap || rows.filter((row) => !isBlankAt(row, start)).length * 2 > rows.length;
  });
}

/** Whether the lines have their cells in columns that begin at the same places. */
function findByNames(names: string, rows: readonly string[]): AlignedColumns | null {
  const cells = splitGaps(names);
  const starts = confirmStarts(findRuns([names, ...rows]), names, rows);
  if (starts.length >= Math.max(2, cells.length)) return starts;
  const isEven = rows.every((row) => splitGaps(row).length === cells.length);
  return cells.length > 1 && isEven ? 'gaps' : null;
}

/** The columns of a list without names: one of them must have emails. */
function findByRows(rows: readonly string[]): AlignedColumns | null {
  const [first] = rows;
  if (rows.length < 3 || first === undefined) return null;
  const width = splitGaps(first).length;
  const isEven = width > 1 && rows.every((row) => splitGaps(row).length === width);
  const hasEmails = splitGaps(first).some(
    (_cell, at) =>
      rows.filter((row) => isEmailCell(splitGaps(row)[at] ?? '')).length * 2 > rows.length,
  );
  return isEven && hasEmails ? 'gaps' : null;
}

const label = /^\s*([^:,;\t|"]{1,40}?)\s*:(?:\s+|$)/;
const labelShare = 0.8;

/** Whether the lines are names with their values: "Email: a@b.de". */
function isLabelled(lines: readonly string[]): boolean {
  const names = lines.flatMap((line) => label.exec(line)?.[1] ?? []);
  return names.length >= lines.length * labelShare && countKnown([...new Set(names)]) > 1;
}

/** The columns of a text that is aligned with spaces; null if it is not. */
export function findAlignedColumns(text: string): AlignedColumns | null {
  const lines = text
    .split(/\r\n|\n|\r/, linesLookedAt)
    // The last line may be cut.
    .slice(0, -1)
    .filter((line) => line.trim() !== '');
  if (isLabelled(lines)) return 'label';
  const rule = lines.findIndex((line) => ruleOfColumns.test(line));
  if (rule === 1 || (rule > 1 && rule < namesLookedAt))
    return [...(lines[rule] ?? '').matchAll(/-+/g)].map(({ index }) => index);
  const known = lines.slice(0, namesLookedAt).map((line) => {
    const cells = splitGaps(line);
    return cells.length > 1 && !line.includes('\t') ? countKnown(cells) : 0;
  });
  const most = Math.max(0, ...known);
  const at = known.indexOf(most);
  const names = lines[at];
  if (most < 2 || names === undefined) return findByRows(lines);
  // Notes have no gaps.
  const rows = lines.slice(at + 1).filter((line) => gap.test(line.trim()));
  return rows.length > 0 ? findByNames(names, rows) : null;
}

/** The cells of a line. A word that is longer than its column keeps its letters. */
export function cutAligned(line: string, columns: AlignedColumns): string[] {
  if (columns === 'gaps') return splitGaps(line);
  if (columns === 'label') {
    const [start = '', name] = label.exec(line) ?? [];
    return name === undefined ? ['', line.trim()] : [name, line.slice(start.length).trim()];
  }
  const isCrossed = columns.some(
    (start) => start > 0 && !isBlankAt(line, start - 1) && !isBlankAt(line, start),
  );
  const gaps = isCrossed ? splitGaps(line) : [];
  // A note, or a line whose cells were moved by a long one.
  if (gaps.length === 1 || gaps.length === columns.length) return gaps;
  const cells: string[] = [];
  let from = 0;
  for (const start of columns.slice(1)) {
    let end = Math.max(from, start);
    // A rule and names may begin one place to the right of a number.
    while (end > from && end < line.length && !isBlankAt(line, end - 1)) {
      const next = line.indexOf(' ', end);
      end = next < 0 ? line.length : next + 1;
    }
    cells.push(line.slice(from, end).trim());
    from = end;
  }
  cells.push(line.slice(from).trim());
  return cells;
}

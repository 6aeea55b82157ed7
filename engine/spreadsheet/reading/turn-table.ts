// Turns tables whose column names are in the first column, so that each contact is a row.
import { type EngineError, invalid } from '../../contract/errors.ts';
import { cardLinesMax } from '../../contract/limits/spreadsheet.ts';
import { countKnown, isValue, type Line } from './find-table.ts';

const nameOf = ({ cells }: Line): string => (cells[0] ?? '').trim().replace(/:$/, '');

const isFilled = (cell: string): boolean => cell.trim() !== '';

/** Whether the first cells of most lines are column names, and no line has two of them. */
function hasNamesBelow(lines: readonly Line[]): boolean {
  const names = lines.map(nameOf);
  const isKnown = names.map((name) => countKnown([name]) > 0);
  const isBeside = lines.some(({ cells }) => countKnown(cells) > 1);
  if (isBeside || names.some(isValue)) return false;
  const isRead = lines.some(({ cells }) => cells.slice(1).some(isValue));
  const known = isKnown.filter(Boolean).length;
  const distinct = countKnown([...new Set(names)]);
  return known * 2 >= lines.length && distinct >= (isRead ? 2 : 3);
}

/** Whether the first lines are contacts one after the other, each line a name and its value. */
export function areCards(given: readonly Line[]): boolean {
  const lines = given.filter(({ cells }) => cells.some(isFilled));
  const isNarrow = lines.every(({ cells }) => cells.slice(2).every((cell) => !isFilled(cell)));
  const first = lines.find((line) => countKnown([nameOf(line)]) > 0);
  const isRepeated = lines.filter((line) => first && nameOf(line) === nameOf(first)).length > 1;
  return isNarrow && isRepeated && hasNamesBelow(lines);
}

/** A name that is not yet in a contact: "Email", "Email 2". */
export function numberName(name: string, card: ReadonlyMap<string, string>): string {
  let number = 1;
  const text = () => (number === 1 ? name : `${name} ${number}`);
  while (card.has(text())) number++;
  return text();
}

/** One line for each contact, below a line with the names of all. */
function turnCards(lines: readonly Line[]): Line[] {
  const cards: { line: number; cells: Map<string, string> }[] = [];
  const known = lines.find((line) => countKnown([nameOf(line)]) > 0);
  const first = known ? nameOf(known) : '';
  let previous = 0;
  for (const line of lines) {
    const name = nameOf(line);
    if (name !== '') {
      const card = cards.at(-1);
      const isNext = name === first || (line.line > previous + 1 && card?.cells.has(name));
      const cells = card === undefined || isNext ? new Map<string, string>() : card.cells;
      if (cells !== card?.cells) cards.push({ line: line.line, cells });
      cells.set(numberName(name, cells), line.cells[1] ?? '');
    }
    previous = line.line;
  }
  const names = [...new Set(cards.flatMap(({ cells }) => [...cells.keys()]))];
  const rows = cards.map(({ line, cells }) => ({
    line,
    cells: names.map((name) => cells.get(name) ?? ''),
  }));
  return [{ line: 1, cells: names }, ...rows];
}

/**
 * The lines of a whole file as rows, if its column names are in the first column; null if they are
 * not. The number of a row is its column, or the first line of its contact.
 */
export function turnTable(given: readonly Line[]): Line[] | null {
  if (areCards(given)) return turnCards(given);
  const lines = given.filter(({ cells }) => cells.some(isFilled));
  const names = lines.map(nameOf);
  const isRepeated = new Set(names.filter(Boolean)).size < names.filter(Boolean).length;
  const width = Math.max(0, ...lines.map(({ cells }) => cells.length));
  if (width < 2 || isRepeated || !hasNamesBelow(lines)) return null;
  const columns: Line[] = [{ line: 1, cells: names }];
  for (let at = 1; at < width; at++) {
    const cells = lines.map((line) => line.cells[at] ?? '');
    if (cells.some(isFilled)) columns.push({ line: at + 1, cells });
  }
  return columns.length > 1 ? columns : null;
}

export const refuseCards = (): EngineError =>
  invalid(
    'The file has its contacts one below the other, each value on its own line, and more than ' +
      `${cardLinesMax.toLocaleString('en-US')} lines. Split it into smaller files, or export the ` +
      'list from its source again, as CSV or .xlsx.',
  );

export const turnedMessage =
  'The column names are in the first column, so each contact was read as a row. If that is ' +
  'wrong, choose line 1 as the line of the column names.';

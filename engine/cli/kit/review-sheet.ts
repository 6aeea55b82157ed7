// The spreadsheet of a review: rows with their candidates, and the user's picks.
import { basename } from 'node:path';
import { protectFormula } from '../../contract/exports/protect-formula.ts';
import type { Evidence, Pick, ReviewRow, Verdict } from '../../contract/jobs/review.ts';
import { rowInputFields } from '../../contract/jobs/row-input.ts';
import { candidatesMax } from '../../contract/limits/directory.ts';
import { formatRecord } from '../../spreadsheet/format-record.ts';
import { prepareTable } from '../../spreadsheet/prepare-table.ts';
import { badUsage } from './refusal.ts';
import { writeWhole } from './write-whole.ts';

const rowHeader = 'Row';
const pickHeader = 'Pick (1, 2, 3, none or undo)';
const idHeader = (number: number): string => `Candidate ${number} id`;
const numbers = Array.from({ length: candidatesMax }, (_value, at) => at + 1);
const candidateHeaders = (number: number): string[] => [
  `Candidate ${number}`,
  `Candidate ${number} title`,
  `Candidate ${number} company`,
  `Candidate ${number} score`,
  `Candidate ${number} evidence`,
  idHeader(number),
];
const headers = [
  rowHeader,
  pickHeader,
  'Reason',
  ...rowInputFields,
  ...numbers.flatMap(candidateHeaders),
];

const verdictWords: Readonly<Record<Verdict, string>> = {
  same: 'same',
  similar: 'similar',
  different: 'differs',
  other_kind: 'of another kind',
  not_given: 'on file',
};

/** The evidence of a field in words, with the value on file that the row lacks. */
const describeEvidence = ({ field, known, verdict }: Evidence): string =>
  [field.replaceAll('_', ' '), verdict === 'not_given' ? known : '', verdictWords[verdict]]
    .filter(Boolean)
    .join(' ');

/** The pick of a row as its number, or as text; '' if it waits. */
function formatPick({ pick, candidates }: ReviewRow): string {
  if (!pick) return '';
  if (pick.contact_uuid === null) return 'none';
  const at = candidates.findIndex((one) => one.upstream_contact_uuid === pick.contact_uuid);
  return at < 0 ? '' : String(at + 1);
}

function formatRow(row: ReviewRow): string {
  const candidates = numbers.flatMap((number) => {
    const found = row.candidates[number - 1];
    if (!found) return candidateHeaders(number).map(() => '');
    const evidence = found.evidence.map(describeEvidence).join(', ');
    const { name, title, company_name: company, score, upstream_contact_uuid: id } = found;
    return [...[name, title, company].map(protectFormula), String(score), evidence, id];
  });
  return formatRecord([
    String(row.row_index + 1),
    formatPick(row),
    row.reason,
    ...rowInputFields.map((field) => protectFormula(row.input[field] ?? '')),
    ...candidates,
  ]);
}

/** Writes the rows to a temporary file, then renames it. Resolves with the number of rows. */
export async function writeReviewSheet(
  outPath: string,
  rows: AsyncIterable<readonly ReviewRow[]>,
): Promise<number> {
  let count = 0;
  await writeWhole(outPath, async (write) => {
    write(formatRecord(headers));
    for await (const page of rows) {
      write(page.map(formatRow).join(''));
      count += page.length;
    }
  });
  return count;
}

/** Parses a pick. Throws bad usage with the line number. */
function readPick(line: number, row: string, pick: string, ids: readonly string[]): Pick | null {
  const choice = pick.trim().toLowerCase();
  if (choice === '') return null;
  const number = Number(row.trim());
  if (!Number.isInteger(number) || number < 1)
    throw badUsage(
      `Line ${line}: "${row}" is not the number of a row. Keep the column ${rowHeader}.`,
    );
  const rowIndex = number - 1;
  if (choice === 'undo') return { row_index: rowIndex, undo: true };
  if (choice === 'none') return { row_index: rowIndex, contact_uuid: null };
  const id = /^[1-9]$/.test(choice) ? (ids[Number(choice) - 1] ?? '').trim() : choice;
  if (id === '')
    throw badUsage(
      `Line ${line}: candidate ${choice} does not exist. Write 1, 2, 3, none or undo.`,
    );
  return { row_index: rowIndex, contact_uuid: id };
}

/** The picks of a spreadsheet; rows with an empty pick are omitted. Throws bad usage. */
export async function readReviewSheet(path: string): Promise<Pick[]> {
  const picks: Pick[] = [];
  let columns: { row: number; pick: number; ids: number[] } | null = null;
  await prepareTable({
    sourcePath: path,
    fileName: basename(path),
    targetDir: null,
    onRow(line, cells, found) {
      const find = (name: string) =>
        found.findIndex((header) => header.trim().toLowerCase().startsWith(name.toLowerCase()));
      columns ??= {
        row: find(rowHeader),
        pick: find('Pick'),
        ids: numbers.map((n) => find(idHeader(n))),
      };
      if (columns.row < 0 || columns.pick < 0)
        throw badUsage('The file needs the columns Row and Pick. Take the file of --out.');
      const ids = columns.ids.map((at) => cells[at] ?? '');
      const pick = readPick(line, cells[columns.row] ?? '', cells[columns.pick] ?? '', ids);
      if (pick) picks.push(pick);
    },
  });
  return picks;
}

// Joins the tables of several uploads to one list, with their columns matched by name.
import { existsSync } from 'node:fs';
import { invalid } from '../../contract/errors.ts';
import {
  csvWarningsMax,
  otherLinesShownMax,
  tableBytesMax,
  wideLinesShownMax,
} from '../../contract/limits/spreadsheet.ts';
import {
  compareColumns,
  describeDifference,
  placeColumns,
} from '../../contract/reading/compare-columns.ts';
import { severalPeopleChoices } from '../../contract/reading/reading.ts';
import type { Upload } from '../../contract/uploads.ts';
import { collectTable } from '../collect-table.ts';
import { describeTable, type UploadFacts } from '../prepare-upload.ts';
import { openRows } from '../read-rows.ts';
import { createTableFiles } from '../table-files.ts';
import { eachRow } from './leave-out.ts';
import { leftOutColumns, leftOutDir } from './wide-lines.ts';

/** What the joined list takes from an upload. */
type Joined = Pick<
  Upload,
  | 'file_name'
  | 'kind'
  | 'encoding'
  | 'delimiter'
  | 'bytes'
  | 'row_count'
  | 'headers'
  | 'labels'
  | 'warnings'
  | 'reading'
>;

interface JoinCommand {
  readonly tables: readonly { readonly dir: string; readonly upload: Joined }[];
  readonly targetDir: string;
}

const stemOf = (fileName: string): string => fileName.replace(/\.[a-z]{2,4}$/i, '');

/** The name of the joined list: "leads and 2 more.csv". */
const nameJoined = (uploads: readonly Joined[]): string =>
  `${stemOf(uploads[0]?.file_name ?? '')} and ${uploads.length - 1} more.csv`;

/** For each table the place of each column of the first one. Throws if a file has others. */
function placeAll(uploads: readonly Joined[]): number[][] {
  const labels = uploads[0]?.labels ?? [];
  return uploads.map((upload) => {
    const difference = compareColumns(labels, upload.labels);
    if (difference)
      throw invalid(
        `"${upload.file_name}" ${describeDifference(difference)}, unlike ` +
          `"${uploads[0]?.file_name}". Rename its columns, or open it by itself.`,
      );
    return placeColumns(labels, upload.labels);
  });
}

const otherSheet = 'Open the file by itself to choose another.';

/** Warnings of all files, each with its name. A sheet that was not read is one of them. */
const joinWarnings = (uploads: readonly Joined[]): Upload['warnings'] =>
  uploads
    .flatMap(({ file_name: name, warnings, reading: { sheet, sheets } }) => [
      ...(sheets.length > 1
        ? [{ line: null, message: `${name}: only the sheet "${sheet}" was read. ${otherSheet}` }]
        : []),
      ...warnings.map(({ message, ...place }) => ({ ...place, message: `${name}: ${message}` })),
    ])
    .slice(0, csvWarningsMax);

function joinReadings(uploads: readonly Joined[]): Upload['reading'] {
  const readings = uploads.map(({ reading }) => reading);
  const named = <Shown extends { readonly text: string }>(
    pick: (reading: Upload['reading']) => readonly Shown[],
  ): Shown[] =>
    uploads.flatMap(({ file_name: name, reading }) =>
      pick(reading).map((line) => ({ ...line, text: `${name}: ${line.text}` })),
    );
  const several = severalPeopleChoices.find((choice) =>
    readings.some(({ several_people: found }) => found === choice),
  );
  return {
    sheet: null,
    sheets: [],
    header: readings.every(({ header }) => header),
    header_line: null,
    letters: {
      is_sure: readings.every(({ letters }) => letters.is_sure),
      sample: readings.map(({ letters }) => letters.sample).find(Boolean) ?? '',
      others: [],
    },
    first_row_is_contact: readings.some(({ first_row_is_contact: isContact }) => isContact),
    extra_cells: readings[0]?.extra_cells ?? 'refuse',
    wide_count: readings.reduce((sum, { wide_count: count }) => sum + count, 0),
    wide_lines: named(({ wide_lines: lines }) => lines).slice(0, wideLinesShownMax),
    other_count: readings.reduce((sum, { other_count: count }) => sum + count, 0),
    other_lines: named(({ other_lines: lines }) => lines).slice(0, otherLinesShownMax),
    ...(several && { several_people: several }),
  };
}

async function joinLeftOut(
  { tables, targetDir }: JoinCommand,
  places: readonly number[][],
  signal?: AbortSignal,
): Promise<void> {
  const withSome = tables.map(({ dir }) => existsSync(leftOutDir(dir)));
  if (!withSome.includes(true)) return;
  const headers = tables[0]?.upload.headers ?? [];
  const target = createTableFiles(leftOutDir(targetDir), tableBytesMax * 2);
  try {
    target.writeRow([...headers, ...leftOutColumns]);
    for (const [at, { dir }] of tables.entries()) {
      if (!withSome[at]) continue;
      const rows = openRows(leftOutDir(dir));
      try {
        await eachRow(rows, signal, (cells) => {
          const own = places[at]?.map((place) => cells[place] ?? '') ?? [];
          target.writeRow([...own, ...cells.slice(headers.length)]);
        });
      } finally {
        rows.close();
      }
    }
    target.finish();
  } catch (error) {
    target.discard();
    throw error;
  }
}

/**
 * Writes the tables as one, in the columns of the first. Throws EngineError('validation_error') if
 * a file has other columns or the list is too large, and the signal's reason; no file is left
 * behind then.
 */
export async function joinTables(command: JoinCommand, signal?: AbortSignal): Promise<UploadFacts> {
  const { tables, targetDir } = command;
  const uploads = tables.map(({ upload }) => upload);
  const places = placeAll(uploads);
  const collector = collectTable(targetDir, { skipBlankLines: false });
  try {
    collector.take([...(uploads[0]?.headers ?? [])], 1);
    for (const [at, { dir }] of tables.entries()) {
      const rows = openRows(dir);
      try {
        await eachRow(rows, signal, (cells, row) =>
          collector.take(places[at]?.map((place) => cells[place] ?? '') ?? [], row + 2),
        );
      } finally {
        rows.close();
      }
    }
    await joinLeftOut(command, places, signal);
  } catch (error) {
    collector.discard();
    throw error;
  }
  const { hasSeveral: _, ...facts } = await describeTable(targetDir, collector.finish(), signal);
  return {
    ...facts,
    file_name: nameJoined(uploads),
    kind: uploads[0]?.kind ?? 'csv',
    encoding: uploads[0]?.encoding ?? 'utf-8',
    delimiter: uploads[0]?.delimiter ?? ',',
    bytes: uploads.reduce((sum, { bytes }) => sum + bytes, 0),
    files: uploads.map(({ file_name: name, row_count }) => ({ name, row_count })),
    warnings: joinWarnings(uploads),
    reading: joinReadings(uploads),
  };
}

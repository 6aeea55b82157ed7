// Writes the table of an export as Parquet, in groups of rows (decision 099).
import type { SchemaElement } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { labelColumns } from '../label-columns.ts';
import type { ExportTable } from './export-table.ts';

/** Rows of a group, and characters after which a group ends early. */
const groupRowsMax = 10_000;
const groupCharactersMax = 33_554_432;

/**
 * Yields the bytes of one group of rows after the other; empty texts in between, so that a caller
 * may cancel. Columns of numbers are numbers, all others texts; an empty cell has no value.
 */
export function* writeParquet({ columns, rows }: ExportTable): Generator<string | Uint8Array> {
  const names = labelColumns(columns.map(({ name }) => name));
  const isNumber = columns.map(({ type }) => type === 'number');
  const fields = names.map((name, at): SchemaElement => {
    const kind = isNumber[at]
      ? { type: 'DOUBLE' as const }
      : { type: 'BYTE_ARRAY' as const, converted_type: 'UTF8' as const };
    return { name, repetition_type: 'OPTIONAL', ...kind };
  });
  const bytes = new ByteWriter();
  const writer = new ParquetWriter({
    writer: bytes,
    schema: [{ name: 'root', num_children: fields.length }, ...fields],
    createdBy: 'Enrichment Desk',
  });
  /** The bytes since the last call, which are then forgotten. */
  const takeBytes = (): Uint8Array => {
    const taken = bytes.getBytes().slice();
    bytes.index = 0;
    return taken;
  };
  let group: (string | number | null)[][] = names.map(() => []);
  let characters = 0;
  const endGroup = (): void => {
    const columnData = names.map((name, at) => ({ name, data: group[at] ?? [] }));
    writer.write({ columnData, rowGroupSize: groupRowsMax });
    group = names.map(() => []);
    characters = 0;
  };
  for (const stretch of rows()) {
    for (const { cells } of stretch) {
      for (const [at, column] of group.entries()) {
        const cell = cells[at] ?? '';
        const number = isNumber[at] ? Number(cell) : Number.NaN;
        const value = isNumber[at]
          ? Number.isFinite(number)
            ? number
            : null
          : cell.toWellFormed();
        column.push(cell === '' ? null : value);
        characters += cell.length;
      }
      if ((group[0]?.length ?? 0) < groupRowsMax && characters < groupCharactersMax) continue;
      endGroup();
      yield takeBytes();
    }
    yield '';
  }
  if ((group[0]?.length ?? 0) > 0) endGroup();
  writer.finish();
  yield takeBytes();
}

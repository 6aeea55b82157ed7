// Reads the first rows of a list as an import would, and writes nothing.
import type { ImportRemark } from '../../contract/directory.ts';
import { EngineError } from '../../contract/errors.ts';
import type { ImportPreview, ImportPreviewRequest } from '../../contract/records/import-preview.ts';
import { companyColumns, personColumns } from './decode/import-columns.ts';
import { mapColumns } from './decode/map-columns.ts';
import { createRowReader } from './decode/parse-rows.ts';

const dictionaries: Readonly<
  Record<ImportPreviewRequest['kind'], Record<string, readonly string[]>>
> = { people: personColumns, companies: companyColumns };

function findFields({ kind, headers, rows, ...choices }: ImportPreviewRequest): (string | null)[] {
  const dictionary = dictionaries[kind];
  return [...mapColumns(headers, dictionary, choices, rows).fields];
}

export function previewList(request: ImportPreviewRequest): ImportPreview {
  const { kind, file_name: fileName, headers, rows, day_order: dayOrder } = request;
  const columns = findFields(request);
  const empty = {
    columns,
    rows: rows.length,
    rows_refused: 0,
    remarks: [],
    undecided_dates: false,
  };
  try {
    const { read, hasUndecidedDates } = createRowReader(kind, {
      fileName,
      headers,
      choices: request,
      dayOrder,
      sample: rows,
    });
    const remarks: ImportRemark[] = [];
    let refused = 0;
    rows.forEach((cells, at) => {
      // The reader uses its list of remarks again for the next row.
      const { line, facts, remarks: ofRow } = read(cells, request.lines?.[at] ?? at + 2);
      if (facts === null) refused += 1;
      for (const [message, column] of ofRow)
        remarks.push({ file: fileName, line, message, ...(column !== undefined && { column }) });
    });
    return {
      ...empty,
      refusal: null,
      rows_refused: refused,
      remarks,
      undecided_dates: hasUndecidedDates,
    };
  } catch (error) {
    if (error instanceof EngineError) return { ...empty, refusal: error.detail };
    throw error;
  }
}

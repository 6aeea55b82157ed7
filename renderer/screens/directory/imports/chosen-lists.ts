// The choices of an import: its files, the headers chosen by hand, and the resulting mapping.
import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query';
import {
  companyImportFields,
  type ImportKind,
  type ImportOptions,
  importKinds,
  keptField,
  personImportFields,
} from '../../../../engine/contract/directory.ts';
import { imports } from '../../../../engine/contract/imports.ts';
import { csvUploadBytesMax } from '../../../../engine/contract/limits/spreadsheet.ts';
import type { ImportPreview } from '../../../../engine/contract/records/import-preview.ts';
import { type Upload, uploads } from '../../../../engine/contract/uploads.ts';
import { ApiError, ask } from '../../../api/client.ts';
import {
  type ReadingChoice,
  type SentImportOptions,
  uploadSpreadsheet,
} from '../../../api/upload.ts';

export type DayOrder = NonNullable<ImportOptions['day_order']>;

/** Import field → the header chosen for it. */
export type Picks = Readonly<Record<string, string>>;

export interface ChosenList {
  readonly file: File | null;
  readonly picks: Picks;
  readonly reading: ReadingChoice;
}
export type ChosenLists = Readonly<Record<ImportKind, ChosenList>>;

export const noList: ChosenList = { file: null, picks: {}, reading: {} };
/** A list without column names is read as one, as the Enrich screen does. */
const firstReading: ReadingChoice = { header: 'auto' };

export const noLists: ChosenLists = { people: noList, companies: noList };

/** Import field → its label, for each list. */
export const fieldsOf: Readonly<Record<ImportKind, Readonly<Record<string, string>>>> = {
  people: personImportFields,
  companies: companyImportFields,
};

/** Bytes of a longer text that its preview reads. */
const previewBytes = 8_388_608;
const lineFeed = 10;

/** The file, or the first lines of a text that is longer than an upload may be. */
async function cutFile(file: File): Promise<File> {
  if (file.size <= csvUploadBytesMax) return file;
  const bytes = new Uint8Array(await file.slice(0, previewBytes).arrayBuffer());
  const end = bytes.lastIndexOf(lineFeed) + 1;
  // A line feed of UTF-16 has a second byte.
  return new File([bytes.subarray(0, bytes[end] === 0 ? end + 1 : end)], file.name);
}

/** Reads a file as the import does, without lines with extra cells, which it would refuse. */
export function useReadList({ file, reading }: Pick<ChosenList, 'file' | 'reading'>) {
  const effective: ReadingChoice = { extra_cells: 'leave_out', ...firstReading, ...reading };
  const name = [file?.name, file?.size, file?.lastModified].join(' ');
  return useQuery({
    queryKey: ['import-list', name, effective],
    queryFn: file
      ? async ({ signal }) => {
          const source = { file: await cutFile(file) };
          const upload = await uploadSpreadsheet(source, () => undefined, signal, effective);
          await ask(uploads.remove, { upload_id: upload.upload_id });
          return upload;
        }
      : skipToken,
    // Another reading of the same file replaces the first rows when it is there.
    placeholderData: (before: Upload | undefined, query) =>
      query?.queryKey[1] === name ? before : undefined,
    staleTime: 'static',
    gcTime: 0,
    retry: false,
  });
}

/** Whether the import would refuse a list too: it was read as a whole. */
export const isRefused = ({ file }: ChosenList, error: Error | null): boolean =>
  error instanceof ApiError &&
  error.status >= 400 &&
  error.status < 500 &&
  (file?.size ?? 0) <= csvUploadBytesMax;

export const asksWideLines = ({ reading }: ChosenList, upload: Upload | undefined): boolean =>
  reading.extra_cells === undefined && (upload?.reading.wide_count ?? 0) > 0;

export const readingsOf = ({ people, companies }: ChosenLists): SentImportOptions => ({
  reading: { ...firstReading, ...people.reading },
  companies_reading: { ...firstReading, ...companies.reading },
});

export interface ColumnPicks {
  readonly mapping: Picks;
  /** Headers of the columns that are kept as they are; null for those that the engine keeps. */
  readonly keep: readonly string[] | null;
}

export const listKept = ({ headers }: Upload, { columns }: ImportPreview): string[] =>
  headers.flatMap((header, at) => (columns[at] === keptField ? [header.trim()] : []));

/** Values that a preview sends at most; a list of many columns is previewed with fewer rows. */
const previewValuesMax = 5_000;

export function useImportPreview(
  kind: ImportKind,
  fileName: string,
  upload: Upload | undefined,
  { mapping, keep }: ColumnPicks,
  dayOrder: DayOrder | undefined,
) {
  return useQuery({
    queryKey: ['import-preview', kind, fileName, upload?.upload_id, mapping, keep, dayOrder],
    queryFn: upload
      ? ({ signal }) => {
          const { headers, reading } = upload;
          const rowsMax = Math.floor(previewValuesMax / Math.max(1, headers.length));
          const rows = upload.first_rows.slice(0, Math.max(1, rowsMax));
          const lines = reading.first_lines?.slice(0, rows.length);
          const list = { kind, file_name: fileName, headers, rows, ...(lines && { lines }) };
          const order = dayOrder === undefined ? {} : { day_order: dayOrder };
          const kept = keep === null ? {} : { keep: [...keep] };
          return ask(imports.preview, { ...list, ...order, mapping, ...kept }, { signal });
        }
      : skipToken,
    placeholderData: keepPreviousData,
    staleTime: 'static',
    gcTime: 0,
  });
}

/** The selectable headers, without empty and duplicate ones. The first of equal headers counts. */
export const listHeaders = (headers: readonly string[] = []): string[] => [
  ...new Set(headers.map((header) => header.trim()).filter(Boolean)),
];

export interface MergedPicks {
  readonly mapping: Picks;
  /** One sentence per choice that cannot be in a mapping. */
  readonly conflicts: readonly string[];
  /** One sentence per choice that also applies to the other list. */
  readonly reaches: readonly string[];
}

/**
 * Combines the choices. An import has one mapping for both files, so a field that both lists have
 * is read from the chosen header in each file that contains it.
 */
export function mergePicks(
  lists: ChosenLists,
  headers: Readonly<Record<ImportKind, readonly string[]>>,
): MergedPicks {
  const { people, companies } = lists;
  const shared = Object.keys(fieldsOf.people).filter((field) => field in fieldsOf.companies);
  const conflicts = shared.flatMap((field) => {
    const [one, other] = [people.picks[field], companies.picks[field]];
    return one && other && one !== other
      ? [
          `${fieldsOf.people[field]} is "${one}" for people and "${other}" for companies. One ` +
            'import uses one header per field. Import the files one after the other.',
        ]
      : [];
  });
  const reaches = importKinds.flatMap((kind) => {
    const other = kind === 'people' ? 'companies' : 'people';
    return shared.flatMap((field) => {
      const header = lists[kind].picks[field];
      const isReaching = header && !lists[other].picks[field] && headers[other].includes(header);
      return isReaching
        ? [
            `${fieldsOf[kind][field]} from "${header}" also applies to ${other}, because their ` +
              'file has a column with that name.',
          ]
        : [];
    });
  });
  return { mapping: { ...people.picks, ...companies.picks }, conflicts, reaches };
}

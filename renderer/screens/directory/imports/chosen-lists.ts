/** The choices of an import: its files, the headers chosen by hand, and the resulting mapping. */
import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query';
import {
  companyImportFields,
  type ImportKind,
  type ImportOptions,
  importKinds,
  personImportFields,
} from '../../../../engine/contract/directory.ts';
import { previewImport } from '../../../api/directory/records.ts';
import { dropUpload } from '../../../api/engine.ts';
import { uploadSpreadsheet } from '../../../api/upload.ts';
import { type Peek, peekFile } from '../../../components/peek-file.ts';

/** The order of days and months in a file. */
export type DayOrder = NonNullable<ImportOptions['day_order']>;

/** Import field → the header chosen for it. */
export type Picks = Readonly<Record<string, string>>;

/** A list to import. */
export interface ChosenList {
  readonly file: File | null;
  readonly picks: Picks;
}
/** Both lists. */
export type ChosenLists = Readonly<Record<ImportKind, ChosenList>>;

const noList: ChosenList = { file: null, picks: {} };
export const noLists: ChosenLists = { people: noList, companies: noList };

/** Import field → its label, for each list. */
export const fieldsOf: Readonly<Record<ImportKind, Readonly<Record<string, string>>>> = {
  people: personImportFields,
  companies: companyImportFields,
};

/** Only the engine can unpack a workbook; the page requests its first rows. */
async function readWorkbook(file: File, signal: AbortSignal): Promise<Peek> {
  const upload = await uploadSpreadsheet({ file }, () => undefined, signal);
  await dropUpload(upload.upload_id);
  return { labels: upload.headers, rows: upload.first_rows };
}

/** The headers and first rows of a chosen file. */
export function usePeek(file: File | null) {
  return useQuery({
    queryKey: ['peek', file?.name, file?.size, file?.lastModified],
    queryFn: file
      ? async ({ signal }) => (await peekFile(file)) ?? (await readWorkbook(file, signal))
      : skipToken,
    staleTime: 'static',
    gcTime: 0,
    retry: false,
  });
}

/** Values that a preview sends at most; a list of many columns is previewed with fewer rows. */
const previewValuesMax = 5_000;

/** What an import would do with the first rows of a list. */
export function useImportPreview(
  kind: ImportKind,
  fileName: string,
  peek: Peek | undefined,
  mapping: Picks,
  dayOrder: DayOrder | undefined,
) {
  return useQuery({
    queryKey: ['import-preview', kind, fileName, peek?.labels, mapping, dayOrder],
    queryFn: peek
      ? ({ signal }) => {
          const rowsMax = Math.floor(previewValuesMax / Math.max(1, peek.labels.length));
          const rows = peek.rows.slice(0, Math.max(1, rowsMax)).map((row) => [...row]);
          const list = { kind, file_name: fileName, headers: [...peek.labels], rows };
          const order = dayOrder === undefined ? {} : { day_order: dayOrder };
          return previewImport({ ...list, ...order, mapping }, signal);
        }
      : skipToken,
    placeholderData: keepPreviousData,
    staleTime: 'static',
    gcTime: 0,
  });
}

/** The selectable headers, without empty and duplicate ones. The first of equal headers counts. */
export const listHeaders = (labels: Peek['labels'] = []): string[] => [
  ...new Set(labels.map((header) => header.trim()).filter(Boolean)),
];

/** The resulting mapping of both lists. */
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

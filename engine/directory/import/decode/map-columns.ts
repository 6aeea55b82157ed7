// Maps the columns of a list to fields: by the usual headers, or by the caller's mapping.
import { keepRest, keptField } from '../../../contract/directory.ts';
import { invalid } from '../../../contract/errors.ts';
import { valueCharactersMax } from '../../../contract/limits/spreadsheet.ts';
import { quoteNames } from '../../../contract/reading/reading.ts';
import type { SampleRows } from '../../../spreadsheet/column-values.ts';
import { isSurnameFirst } from '../../../spreadsheet/name-pair.ts';
import { isStatusColumn, saysOptOut } from '../../../spreadsheet/opt-out-status.ts';
import {
  type ColumnKey,
  foldWords,
  isAboutOthers,
  isLastNameFirst,
  readHeader,
} from '../../../spreadsheet/read-header.ts';
import { listColumns } from '../../../spreadsheet/recognize-columns.ts';
import { foldText } from '../../normalize/fold-text.ts';
import type { DayOrder } from '../../normalize/normalize-date.ts';
import { unwrapCell } from '../../normalize/read-cell.ts';
import { isNothing, readMarkup } from '../../normalize/read-markup.ts';
import { type Place, readPlace } from '../../normalize/read-place.ts';

const labelled = /^(?:email|personal_email|mobile_phone|direct_phone|phone|company_phone)$/;
const labelWord = new RegExp(
  ' (?:type|label|kind|typ|art|bezeichnung|libelle|etiquette|etiqueta|rotulo|etichetta|tipo|' +
    'soort|etiket|etykieta|rodzaj|etikett|метка|тип|タイプ|ラベル|类型|标签)$',
);
const valueWord =
  / (?:value|number|address|wert|valeur|valor|valore|waarde|wartosc|varde|значение|値|值)$/;

interface LabelledColumns {
  /** Column of a number or an address → column of its label. */
  readonly labels: ReadonlyMap<number, number>;
  /** The columns of a field in a row; those of home last. Numbers of a fax are in none. */
  placesIn(cells: readonly string[], field: string, own: readonly number[]): readonly number[];
}

/** What a label says of a value; '' if it says nothing, null if the value is of no use. */
function readLabel(label: string, noun: string): string | null {
  if (label.trim() === '') return '';
  if (isAboutOthers(label)) return null;
  const meaning = readHeader(`${label} ${noun}`);
  return meaning === null || meaning.doubt > 1 ? '' : meaning.key;
}

/** @param fieldOf column → field @param fieldOfKey the field for what a label says */
function findLabels(
  headers: readonly string[],
  fieldOf: ReadonlyMap<number, string>,
  fieldOfKey: (key: string) => string | undefined,
): LabelledColumns {
  const folded = headers.map(foldWords);
  const labels = new Map<number, number>();
  for (const [at, field] of fieldOf) {
    const base = (folded[at] ?? '').replace(valueWord, '');
    const label = folded.findIndex(
      (name) => labelWord.test(name) && name.replace(labelWord, '') === base,
    );
    if (label >= 0 && labelled.test(field) && !fieldOf.has(label)) labels.set(at, label);
  }
  const keys = new Map<string, string | null>();
  const keyOf = (label: string, field: string): string | null => {
    const noun = field.includes('email') ? 'email' : 'phone';
    const name = `${noun} ${label}`;
    const known = keys.get(name);
    if (known !== undefined) return known;
    const key = readLabel(label, noun);
    keys.set(name, key);
    return key;
  };
  return {
    labels,
    placesIn(cells, field, own) {
      if (labels.size === 0 || !labelled.test(field)) return own;
      const first = own.filter((at) => !labels.has(at));
      const last: number[] = [];
      for (const [at, label] of labels) {
        const named = fieldOf.get(at) ?? field;
        const key = keyOf(cells[label] ?? '', named);
        if (key === null || (fieldOfKey(key) ?? named) !== field) continue;
        (key.endsWith('.private') ? last : first).push(at);
      }
      return [...first, ...last];
    },
  };
}

export interface FilledCell {
  readonly text: string;
  readonly header: string;
}

/** Reads a field from a row, trimmed: of several columns the first that is filled; else ''. */
export type CellReader<Field extends string> = (cells: readonly string[], field: Field) => string;

export interface MappedColumns<Field extends string> {
  /** Order of days and months in the list; null if it is not known. */
  readonly dayOrder: DayOrder | null;
  readonly read: CellReader<Field>;
  has(field: Field): boolean;
  /** The filled cells of a field's columns, the best column first. */
  list(cells: readonly string[], field: Field): readonly FilledCell[];
  placesOf(fields: readonly Field[]): number[];
  isLastFirst(header: string): boolean;
  headerOf(field: Field): string;
  /** Column indices of statuses, of which a value may be an opt-out. They stay what they are. */
  readonly statuses: readonly number[];
  /** Column indices of what says whether a number is of a mobile, and an address of home. */
  readonly labels: readonly number[];
  /** The field of each column, or that it is kept; null if the column is not read. */
  readonly fields: readonly (Field | typeof keptField | null)[];
  /** The kept cells of a row as JSON of header and cell; '' if no column is kept. */
  keep(cells: readonly string[]): string;
}

const isSameHeader = (one: string, other: string): boolean =>
  one.trim().toLowerCase() === other.trim().toLowerCase();

export interface ColumnChoices {
  /** Field → header. */
  readonly mapping?: Readonly<Record<string, string>> | undefined;
  /**
   * Headers of the columns to keep as they are; `*` for all that become no field. If omitted, a
   * list with ids keeps the owner of each record and its lifecycle stage.
   */
  readonly keep?: readonly string[] | undefined;
}

/**
 * Maps the columns of a list. Choices override recognised headers; those for other lists' fields or
 * headers are ignored.
 * @param sample the first rows, which confirm or correct what the headers say
 */
export function mapColumns<Field extends string>(
  headers: readonly string[],
  dictionary: Readonly<Record<Field, readonly ColumnKey[]>>,
  { mapping = {}, keep: chosen }: ColumnChoices = {},
  sample: SampleRows = [],
): MappedColumns<Field> {
  const byHand = Object.entries(mapping).flatMap(([field, header]) => {
    const at = headers.findIndex((candidate) => candidate.trim() === header.trim());
    return field in dictionary && at >= 0 ? [[field, at] as const] : [];
  });
  const keep = chosen ?? [];
  const named = keep.map((header) => headers.findIndex((one) => isSameHeader(one, header)));
  const taken = new Set([...byHand.map(([, at]) => at), ...named]);
  const open = headers.map((header, at) => (taken.has(at) ? '' : header));
  const fields = Object.keys(dictionary).filter(
    (field) => !byHand.some(([name]) => name === field),
  );
  const rest = Object.fromEntries(fields.map((field) => [field, dictionary[field as Field]]));
  const columns: ReadonlyMap<string, readonly number[]> = new Map<string, readonly number[]>([
    ...Object.entries(listColumns(open, rest, sample)),
    ...byHand.map(([field, at]) => [field, [at]] as const),
  ]);
  const fieldOf = new Map(
    [...columns].flatMap(([field, places]) => places.map((at) => [at, field as Field] as const)),
  );
  const isKept = (header: string, at: number): boolean => {
    if (chosen === undefined) return columns.has('id') && ownership.test(foldText(header));
    return named.includes(at) || (keep.includes(keepRest) && header.trim() !== '');
  };
  const { labels, placesIn } = findLabels(headers, fieldOf, (key) =>
    fields.find((field) => dictionary[field as Field].includes(key)),
  );
  const listPlaces = (cells: readonly string[], field: Field): readonly number[] =>
    placesIn(cells, field, columns.get(field) ?? noPlaces);
  for (const [at, label] of labels) {
    const field = fieldOf.get(at);
    if (field !== undefined) fieldOf.set(label, field);
  }
  const keptAt = headers.flatMap((header, at) =>
    !fieldOf.has(at) && isKept(header, at) ? [at] : [],
  );
  const statuses = headers.flatMap((header, at) =>
    mayBeStatus(fieldOf.get(at)) && isStatusColumn(header, sample, at) ? [at] : [],
  );
  const isOptOut = (at: number): boolean =>
    statuses.includes(at) && sample.some((row) => saysOptOut(row[at] ?? ''));
  const describeColumn = (at: number): Field | typeof keptField | null => {
    if (fieldOf.has(at)) return fieldOf.get(at) ?? null;
    if (keptAt.includes(at)) return keptField;
    return 'suppressed' in dictionary && isOptOut(at) ? ('suppressed' as Field) : null;
  };
  const wholeAt = columns.get('full_name') ?? [];
  const lastFirst = new Set(
    wholeAt
      .filter((at) => isLastNameFirst(headers[at] ?? '') || isSurnameFirst(at, sample))
      .map((at) => headers[at]),
  );
  const keptNames = keptAt.map((at) => headers[at]?.trim() ?? '');
  return {
    dayOrder: null,
    isLastFirst: (header) => lastFirst.has(header),
    read(cells, field) {
      for (const at of listPlaces(cells, field)) {
        const text = readText(cells[at] ?? '', field);
        if (text !== '') return firstValue(text);
      }
      return '';
    },
    has: (field) => columns.has(field),
    list(cells, field) {
      let filled = noCells;
      for (const at of listPlaces(cells, field)) {
        const text = readText(cells[at] ?? '', field);
        if (text !== '') filled = [...filled, { text, header: headers[at] ?? field }];
      }
      return filled;
    },
    placesOf: (fields) => fields.flatMap((field) => columns.get(field) ?? noPlaces),
    headerOf: (field) => headers[columns.get(field)?.[0] ?? -1] ?? field,
    statuses,
    labels: [...labels.values()],
    fields: headers.map((_, at) => describeColumn(at)),
    keep(cells) {
      if (keptAt.length === 0) return '';
      const kept = keptAt.map((at, place) => [keptNames[place], cells[at] ?? '']);
      return JSON.stringify(Object.fromEntries(kept));
    },
  };
}

/** The headers under which CRMs export whose a record is, and how far it is, folded. */
const ownership = new RegExp(
  [
    /\bowner\b|\bownerid\b|\b(?:besitzer|inhaber|eigentumer|zustandige?r?|verantwortliche?r?)\b/,
    /\b(?:proprietaire|propietario|proprietario|eigenaar|wlasciciel|agare|omistaja)\b/,
    /\blife ?-?cycle\b|lebenszyklus|\bcycle de vie\b|\bciclo (?:de vida|di vita)\b|levenscyclus/,
    /\blead ?-?(?:status|stage)\b|^(?:contact |account |person )?stage$/,
  ]
    .map(({ source }) => source)
    .join('|'),
);

const noPlaces: readonly number[] = [];
const noCells: readonly FilledCell[] = [];

/** Whether a column with this field, or without one, may have statuses of contacts. */
const mayBeStatus = (field: string | undefined): boolean =>
  field === undefined || field === 'email_status' || field === 'state';

const nameFields = new Set(['first_name', 'middle_name', 'last_name', 'full_name', 'nickname']);
const addressFields = new Set([
  'email',
  'personal_email',
  'profile_url',
  'company_domain',
  'website',
]);

/** Most cells: nothing in them needs to be read. */
const plainCell = /^[\w@+](?:[\w ,.:@/+'-]*[\w.])?$/;

/** The text of a field's cell, or the start of a long one; '' for a word that means nothing. */
function readText(cell: string, field: string): string {
  if (cell === '') return '';
  const start = cell.length > valueCharactersMax ? cell.slice(0, valueCharactersMax) : cell;
  const text = plainCell.test(start)
    ? start
    : readMarkup(unwrapCell(start), addressFields.has(field));
  return isNothing(text, nameFields.has(field)) ? '' : text;
}

/** The first of several values, which Google Contacts writes as "Ola ::: Nordlicht". */
export const firstValue = (text: string): string => {
  const at = text.indexOf(' ::: ');
  return at < 0 ? text : text.slice(0, at).trim();
};

const isPlacePart = (field: string): field is keyof Place =>
  field === 'city' || field === 'state' || field === 'country';

/** A reader of a row's fields; a part of the place that has no cell is read from the location. */
export function readRow<Field extends string>(
  columns: MappedColumns<Field | 'location'>,
  cells: readonly string[],
): (field: Field | 'location') => string {
  if (!columns.has('location')) return (field) => columns.read(cells, field);
  const place = readPlace(columns.read(cells, 'location'));
  return (field) => columns.read(cells, field) || (isPlacePart(field) ? place[field] : '');
}

interface MappedList {
  readonly headers: readonly string[];
  readonly dictionary: object;
}

export function checkChoices({ mapping, keep }: ColumnChoices, lists: readonly MappedList[]): void {
  const headers = lists.flatMap((list) => list.headers);
  for (const header of keep ?? [])
    if (header !== keepRest && !headers.some((name) => isSameHeader(name, header)))
      throw invalid(
        `keep: no file has a column ${JSON.stringify(header)}. ` +
          `The columns are ${quoteNames(headers)}.`,
      );
  for (const [field, header] of Object.entries(mapping ?? {})) {
    const known = lists.filter(({ dictionary }) => field in dictionary);
    if (!known.length)
      throw invalid(
        `mapping: there is no field "${field}". Use one of ` +
          `${Object.keys(lists[0]?.dictionary ?? {}).join(', ')}.`,
      );
    const isHere = known.some(({ headers }) =>
      headers.some((name) => name.trim() === header.trim()),
    );
    if (!isHere)
      throw invalid(
        `mapping.${field}: the file has no column ${JSON.stringify(header)}. Its columns are ` +
          `${quoteNames(known[0]?.headers ?? [])}.`,
      );
  }
}

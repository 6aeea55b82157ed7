// A contact in a request: the row fields that enrichment reads (docs/api.md, "JSON").
import { z } from 'zod';
import { valueCharactersMax } from '../limits/spreadsheet.ts';

/** The row fields that enrichment reads. Any other key or column is kept and returned unchanged. */
export const rowInputFields = [
  'first_name',
  'last_name',
  'company_name',
  'email',
  'profile_url',
  'title',
  'phone',
  'company_domain',
  'country',
  'client_reference_id',
] as const;
export type RowInputField = (typeof rowInputFields)[number];

/** Further columns of a field in lists: in each row the first filled one is read. */
export const furtherColumns = {
  email: ['email_2', 'email_3', 'email_4'],
  profile_url: ['profile_url_2', 'profile_url_3'],
  phone: ['phone_2', 'phone_3', 'phone_4'],
} as const;
const furtherNames = Object.values(furtherColumns).flat();
export const mappedNames = [...rowInputFields, ...furtherNames] as const;
export type MappedName = (typeof mappedNames)[number];

/** Row field → header text of the column that holds it. */
export const MappingSchema = z.partialRecord(z.enum(mappedNames), z.string().min(1));
export type Mapping = z.infer<typeof MappingSchema>;

/** Row field → column index in a canonical table. */
export type ColumnMapping = Partial<Record<MappedName, number>>;

const further: Readonly<Partial<Record<RowInputField, readonly MappedName[]>>> = furtherColumns;

export function listMapped(mapping: ColumnMapping, field: RowInputField): readonly MappedName[] {
  const names = further[field];
  return names === undefined
    ? [field]
    : [field, ...names].filter((name) => mapping[name] !== undefined);
}

export const personFields = ['first_name', 'last_name', 'email', 'profile_url'] as const;

/** Whether a mapping has a column that names people. Without one it may be of companies. */
export const namesPeople = (mapping: ColumnMapping): boolean =>
  personFields.some((field) => mapping[field] !== undefined);

/** Whether a mapping has columns, and none of them names people. */
export const isOfCompanies = (mapping: ColumnMapping): boolean =>
  Object.keys(mapping).length > 0 && !namesPeople(mapping);

/** What names a contact or a company, best first. */
const identityFields = [
  ['first_name', 'last_name'],
  ['email'],
  ['profile_url'],
  ['company_name'],
  ['company_domain'],
  ['client_reference_id'],
] as const;

/** The groups of columns that name the contact or company of a row, best first. */
export const findIdentity = (mapping: ColumnMapping): number[][] =>
  identityFields
    .map((fields) => fields.flatMap((field) => mapping[field] ?? []))
    .filter((columns) => columns.length > 0);

const readStart = (cell: string | undefined): string =>
  cell !== undefined && cell.length > valueCharactersMax
    ? cell.slice(0, valueCharactersMax)
    : (cell ?? '');

/** The first filled cell of a field's columns; '' if none is. Of a long text only the start. */
export function readMapped(
  cells: readonly string[],
  mapping: ColumnMapping,
  field: RowInputField,
): string {
  const column = mapping[field];
  const cell = column === undefined ? '' : readStart(cells[column]);
  const names = further[field];
  if (names === undefined || cell.trim() !== '') return cell;
  for (const name of names) {
    const at = mapping[name];
    const other = at === undefined ? '' : readStart(cells[at]);
    if (other.trim() !== '') return other;
  }
  return cell;
}

// Parses and normalises one row of a list of companies.
import { normalizeUrl, websiteDomain } from '../../normalize/normalize-url.ts';
import type { Values } from '../../normalize/record-fields.ts';
import type { RemarkOnRow } from '../import-tally.ts';
import type { CompanyField } from './import-columns.ts';
import { type MappedColumns, readRow } from './map-columns.ts';
import { readEmployees, readObserved, readPhone, readRevenue } from './read-values.ts';

export interface CompanyFacts {
  /** The id in the source; '' if there is none. */
  readonly givenId: string;
  /** Without a name in a row of an alias list, which only adds names to known companies. */
  readonly values: Values<'company'>;
  readonly aliases: readonly string[];
  /** The row's own day of observation; '' if there is none. */
  readonly observedOn: string;
  /** The kept columns of a row of companies, as MappedColumns.keep returns them. */
  readonly kept: string;
}

export function keepFilled<T extends string>(
  values: Readonly<Record<T, string | null>>,
): Partial<Record<T, string>> {
  const filled: Partial<Record<T, string>> = {};
  for (const name in values) {
    const value = values[name];
    if (value) filled[name] = value;
  }
  return filled;
}

export function joinSpaces(text: string): string {
  return /\s\s|[^\S ]/.test(text) ? text.replace(/\s+/g, ' ') : text;
}

/** Names in one cell, separated by `|` or `;`, without duplicates. */
export function splitNames(text: string): string[] {
  if (text === '') return [];
  const names = text.split(/[|;]/).map((name) => name.trim().replace(/\s+/g, ' '));
  return [...new Set(names)].filter((name) => name !== '');
}

/** Reads a row of a list of ids and other names; null (with a remark) if one is missing. */
function readAliasRow(
  columns: MappedColumns<CompanyField>,
  cells: readonly string[],
  remark: RemarkOnRow,
): CompanyFacts | null {
  const [givenId, aliases] = [
    columns.read(cells, 'id'),
    splitNames(columns.read(cells, 'aliases')),
  ];
  const missing = givenId === '' ? 'id' : aliases.length === 0 ? 'aliases' : null;
  if (missing === null) return { givenId, values: {}, aliases, observedOn: '', kept: '' };
  remark(
    'The row was refused: an alias list needs a company id and an alias in each row.',
    columns.headerOf(missing),
  );
  return null;
}

/** Parses a company's row; null (with a remark that says why) if it has no company name. */
export function readCompanyRow(
  columns: MappedColumns<CompanyField>,
  cells: readonly string[],
  remark: RemarkOnRow,
): CompanyFacts | null {
  if (!columns.has('name') && !columns.has('legal_name'))
    return readAliasRow(columns, cells, remark);
  const read = readRow(columns, cells);
  // A list may have no other name.
  const name = joinSpaces(read('name') || read('legal_name'));
  if (name === '') {
    remark(
      'The row was refused because it has no company name. Fill in the name.',
      columns.headerOf('name'),
    );
    return null;
  }
  const [country, website] = [read('country'), read('website')];
  return {
    givenId: read('id'),
    values: keepFilled({
      name,
      website: normalizeUrl(website) && website,
      domain: websiteDomain(read('domain')) ?? websiteDomain(website),
      industry: read('industry'),
      kind: read('kind'),
      employee_range: readEmployees(columns.list(cells, 'employees'), remark),
      revenue_range: readRevenue(columns.list(cells, 'revenue'), remark),
      street: read('street'),
      city: read('city'),
      state: read('state'),
      country,
      postal_code: read('postal_code'),
      phone: readPhone(columns.list(cells, 'phone'), country, remark),
      employees: read('employees'),
      revenue: read('revenue'),
      founded: read('founded'),
      legal_name: read('legal_name'),
      registration_number: read('registration_number'),
      parent: read('parent'),
      description: read('description'),
    }),
    aliases: splitNames(read('aliases')).filter((alias) => alias !== name),
    observedOn: readObserved(
      read('observed_on'),
      columns.dayOrder,
      columns.headerOf('observed_on'),
      remark,
    ),
    kept: columns.keep(cells),
  };
}

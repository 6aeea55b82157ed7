// Lists of companies with their contacts in child rows, as Odoo exports them: the columns of
// contacts are a group, "Contacts/Name", and only the first contact's row has the company's cells.
import { readHeader } from './read-header.ts';

/** A header of a group, and its name in it. */
const grouped = /^(.*\S)\s*[/>.]\s*([^/>.]+)$/;
const childGroup =
  /\b(?:child|children|contacts?|persons?|people|kontakte?|kontaktpersonen|ansprechpartner|contactos?|contatti|contatos?|contacten|contactpersonen|kontakty)\b/i;
const nameKey = /^(?:name|(?:full|first|last)_name)/;

export interface ChildColumns {
  nameOf(at: number): string | null;
  /** The cells of a row; one that continues the company above has that company's, too. */
  fill(cells: readonly string[], above: readonly string[]): readonly string[];
}

/** Finds the group of contacts; null if a list has none, or no company next to it. */
export function findChildren(headers: readonly string[]): ChildColumns | null {
  const parts = headers.map((header) => grouped.exec(header.replaceAll('_', ' ')));
  const isNamed = (at: number) => nameKey.test(readHeader(parts[at]?.[2] ?? '')?.key ?? '');
  const group = parts.find((part, at) => childGroup.test(part?.[1] ?? '') && isNamed(at))?.[1];
  if (group === undefined) return null;
  const parents = headers.flatMap((_, at) => (parts[at] === null ? [at] : []));
  const hasCompany = parents.some((at) =>
    /^(?:name|full_name|company)$/.test(readHeader(headers[at] ?? '')?.key ?? ''),
  );
  const hasPeople = parents.some((at) =>
    /^(?:first|last)_name/.test(readHeader(headers[at] ?? '')?.key ?? ''),
  );
  if (!hasCompany || hasPeople) return null;
  return {
    nameOf: (at) => (parts[at]?.[1] === group ? (parts[at][2] ?? null) : null),
    fill(cells, above) {
      if (parents.some((at) => (cells[at] ?? '').trim() !== '')) return cells;
      return cells.map((cell, at) => (parts[at] === null ? (above[at] ?? '') : cell));
    },
  };
}

const ofCompany: Readonly<Record<string, string>> = {
  name: 'company',
  full_name: 'company',
  phone: 'company.phone',
  mobile: 'company.phone',
  direct: 'company.phone',
  email: '',
  title: '',
  job_title: '',
  salutation: '',
};

/** The meaning of a column of the company: its mailbox is no contact's. */
export function readParentKey(key: string): string {
  const noun = key.replace(/^company\./, '').replace(/\..*$/, '');
  const isPlace = /^(?:id|city|state|country|location|street|postal_code|profile)$/.test(noun);
  return isPlace ? `company.${noun}` : (ofCompany[noun] ?? key);
}

// Ranges of addresses, which an index of reversed texts answers: one address, or every address of a
// host and of its subdomains (migrations/005-identifiers.sql).
import type { PoolClient } from 'pg';

/** From `low` up to, not including, `high`. */
export interface AddressRange {
  readonly low: string;
  readonly high: string;
}

/** A text with A to Z in lower case, as lower() gives it with the collation "C". */
export const foldLetters = (text: string): string =>
  text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** A text reversed as PostgreSQL does it: by characters. */
const reverseText = (text: string): string => Array.from(foldLetters(text)).reverse().join('');

const rangeFrom = (low: string, next: string): AddressRange => ({ low, high: `${low}${next}` });

/** The range of one address. No stored text has a character below the first one. */
export const rangeOfAddress = (email: string): AddressRange =>
  rangeFrom(reverseText(email), '\u0001');

/** The ranges of a host alone and of its subdomains, after the text that ends them. */
const subdomains = (host: string): AddressRange => {
  const reversed = reverseText(host);
  // The character behind the full stop.
  return { low: `${reversed}.`, high: `${reversed}/` };
};

export const rangesOfHost = (host: string): AddressRange[] => [
  rangeOfAddress(host),
  subdomains(host),
];

export const rangesAtHost = (host: string): AddressRange[] => {
  const reversed = reverseText(host);
  // The character behind the at sign.
  return [{ low: `${reversed}@`, high: `${reversed}A` }, subdomains(host)];
};

/** The people with an address in one of the ranges, also of an employment that ended. */
export async function listPeopleAt(
  client: PoolClient,
  ranges: readonly AddressRange[],
): Promise<number[]> {
  const { rows } = await client.query<{ id: number }>(
    'SELECT id FROM desk_people_at($1::text[], $2::text[]) id',
    [ranges.map(({ low }) => low), ranges.map(({ high }) => high)],
  );
  return rows.map(({ id }) => id);
}

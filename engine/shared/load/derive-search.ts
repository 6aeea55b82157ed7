// Derives the values by which people and companies are searched from directory.db.
import { type IdRange, readRows, readRowsOf } from '../../directory/index/index-lists.ts';
import { withEmailSql } from '../../directory/search/search-emails.ts';
import { isWordField, listKeys, type SearchField } from '../../directory/search/search-keys.ts';
import {
  type SearchedCompany,
  type SearchedPerson,
  searchedCompanies,
  searchedPeople,
} from '../../directory/search/searched-records.ts';
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import { storedKey, valuesOfKey, wholeFields } from '../search/search-fields.ts';

export interface NumberedValue {
  readonly id: number;
  readonly field: number;
  readonly key: string;
  /** As it is displayed; null for words. */
  name: string | null;
  isUsed: boolean;
}

export interface SearchValues {
  number(field: number, key: string): NumberedValue;
  list(): Iterable<NumberedValue>;
}

/** @param known the values that the shared directory has: they keep their numbers */
export function openSearchValues(
  known: readonly Pick<NumberedValue, 'id' | 'field' | 'key'>[],
): SearchValues {
  const byKey = new Map<string, NumberedValue>();
  let next = 1;
  for (const { id, field, key } of known) {
    byKey.set(`${field} ${key}`, { id, field, key, name: null, isUsed: false });
    next = Math.max(next, id + 1);
  }
  return {
    number(field, key) {
      const place = `${field} ${key}`;
      let value = byKey.get(place);
      if (!value) {
        value = { id: next++, field, key, name: null, isUsed: false };
        byKey.set(place, value);
      }
      value.isUsed = true;
      return value;
    },
    list: () => byKey.values(),
  };
}

export interface SearchEntry {
  readonly companyId: number | null;
  /** Ascending, each once. */
  readonly valueIds: readonly number[];
}

const keptTextsMax = 50_000;

function numberTexts(values: SearchValues) {
  const kept = new Map<SearchField, Map<string, readonly number[]>>();
  return (field: SearchField, text: string | null): readonly number[] => {
    if (!text) return [];
    const known = kept.get(field) ?? new Map<string, readonly number[]>();
    kept.set(field, known);
    const answered = known.get(text);
    if (answered) return answered;
    const numbers = listKeys(field, text).flatMap((key) =>
      valuesOfKey(field, key).map((one) => {
        const value = values.number(one.field, one.key);
        if (!isWordField(field)) value.name ??= storedKey(text.trim());
        return value.id;
      }),
    );
    if (known.size >= keptTextsMax) known.clear();
    known.set(text, numbers);
    return numbers;
  };
}

interface DerivedCompany {
  readonly country: string | null;
  readonly valueIds: readonly number[];
  /** The countries of its contacts. */
  places: Set<number> | undefined;
}

export interface SearchDeriver {
  /** The people of a range who are not suppressed, by id. */
  derive(range: IdRange): Map<number, SearchEntry>;
  /**
   * The companies that are not suppressed with their values, ascending, each once. A company has
   * the countries of its contacts, so call it after all people.
   */
  listCompanies(): Generator<[companyId: number, valueIds: readonly number[]]>;
}

const sortNumbers = (numbers: Iterable<number>): readonly number[] =>
  Array.from(Int32Array.from(numbers).sort());

export function createSearchDeriver(db: ReadableDatabase, values: SearchValues): SearchDeriver {
  const numbersOf = numberTexts(values);
  const companies = new Map<number, DerivedCompany>();
  const { sql, columns } = searchedCompanies;
  for (const row of readRows<SearchedCompany>(db, sql, columns)) {
    const [id, name, industry, employees, revenue, country] = row;
    const valueIds = [
      ...numbersOf('companyName', name),
      ...numbersOf('industry', industry),
      ...numbersOf('employeeRange', employees),
      ...numbersOf('revenueRange', revenue),
    ];
    companies.set(id, { country, valueIds, places: undefined });
  }
  const withEmail = db.prepare(`${withEmailSql} AND p.id BETWEEN ? AND ?`).pluck();
  const whole = (name: keyof typeof wholeFields) => values.number(wholeFields[name], '').id;
  const [everyone, hasEmail] = [whole('everyone'), whole('withEmail')];
  const everyCompany = whole('everyCompany');
  const entryOf = (row: SearchedPerson, isReachable: boolean): SearchEntry => {
    const [, name, ownCountry, title, level, companyId] = row;
    const company = companyId === null ? undefined : companies.get(companyId);
    const country = ownCountry || (company?.country ?? null);
    if (company && country) {
      company.places ??= new Set();
      for (const place of numbersOf('companyCountry', country)) company.places.add(place);
    }
    const numbers = new Set([
      ...numbersOf('personName', name),
      ...numbersOf('jobTitle', title),
      ...numbersOf('jobLevel', level),
      ...numbersOf('contactCountry', country),
      ...(company?.valueIds ?? []),
      everyone,
    ]);
    if (isReachable) numbers.add(hasEmail);
    return { companyId: company ? companyId : null, valueIds: sortNumbers(numbers) };
  };
  return {
    derive(range) {
      const { from, to } = range;
      const reachable = new Set(withEmail.all(from, to) as number[]);
      const rows = readRowsOf<SearchedPerson>(
        db,
        searchedPeople.sql,
        searchedPeople.columns,
        'id',
        range,
      );
      return new Map(rows.map((row) => [row[0], entryOf(row, reachable.has(row[0]))]));
    },
    *listCompanies() {
      for (const id of sortNumbers(companies.keys())) {
        const { country, valueIds, places } = companies.get(id)!;
        const head = numbersOf('companyCountry', country);
        yield [id, sortNumbers(new Set([...valueIds, ...head, ...(places ?? []), everyCompany]))];
      }
    },
  };
}

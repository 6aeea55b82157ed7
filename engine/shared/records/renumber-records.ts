// Numbers for fetched people and companies, so that an index of a few is small.
import { recordNames } from '../../directory/normalize/record-fields.ts';
import type { FetchedRecords } from './fetched-tables.ts';

type Row = Readonly<Record<string, unknown>>;

/** The new number of each id, from 1. */
const numberRows = (rows: readonly Row[] = []): Map<number, number> =>
  new Map(rows.map(({ id }, at) => [Number(id), at + 1]));

/** Gives people and companies new numbers, wherever they are named. */
export function renumberRecords(records: FetchedRecords) {
  const people = numberRows(records.person);
  const companies = numberRows(records.company);
  const claimed = { [recordNames.indexOf('person')]: people };
  claimed[recordNames.indexOf('company')] = companies;
  const change = (table: string, row: Row): Row => {
    const own = { person: people, company: companies }[table];
    const of = table === 'value_claim' ? claimed[Number(row.record)] : undefined;
    return {
      ...row,
      ...(own && { id: own.get(Number(row.id)) }),
      ...(of && { record_id: of.get(Number(row.record_id)) }),
      ...('person_id' in row && { person_id: people.get(Number(row.person_id)) }),
      ...('company_id' in row && { company_id: companies.get(Number(row.company_id)) ?? null }),
    };
  };
  const renumbered: FetchedRecords = Object.fromEntries(
    Object.entries(records).map(([table, rows]) => [table, rows.map((row) => change(table, row))]),
  );
  return { records: renumbered, people, companies };
}

// Encodes the facts of a list's rows as packed rows, and decodes them.
import {
  createRowPacker,
  createRowUnpacker,
  type PackedRows,
  type RowPacker,
  type RowUnpacker,
} from '../../normalize/packed-rows.ts';
import {
  type FieldName,
  type RecordName,
  recordFields,
  type Values,
} from '../../normalize/record-fields.ts';
import type { SplitName } from '../../normalize/split-name.ts';
import type { FactsOfList, ListKind, ListRow, RowRemark } from './parse-rows.ts';
import type { CompanyFacts } from './read-company-row.ts';
import type { EmploymentFacts, PersonFacts, PersonPart, RowPhone } from './read-person-row.ts';

function packValues<R extends RecordName>(packer: RowPacker, record: R, values: Values<R>): void {
  for (const field of recordFields[record] as readonly FieldName<R>[])
    packer.text(values[field] ?? '');
}

function unpackValues<R extends RecordName>(rows: RowUnpacker, record: R): Values<R> {
  const values: Values<R> = {};
  for (const field of recordFields[record] as readonly FieldName<R>[]) {
    const value = rows.text();
    if (value !== '') values[field] = value;
  }
  return values;
}

function unpackList<T>(rows: RowUnpacker, read: () => T): readonly T[] {
  const count = rows.number();
  return count === 0 ? [] : Array.from({ length: count }, read);
}

function packCompany(packer: RowPacker, facts: CompanyFacts): void {
  packer.text(facts.givenId);
  packer.text(facts.observedOn);
  packer.text(facts.kept);
  packValues(packer, 'company', facts.values);
  packer.number(facts.aliases.length);
  for (const alias of facts.aliases) packer.text(alias);
}

function unpackCompany(rows: RowUnpacker): CompanyFacts {
  const [givenId, observedOn, kept] = [rows.text(), rows.text(), rows.text()];
  const values = unpackValues(rows, 'company');
  return { givenId, observedOn, kept, values, aliases: unpackList(rows, rows.text) };
}

function packPersonPart(packer: RowPacker, person: PersonPart): void {
  packer.text(person.givenId);
  packer.text(person.uuid);
  packer.text(person.profileKey);
  packer.text(person.lastKey);
  packer.text(person.personalEmail);
  packValues(packer, 'person', person.values);
  packer.number(person.otherNames.length);
  for (const { first, last } of person.otherNames) {
    packer.text(first);
    packer.text(last);
  }
  packer.number(person.phones.length);
  for (const { kind, number } of person.phones) {
    packer.text(kind);
    packer.text(number);
  }
}

function packPerson(packer: RowPacker, facts: PersonFacts, before: PersonFacts | null): void {
  packer.number(facts.rank);
  packer.text(facts.observedOn);
  packer.text(facts.kept);
  const isSame = facts.person === before?.person;
  packer.number(isSame ? 1 : 0);
  if (!isSame) packPersonPart(packer, facts.person);
  packer.number(facts.employment ? 1 : 0);
  if (!facts.employment) return;
  packValues(packer, 'employment', facts.employment.values);
  packer.number(facts.employment.company ? 1 : 0);
  if (facts.employment.company) packCompany(packer, facts.employment.company);
}

function unpackEmployment(rows: RowUnpacker): EmploymentFacts {
  const values = unpackValues(rows, 'employment');
  return { values, company: rows.number() ? unpackCompany(rows) : null };
}

function unpackPersonPart(rows: RowUnpacker): PersonPart {
  // In the order of packing.
  return {
    givenId: rows.text(),
    uuid: rows.text(),
    profileKey: rows.text(),
    lastKey: rows.text(),
    personalEmail: rows.text(),
    values: unpackValues(rows, 'person'),
    otherNames: unpackList(rows, (): SplitName => ({ first: rows.text(), last: rows.text() })),
    phones: unpackList(
      rows,
      (): RowPhone => ({
        kind: rows.text() === 'mobile' ? 'mobile' : 'direct',
        number: rows.text(),
      }),
    ),
  };
}

function unpackPerson(rows: RowUnpacker, line: number, before: PersonFacts | null): PersonFacts {
  const [rank, observedOn, kept] = [rows.number(), rows.text(), rows.text()];
  const isSame = rows.number() === 1 && before !== null;
  const person = isSame ? before.person : unpackPersonPart(rows);
  return {
    line,
    rank,
    observedOn,
    kept,
    person,
    employment: rows.number() ? unpackEmployment(rows) : null,
  };
}

// A packed row may refer to the previous row. Each batch starts without a previous row.
const packers: {
  readonly [Kind in ListKind]: (
    packer: RowPacker,
    facts: FactsOfList[Kind],
    before: FactsOfList[Kind] | null,
  ) => void;
} = { people: packPerson, companies: packCompany };
const unpackers: {
  readonly [Kind in ListKind]: (
    rows: RowUnpacker,
    line: number,
    before: FactsOfList[Kind] | null,
  ) => FactsOfList[Kind];
} = { people: unpackPerson, companies: unpackCompany };

export interface PackedList {
  readonly rowCount: number;
  readonly packed: PackedRows;
  /** Remarks by row index; not packed, because few rows have any. */
  readonly remarks: ReadonlyMap<number, readonly RowRemark[]>;
}

export interface ListPacker<Kind extends ListKind> {
  add(row: ListRow<Kind>): number;
  /** All rows since the last call. */
  finish(): PackedList;
}

export function createListPacker<Kind extends ListKind>(kind: Kind): ListPacker<Kind> {
  const packer = createRowPacker();
  const pack = packers[kind];
  let rowCount = 0;
  let remarks = new Map<number, readonly RowRemark[]>();
  let before: FactsOfList[Kind] | null = null;
  return {
    add(row) {
      packer.number(row.line);
      packer.number(row.facts ? 1 : 0);
      if (row.facts) pack(packer, row.facts, before);
      before = row.facts ?? before;
      packer.number(row.further.length);
      for (const facts of row.further) {
        pack(packer, facts, before);
        before = facts;
      }
      if (row.remarks.length) remarks.set(rowCount, row.remarks);
      return ++rowCount;
    },
    finish() {
      const list = { rowCount, packed: packer.finish(), remarks };
      rowCount = 0;
      remarks = new Map();
      before = null;
      return list;
    },
  };
}

export function unpackRows<Kind extends ListKind>(
  kind: Kind,
  { rowCount, packed, remarks }: PackedList,
  take: (row: ListRow<Kind>) => void,
): void {
  const rows = createRowUnpacker(packed);
  const unpack = unpackers[kind];
  let before: FactsOfList[Kind] | null = null;
  for (let at = 0; at < rowCount; at++) {
    const line = rows.number();
    const facts: FactsOfList[Kind] | null = rows.number() ? unpack(rows, line, before) : null;
    before = facts ?? before;
    const further = unpackList(rows, () => {
      const other = unpack(rows, line, before);
      before = other;
      return other;
    });
    take({ line, facts, further, remarks: remarks.get(at) ?? noRemarks });
  }
}

const noRemarks: readonly RowRemark[] = [];

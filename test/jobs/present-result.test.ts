// Result rows as JSON text are valid against the contract, whatever the stored texts contain.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { creditUnits } from '../../engine/contract/credits.ts';
import {
  matchFields,
  ResultRowSchema,
  reasons,
  rowStatuses,
} from '../../engine/contract/jobs/job.ts';
import { layerByCode, layerCodes } from '../../engine/contract/jobs/layers.ts';
import type { JobRow } from '../../engine/jobs/job.table.ts';
import { createResultWriter } from '../../engine/jobs/results/present-result.ts';
import type { ResultRecord } from '../../engine/jobs/results/result.table.ts';
import { readFields, readFilled } from '../../engine/jobs/results/result-fields.ts';

const at = '2026-11-21T12:00:00.000Z';
const names = ['First name', 'Email', 'Company phone', 'New title'];
const job = {
  codes: ['L1', 'L2', 'L3'],
  prices: { L1: creditUnits(10_000), L2: creditUnits(5_000), L3: creditUnits(10_000) },
  pricePerRowUnits: creditUnits(25_000),
  chargePolicy: 'layers_found',
  createdAt: at,
} as const satisfies Partial<JobRow> as unknown as JobRow;

// Text that breaks a reader of JSON: JSON's own grammar inside values.
const grammar = fc.constantFrom(
  '"',
  '\\',
  ',',
  ':',
  '{',
  '}',
  'null',
  ',"Email":null',
  '\\"',
  '\n',
);
const text = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.array(grammar)).map(String);
const value = fc.oneof(text, fc.constant(null), fc.integer(), fc.double({ noNaN: true }));
const fields = fc.dictionary(fc.constantFrom(...names), value);
/**
 * Layers, values for their first fields, and the names of those; a layer may have got more fields
 * since.
 */
const listed = fc
  .subarray([...layerCodes], { minLength: 1 })
  .chain((codes) =>
    fc.tuple(
      ...codes.map((code) =>
        fc
          .array(value, { maxLength: layerByCode[code].fields.length })
          .map((values) => ({ code, values })),
      ),
    ),
  )
  .map((layers) => ({
    names: layers.flatMap(({ code, values }) => layerByCode[code].fields.slice(0, values.length)),
    values: layers.flatMap(({ values }) => values),
    head: layers.map(({ code, values }) => `${code}:${values.length}`).join(),
  }));
const writeListed = ({ head, values }: { head: string; values: readonly unknown[] }) =>
  head + JSON.stringify(values);
const entry = fc.constantFrom([
  ['CRM "A", B', 0.8, '2026-10-01'],
  0,
  '2026-09-01',
  null,
  null,
  null,
]);

const records: fc.Arbitrary<ResultRecord> = fc.record({
  rowIndex: fc.nat(),
  status: fc.nat({ max: rowStatuses.length - 1 }),
  reason: fc.nat({ max: reasons.length - 1 }),
  contactUuid: fc.constantFrom('', '0c2b8c5e-6f3e-5d5b-9d5c-1f0a8c1d2e3f'),
  layerBits: fc.nat({ max: 0b10_10_10 }),
  fields: fc.oneof(
    fields.map((all) => JSON.stringify(all)),
    listed.map(writeListed),
  ),
  confidence: fc.double({ min: 0, max: 1, noNaN: true }),
  matchedOn: fc.nat({ max: 2 ** matchFields.length - 1 }),
  candidates: fc.option(text.map((name) => JSON.stringify([['id', name, null, 'Acme', 0.93]]))),
  provenance: fc.option(entry.map((compact) => JSON.stringify(compact))),
  error: fc.option(text),
  inferred: fc.constantFrom(null, '["ada@acme.com",0.93,"{first}",4,5,0,"2026-11-20"]'),
});

test('every result is a row of the contract, with its fields in the contract’s order', () => {
  const write = createResultWriter(job);
  fc.assert(
    fc.property(records, text, (record, reference) => {
      const row = JSON.parse(write(record, reference, at));
      expect(ResultRowSchema.strict().parse(row)).toEqual(row);
      expect(Object.keys(row)).toEqual(Object.keys(ResultRowSchema.shape));
      expect(row.client_reference_id).toBe(reference);
    }),
  );
});

test('fields without a value are omitted, numbers become strings, all else is unchanged', () => {
  fc.assert(
    fc.property(fields, (stored) => {
      const record = { fields: JSON.stringify(stored) };
      const parsed = JSON.parse(record.fields) as typeof stored;
      const filled = Object.entries(parsed).filter(([, one]) => one !== null && one !== '');
      expect(readFields(record)).toEqual(
        Object.fromEntries(filled.map(([name, one]) => [name, String(one)])),
      );
      expect(readFilled(record).names).toEqual(filled.map(([name]) => name));
    }),
  );
});

test('values of layers have the display names in the table’s order', () => {
  fc.assert(
    fc.property(listed, ({ names: all, values, head }) => {
      const named = Object.fromEntries(values.map((one, place) => [all[place], one]));
      const read = readFilled({ fields: writeListed({ head, values }) });
      expect(read).toEqual(readFilled({ fields: JSON.stringify(named) }));
      expect(readFilled({ fields: writeListed({ head, values }) }).names).toBe(read.names);
    }),
  );
});

test('a row has the source of each of its fields, also after many rows of other sources', () => {
  const write = createResultWriter(job);
  const observe = (day: number) => {
    const date = new Date(Date.UTC(2020, 0, day)).toISOString().slice(0, 10);
    const provenance = JSON.stringify([['CRM', 0.8, date], 0, null, null, null, null]);
    const record = { ...fc.sample(records, 1)[0], fields: '{"Email":"a@b.example"}', provenance };
    const row = JSON.parse(write(record as ResultRecord, '', at));
    expect(row.provenance).toEqual({
      Email: { source: 'CRM', observed_at: date, confidence: 0.8 },
    });
  };
  for (let day = 1; day <= 1_200; day++) observe(day);
  observe(1);
});

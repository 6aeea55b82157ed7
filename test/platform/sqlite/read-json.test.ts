// Stored JSON: a damaged value is replaced and named, and never throws.
import { expect, test } from 'vitest';
import { z } from 'zod';
import { readJson, readJsonColumns } from '../../../engine/platform/sqlite/read-json.ts';

const damaged = ['', '{"a', '"text"', '[1]', '{"a":"b"}', 'null'];

test.each(damaged)('%j is not an object of numbers', (text) => {
  expect(readJson(z.record(z.string(), z.int()), text, { none: 0 })).toEqual({ none: 0 });
});

test('the damaged columns of a record are named, and the others are read', () => {
  const columns = {
    codes: [z.array(z.string()), []],
    counts: [z.record(z.string(), z.int()), {}],
    via: [z.array(z.string()).nullable(), null],
  } as const;
  const whole = { codes: '["L1"]', counts: '{"a":1}', via: null };
  expect(readJsonColumns(whole, columns)).toEqual({
    codes: ['L1'],
    counts: { a: 1 },
    via: null,
    damage: null,
  });
  expect(readJsonColumns({ ...whole, counts: '[]', via: '[1]' }, columns)).toEqual({
    codes: ['L1'],
    counts: {},
    via: null,
    damage: 'counts, via',
  });
});

// Numbers of pairs.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPairTable } from '../../engine/shared/people-slice.ts';

test('each pair has the number of its place among those added, however many there are', () => {
  // Few and large numbers, so that pairs share slots and the table grows.
  const number = fc.oneof(fc.nat(6), fc.integer({ min: 0, max: 2 ** 32 - 1 }));
  fc.assert(
    fc.property(fc.array(fc.tuple(number, number), { maxLength: 200 }), (pairs) => {
      const table = createPairTable(2);
      const known = new Map<string, number>();
      for (const [one, other] of pairs) {
        const name = `${one} ${other}`;
        expect(table.find(one, other)).toBe(known.get(name) ?? -1);
        if (known.has(name)) continue;
        known.set(name, known.size);
        expect(table.add(one, other)).toBe(known.size - 1);
      }
      for (const [one, other] of pairs)
        expect(table.find(one, other)).toBe(known.get(`${one} ${other}`));
      expect(table.count).toBe(known.size);
    }),
  );
});

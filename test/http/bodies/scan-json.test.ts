// The values of a JSON text are counted as the parser would build them, without building them.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scanJson } from '../../../engine/http/bodies/read-large-body.ts';

const countValues = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((sum: number, inner) => sum + countValues(inner), 1);
};

const names = ['rows', 'title', 'a"b', 'ü'];
const scan = (text: string) => scanJson(Buffer.from(text), names);
const values = fc.jsonValue({ maxDepth: 4, noUnicodeString: false });
const bodies = fc.dictionary(fc.oneof(fc.constantFrom(...names), fc.string()), values);
const indents = fc.constantFrom(undefined, 2, '\t');

test('values are counted as the parser builds them', () => {
  fc.assert(
    fc.property(values, indents, (value, indent) => {
      expect(scan(JSON.stringify(value, null, indent)).values).toBe(countValues(value));
    }),
  );
});

test('requested members are found, with position, values and entries', () => {
  fc.assert(
    fc.property(bodies, indents, (body, indent) => {
      const text = JSON.stringify(body, null, indent);
      const { members } = scan(text);
      expect(members.map(({ name }) => name)).toEqual(
        Object.keys(body).filter((name) => names.includes(name)),
      );
      for (const { name, start, end, values: count, entries } of members) {
        const value = JSON.parse(Buffer.from(text).subarray(start, end).toString());
        expect(value).toEqual(JSON.parse(JSON.stringify(body[name])));
        expect(count).toBe(countValues(value));
        expect(entries).toBe(Array.isArray(value) ? value.length : 0);
      }
    }),
  );
});

test('a name in escapes, or a repeated one, is found each time', () => {
  const text = '{"\\u0072\\u006f\\u0077\\u0073":[1],"rows" : [1 , 2]}';
  const found = scan(text).members.map(({ name, entries }) => [name, entries]);
  expect(found).toEqual([
    ['rows', 1],
    ['rows', 2],
  ]);
});

test('invalid JSON is scanned to its end', () => {
  const property = fc.property(
    fc.array(fc.constantFrom('{', '}', '[', ']', '"', '\\', ',', ':', ' ', 'rows', '"rows"', '1')),
    (parts) => {
      expect(() => scan(parts.join(''))).not.toThrow();
    },
  );
  fc.assert(property, { numRuns: 500 });
});

/** The identifiers of suppressed people are found from these people, whatever the directory has. */
import { expect, test } from 'vitest';
import { listPersonKeys } from '../../engine/suppression/hidden-people.ts';
import { openInMemory } from '../validations/open-validator.ts';

test('only the index of suppressed people is read as a whole', () => {
  const directory = openInMemory('directory');
  const steps: string[] = [];
  const prepare = directory.prepare.bind(directory);
  directory.prepare = ((sql: string) => {
    const plan = prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`);
    steps.push(...plan.all().map(({ detail }) => detail));
    return prepare(sql);
  }) as typeof directory.prepare;
  expect(listPersonKeys(directory)).toEqual([]);
  const whole = steps.filter((step) => /^SCAN (?!h\b|hidden\b)|[<>]/.test(step));
  expect(whole).toEqual(['SCAN person USING INDEX person_hidden']);
});

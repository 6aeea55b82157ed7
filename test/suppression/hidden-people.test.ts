// The identifiers of suppressed people are found from these people, whatever the directory has.
import { expect, test } from 'vitest';
import { listPersonKeys } from '../../engine/suppression/hidden-people.ts';
import { planOn } from '../migrations/plan-statements.ts';
import { openInMemory } from '../validations/open-validator.ts';

test('only the index of suppressed people is read as a whole', () => {
  const directory = openInMemory('directory');
  const steps = planOn(directory, () => expect(listPersonKeys(directory)).toEqual([]));
  const whole = steps.filter((step) => /^SCAN (?!h\b|hidden\b)|[<>]/.test(step));
  expect(whole).toEqual(['SCAN person USING INDEX person_hidden']);
});

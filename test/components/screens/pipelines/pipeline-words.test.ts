// The chips of unlocked contacts.
import { expect, test } from 'vitest';
import { chipOfContact } from '../../../../renderer/screens/pipelines/pipeline-words.ts';

test.each([
  ['unlocked', 'shown'],
  ['locked', 'hidden'],
] as const)('a contact that is %s is said to be %s', (status, label) => {
  expect(chipOfContact({ status, reason: '' }).label).toBe(label);
});

test('a known person without the value has nothing on file', () => {
  expect(chipOfContact({ status: 'not_found', reason: 'no_value' }).label).toBe('nothing on file');
  expect(chipOfContact({ status: 'not_found', reason: 'no_match' }).label).toBe('not found');
});

/** The chips of unlocked contacts. */
import { expect, test } from 'vitest';
import { chipOfContact } from '../../../../renderer/screens/pipelines/pipeline-words.ts';

test('a known person without the value has nothing on file', () => {
  expect(chipOfContact({ status: 'not_found', reason: 'no_value' }).label).toBe('nothing on file');
  expect(chipOfContact({ status: 'not_found', reason: 'no_match' }).label).toBe('not found');
});

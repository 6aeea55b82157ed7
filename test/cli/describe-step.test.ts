/** The words of a job's progress on the command line. */
import { expect, test } from 'vitest';
import { describeStep } from '../../engine/cli/enrich/describe-step.ts';
import { statusExample } from '../../engine/contract/examples.ts';

test('the progress of a job names the services that have not answered, and counts their rows', () => {
  const running = { ...statusExample, status: 'running' as const };
  const say = (unanswered_rows: number, services: readonly string[]) =>
    describeStep({ ...running, unanswered_rows }, services);
  expect(say(0, [])).toBe('Enriching');
  expect(say(2, ['full-enrich'])).toBe('Enriching, 2 rows wait for full-enrich');
  expect(say(1, ['full-enrich', 'other'])).toBe('Enriching, 1 row waits for full-enrich, other');
  // Between two requests none is open.
  expect(say(2_000, [])).toBe('Enriching, 2,000 rows wait for data services');
});

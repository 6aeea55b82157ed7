// The words of a job's progress on the command line.
import { expect, test } from 'vitest';
import { describeStep } from '../../engine/cli/enrich/follow-job.ts';
import { statusExample } from '../../engine/contract/examples.ts';
import type { StatusData } from '../../engine/contract/jobs/job.ts';

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

test('the progress of a job that waits says for what', () => {
  const since = '2026-11-20T10:42:00.000Z';
  const at = new Date(since).toTimeString().slice(0, 5);
  const say = (waiting_rows: number, waiting_reason: StatusData['waiting_reason']) =>
    describeStep(
      {
        ...statusExample,
        status: 'running' as const,
        waiting_since: since,
        waiting_rows,
        waiting_reason,
      },
      [],
    );
  expect(say(1, 'no_connection')).toBe(`No connection since ${at}, 1 row waits for it`);
  expect(say(1, 'no_team_directory')).toBe(
    `The team’s directory has not answered since ${at}, 1 row waits for it`,
  );
  expect(say(2_000, 'no_worker')).toBe(
    `No worker of the team’s directory has answered since ${at}, 2,000 rows wait for one`,
  );
});

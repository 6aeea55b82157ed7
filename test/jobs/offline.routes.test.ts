// The choice for jobs without a network, at the start of a job and while it runs.
import { expect, test } from 'vitest';
import { expectRefusal, openApiDesk } from '../http/open-api-desk.ts';

const rows = [{ email: 'nobody@elsewhere.example' }];

test('a job states what it does without a network, and the app changes it until the job ends', async () => {
  const desk = await openApiDesk();
  const json = { selected_layers: ['L1'], rows };
  const { data } = await desk.call('POST', 'submit/', { json });
  const path = `jobs/${data.job_id}/when-offline`;
  const waiting = { when_offline: 'wait', waiting_rows: 0, waiting_since: null };
  expect((await desk.call('GET', `status/${data.job_id}/`)).data).toMatchObject(waiting);
  const leaveOut = { json: { when_offline: 'leave_out' } };
  expect((await desk.app('PUT', path, leaveOut)).data.when_offline).toBe('leave_out');
  expectRefusal(
    await desk.app('PUT', path, { json: { when_offline: 'never' } }),
    'validation_error',
    /when_offline/,
  );
  const none = `jobs/${crypto.randomUUID()}/when-offline`;
  expectRefusal(await desk.app('PUT', none, leaveOut), 'not_found', /does not exist/);
  expect((await desk.app('POST', 'network', { json: {} })).data).toEqual({ checking: true });
  desk.environment.gate.open();
  await desk.environment.finish(data.job_id);
  expectRefusal(await desk.app('PUT', path, leaveOut), 'already_finished', /already completed/);
});

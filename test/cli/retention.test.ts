// `desk retention`: show, set, preview and run; doctor names the free space.
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { servePlace } from './serve-place.ts';

const place = servePlace();

test('days are shown, set, previewed and taken back', async () => {
  const shown = await place.here('retention', 'show');
  expect(shown.stdout).toMatch(/^Jobs +forever +this account$/m);
  expect(shown.stdout).toMatch(/^Webhook deliveries +30 days +this account +set by the product$/m);
  expect(shown.last).toBe('No run has deleted anything yet.');
  const preview = await place.here('retention', 'preview', '--jobs', '1', '--backups', '90');
  expect([preview.code, preview.last]).toEqual([0, 'Nothing would be deleted now.']);
  expect(preview.stdout).toMatch(/^Backups +90 days +0$/m);
  const set = await place.here('retention', 'set', '--jobs', '1', '--backups', '90', '--json');
  expect(set.json.kinds).toContainEqual(
    expect.objectContaining({ kind: 'backups', scope: 'folder', setting: 90, days: 90 }),
  );
  const back = await place.here('retention', 'set', '--jobs', 'never', '--backups', '0');
  expect(back.stdout).toMatch(/^Jobs +forever/m);
  expect(back.stdout).toMatch(/^Backups +forever/m);
});

test('a run ends with what it deleted', async () => {
  const run = await place.here('retention', 'run');
  expect(run.last).toMatch(/^Last run \d{4}-\d\d-\d\d \d\d:\d\d UTC: deleted nothing\.$/);
  expect((await place.here('retention', 'run', '--json')).json.run).toMatchObject({
    state: 'idle',
    deleted: {},
    due_at: expect.any(String),
  });
});

test('while the date waits for a confirmation, show, run and doctor say so; run confirms it', async () => {
  const database = new Database(join(place.dataDir, 'engine.db'));
  database.exec("UPDATE trusted_clock SET at = '2020-01-02T03:04:05.000Z'");
  database.close();
  const words = /last ran on this data folder on 2020-01-02\. .*retention run --confirm-clock/;
  expect((await place.here('retention', 'show')).last).toMatch(words);
  expect((await place.here('doctor')).stdout).toMatch(/Clock .*2020-01-02/);
  const refused = await place.here('retention', 'run');
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(words)]);
  const run = await place.here('retention', 'run', '--confirm-clock');
  expect([run.code, run.last]).toEqual([0, expect.stringMatching(/^Last run .* UTC: deleted/)]);
  expect((await place.here('retention', 'run')).code).toBe(0);
});

test.each([
  [['--jobs', 'soon'], 2, 'is not a number of days'],
  [['--jobs', '-1'], 2, 'is not a number of days'],
  [['--jobs', '36501'], 2, 'is not a number of days'],
  [[], 2, 'There is nothing to set.'],
  [['--webhook-deliveries', '31'], 1, 'at most 30 days'],
  [['--uploads', '5'], 2, 'uploads'],
])('desk retention set %j ends with %i: %s', async (args, code, words) => {
  const refused = await place.here('retention', 'set', ...args);
  expect([refused.code, refused.stderr]).toEqual([code, expect.stringContaining(words)]);
});

test('doctor says how much of each database is free', async () => {
  const { stdout } = await place.here('doctor');
  expect(stdout).toMatch(/engine\.db +whole, \d+ MB, \d+ MB of it free$/m);
  expect(stdout).toMatch(/Directory +whole, \d+ MB, \d+ MB of it free$/m);
});

// `--staging`: every command acts in staging and leaves live unchanged.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startEngineHere } from '../engine-here.ts';
import { makePlace, type Place } from './run-desk.ts';
import { servePlace } from './serve-place.ts';

const list = 'Email,Team\nenriched@sandbox.example,West\nno-match@sandbox.example,East\n';

const served = servePlace(async () => {
  served.write('contacts.csv', list);
});

/** Runs a command that must succeed and returns its JSON. */
async function ask(place: Place, ...args: string[]): Promise<Record<string, unknown>> {
  const { code, json, stderr } = await place.here(...args, '--json');
  expect({ args, code, stderr }).toMatchObject({ code: 0 });
  return json;
}

const steps: [string[], unknown][] = [
  [['wallet', 'balance'], { available: '10000.0000', held: '0.0000', spent: '0.0000' }],
  [['wallet', 'grant', '5'], { available: '10005.0000' }],
  [['wallet', 'history', '--limit', '1'], { count: 2, results: [{ kind: 'grant' }] }],
  [['accounts', 'create', 'Only here'], { id: expect.any(String) }],
  [
    ['accounts', 'list'],
    [{ name: 'Local workspace' }, { name: 'Only here' }],
  ],
  [['keys', 'create', '--label', 'tests'], { key: expect.stringMatching(/^sk_test_/) }],
  [['keys', 'list'], [{ label: 'tests', prefix: expect.stringMatching(/^sk_test_/) }]],
  [['rates', 'set', 'L1', '0.5'], { code: 'L1', price: '0.5000' }],
  [['directory', 'stats'], { imports: [{ source: 'Sandbox', status: 'completed' }] }],
  [
    ['enrich', 'contacts.csv', '--layers', 'L1', '--out', 'out.csv', '--yes'],
    { status: 'completed', enriched_rows: 1, skipped_rows: 1, credits_charged: '0.5000' },
  ],
  [
    ['doctor'],
    expect.arrayContaining([
      { name: 'Data folder', state: 'ok', detail: join(served.dataDir, 'staging') },
      { name: 'Ledger', state: 'ok', detail: expect.any(String) },
    ]),
  ],
];

test('with a running engine every command acts in staging, and live stays unchanged', async () => {
  for (const [args, shape] of steps)
    expect(await ask(served, ...args, '--staging'), args.join(' ')).toMatchObject(shape as object);
  expect(readFileSync(join(served.dir, 'out.csv'), 'utf8')).toContain('enriched@sandbox.example');
  expect(await ask(served, 'wallet', 'balance')).toMatchObject({ available: '100000.0000' });
  expect(await ask(served, 'accounts', 'list')).toMatchObject([{ name: 'Local workspace' }]);
  expect(await ask(served, 'keys', 'list')).toEqual([]);
  expect(await ask(served, 'directory', 'stats')).toMatchObject({ people: 0, imports: [] });
});

test('failed rows are counted, and the line that runs them again does so', async () => {
  served.write('stumbles.csv', 'Email\nfailed@sandbox.example\nno-match@sandbox.example\n');
  const order = ['enrich', 'stumbles.csv', '--layers', 'L1', '--out', 'stumbles-out.csv', '--yes'];
  const done = await served.here(...order, '--staging', '--json');
  expect(done.json).toMatchObject({ failed_rows: 1, credits_charged: '0.0000' });
  const line = `desk jobs rerun ${done.json.job_id} --rows failed --data-dir `;
  expect(done.stderr).toContain(line);
  const rerun = ['jobs', 'rerun', String(done.json.job_id), '--rows', 'failed', '--yes'];
  expect(await ask(served, ...rerun, '--staging')).toMatchObject({ total_rows: 1 });
});

test('a job that was left is cancelled by its id, and named with what runs it again', async () => {
  served.write('slow.csv', `Email\n${'slow@sandbox.example\n'.repeat(60)}`);
  const order = ['enrich', 'slow.csv', '--layers', 'L2,L1', '--out', 'slow-out.csv', '--yes'];
  const started = served.start(...order, '--staging');
  await started.said('Enriching');
  started.interrupt();
  const left = (await started.done).stdout;
  const id = /To cancel it: desk jobs cancel (\S+) --data-dir /.exec(left)?.[1] ?? '';
  const cancelled = await ask(served, 'jobs', 'cancel', id, '--staging');
  expect(cancelled).toMatchObject({ job_id: id, status: 'cancelled' });
  expect(await ask(served, 'wallet', 'balance', '--staging')).toMatchObject({ held: '0.0000' });
  const gone = await served.here('enrich', '--resume', id, '--out', 'gone.csv', '--staging');
  expect([gone.code, gone.last]).toEqual([
    1,
    expect.stringContaining(`Its credits are released. Run it again: desk jobs rerun ${id} `),
  ]);
});

test('an account of the other environment is unknown', async () => {
  const { id } = await ask(served, 'accounts', 'create', 'Live alone');
  const line = ['wallet', 'balance', '--account', String(id), '--json'];
  expect((await served.here(...line, '--staging')).json).toMatchObject({ error: 'not_found' });
  expect((await served.here(...line)).code).toBe(0);
});

test('without an engine a command opens the folder itself; a backup contains one environment', {
  tags: ['full'],
}, async () => {
  const alone = makePlace();
  onTestFinished(() => alone.remove());
  const running = await startEngineHere(alone.dataDir);
  await ask(alone, 'wallet', 'grant', '1', '--staging');
  await ask(alone, 'backup', 'live.tar.gz');
  await running.stop();
  await ask(alone, 'backup', 'staging.tar.gz', '--staging');
  await ask(alone, 'wallet', 'grant', '7', '--staging');
  const wrong = await alone.here('restore', 'live.tar.gz', '--yes', '--staging', '--json');
  expect(wrong.json).toMatchObject({
    error: 'validation_error',
    detail: expect.stringContaining('without --staging'),
  });
  const crossed = await alone.here('restore', 'staging.tar.gz', '--yes', '--json');
  expect(crossed.json).toMatchObject({ detail: expect.stringContaining('with --staging') });
  await ask(alone, 'restore', 'staging.tar.gz', '--yes', '--staging');
  expect(await ask(alone, 'wallet', 'balance', '--staging')).toMatchObject({
    available: '10001.0000',
  });
  await ask(alone, 'restore', 'live.tar.gz', '--yes');
  expect(await ask(alone, 'wallet', 'balance')).toMatchObject({ available: '100000.0000' });
  // Staging is not part of a backup of live and stays unchanged.
  expect(await ask(alone, 'wallet', 'balance', '--staging')).toMatchObject({
    available: '10001.0000',
  });
});

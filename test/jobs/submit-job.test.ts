// The writer determines the layers and prices of a submission: it reads the rates once, in the call
// that holds the credits and inserts the job.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { creditUnits } from '../../engine/contract/credits.ts';
import { layerCodes } from '../../engine/contract/jobs/layers.ts';
import { readBalances } from '../../engine/ledger/ledger.ts';
import { setRate } from '../../engine/ledger/rate.table.ts';
import { openApiDesk } from '../http/open-api-desk.ts';
import { openJobFixture } from './job-fixture.ts';

const rows = [
  ['Ada', 'Lovelace', 'Engines'],
  ['Grace', 'Hopper', 'Compilers'],
];

test('a layer that is switched off before the job is written is refused, and leaves nothing behind', async () => {
  const { database, account, folder, submit } = await openJobFixture();
  const before = readBalances(database, account.id);
  setRate(database, account.id, 'L2', { active: false });
  expect(() => submit(rows, ['L1', 'L2'])).toThrow(
    'selected_layers: L2 is switched off for this account.',
  );
  expect(readBalances(database, account.id)).toEqual(before);
  expect(existsSync(join(folder, 'jobs'))).toBe(false);
});

test('full means the active layers and their prices at the time of the write', async () => {
  const { database, account, submit, read } = await openJobFixture();
  setRate(database, account.id, 'L3', { active: false });
  setRate(database, account.id, 'L1', { priceUnits: creditUnits(20_000) });
  const job = read(submit(rows, ['full']));
  const codes = layerCodes.filter((code) => code !== 'L3' && code !== 'L4');
  expect(job.codes).toEqual(codes);
  expect(job.prices.L1).toBe(20_000);
  const perRow = Object.values(job.prices).reduce<number>((sum, units) => sum + units, 0);
  expect(job.heldUnits).toBe(rows.length * perRow);
  expect(readBalances(database, account.id).heldUnits).toBe(rows.length * perRow);
});

test('an approval of "full" shows the codes that it means', async () => {
  const desk = await openApiDesk();
  await desk.app('PUT', 'rates/L3', { json: { active: false } });
  const { data } = await desk.app('POST', 'keys', { json: { label: 'asks', ask_above: 0 } });
  const json = { title: 'A list', selected_layers: 'full', rows: [{ email: 'a@b.example' }] };
  const answer = await desk.call('POST', 'submit/', { key: data.key, json });
  expect([answer.status, answer.body.error]).toEqual([409, 'approval_required']);
  const [question] = (await desk.app('GET', 'assistants')).data.approvals;
  const codes = layerCodes.filter((code) => code !== 'L3' && code !== 'L4');
  expect(JSON.parse(question.arguments)).toEqual({
    title: 'A list',
    selected_layers: codes,
    rows: 1,
  });
});

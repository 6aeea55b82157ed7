// The wallet's lines, spending and export over HTTP.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { WalletLine } from '../../engine/contract/wallet/wallet-lines.ts';
import {
  bob,
  finish,
  json,
  lookUp,
  makeKey,
  outPath,
  shareAuditDesk,
} from '../audit/audit-desk.ts';

const openDesk = shareAuditDesk();

test('a job is one line with its entries, and the newest balance is the wallet', async () => {
  const desk = await openDesk();
  const jobId = await finish(desk);
  const { data } = await desk.app('GET', 'wallet/lines');
  const wallet = (await desk.app('GET', 'wallet')).data;
  expect(data.lines[0].balance).toBe(wallet.available);
  const line = data.lines.find((one: WalletLine) => one.work_id === jobId);
  expect(line).toMatchObject({ kind: 'job', open: '0.0000', client: { name: 'tests' } });
  expect(Number(line.held)).toBe(Number(line.charged) + Number(line.returned));
  const { entries } = (await desk.app('GET', `wallet/lines/${line.id}/entries`)).data;
  expect(entries.at(-1)).toMatchObject({ kind: 'hold', amount: line.held, subject_id: jobId });
  expect((await desk.app('GET', 'wallet/lines/999999/entries')).status).toBe(404);
  expect((await desk.call('GET', '/app/v1/wallet/lines')).status).toBe(401);
});

test('what jobs spend is reported by layer and by client', async () => {
  const desk = await openDesk();
  const { id, key } = await makeKey(desk, { label: 'spender' });
  const body = { selected_layers: ['L1', 'L2'], rows: [bob], title: 'two layers' };
  const started = await desk.call('POST', 'submit/', { ...json(body), key });
  await desk.environment.finish(started.data.job_id);
  const { data } = await desk.app(
    'GET',
    'wallet/spend?since=2026-01-01&until=2027-12-31&step=month',
  );
  const client = data.clients.find((one: { id: string }) => one.id === id);
  expect(client).toMatchObject({ name: 'spender', total: '1.5000' });
  expect(data.parts).toEqual(
    expect.arrayContaining([expect.objectContaining({ part: 'L2', total: expect.anything() })]),
  );
  expect(data.parts.map(({ part }: { part: string }) => part)).not.toContain('job');
  const days = 'wallet/spend?since=2020-01-01&until=2026-12-31&step=day';
  expect((await desk.app('GET', days)).status).toBe(400);
});

test('the export has the filtered lines with their balances, and no cell is a formula', async () => {
  const desk = await openDesk();
  const { id, key } = await makeKey(desk, { label: '=cmd|x' });
  await lookUp(desk, key);
  const path = outPath('wallet.csv');
  const { data } = await desk.app('POST', 'wallet/exports', json({ path, client: id }));
  const [header, ...rows] = readFileSync(path, 'utf8').trim().split(/\r?\n/);
  expect(header).toMatch(/^Time,What,Name,Client,Added,Held,Charged,Returned,Net,Balance,Id$/);
  expect(rows).toHaveLength(data.rows);
  expect(rows[0]).toContain("'=cmd|x");
  const ticket = await desk.app('POST', 'wallet/exports', json({ format: 'xlsx' }));
  expect(ticket.data).toMatchObject({ file_name: 'Wallet.xlsx', path: null });
  expect((await fetch(`${desk.url}${ticket.data.download_url}`)).status).toBe(200);
});

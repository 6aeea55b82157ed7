// An engine as the provider of another: both are real, in one process.
import { expect, test } from 'vitest';
import { type Desk, expectRefusal } from '../../http/open-api-desk.ts';
import { fails, playProvider } from '../play-provider.ts';
import { connect, deskOf, enrich, openLossyWay, openPair } from './open-pair.ts';

const ada = { first_name: 'Ada', last_name: 'Byron', company_name: 'Analytical' };
const grace = { email: 'grace@navy.example' };
const nobody = { first_name: 'Nora', last_name: 'Strange', company_name: 'Nowhere' };

const countJobs = async (desk: Desk): Promise<number> =>
  (await desk.call('GET', 'jobs/')).data.count;
async function setPrice(desk: Desk, price: string): Promise<void> {
  const changed = await desk.app('PUT', 'rates/L1', { json: { price } });
  expect(changed.status, changed.text).toBe(200);
}

test('rows without a match are answered by the other engine, with its sources and prices', async () => {
  const { desk, upstream } = await openPair();
  await connect(desk, upstream.key, upstream.url);
  const layers = ['L1', 'L2', 'MPA'];
  const { rows, spent } = await enrich(desk, layers, [ada, grace, nobody]);
  expect(rows.map((row: { status: string }) => row.status)).toEqual([
    'enriched',
    'enriched',
    'skipped',
  ]);
  const source = `Enrichment Desk at ${new URL(upstream.url).host}: crm.csv`;
  expect(rows[0]).toMatchObject({
    enriched_fields: {
      Email: 'ada@analytical.example',
      'Current title': 'Countess',
      'Employment status': 'Current',
      'Mobile phone': '+442079460001',
    },
    provenance: { 'Current title': { source, observed_at: '2026-11-01' } },
  });
  // 6.5 credits for each of the two rows that were found, and nothing for the third.
  expect(spent).toMatchObject([{ provider: 'desk', requests: 1, rows: 3, credits: 13 }]);
  const jobs = (await upstream.call('GET', 'jobs/')).data;
  expect(jobs.results).toMatchObject([
    { selected_layers: layers, total_rows: 3, credits_charged: '13.0000' },
  ]);
  // What it answered is stored: the next job asks nothing.
  const again = await enrich(desk, layers, [ada, grace, nobody]);
  expect([again.rows[0].status, again.spent]).toEqual(['enriched', []]);
  expect(await countJobs(upstream)).toBe(1);
});

test('adding an engine reads its prices, and refuses an address or a key that does not work', async () => {
  const { desk, upstream } = await openPair();
  expect(await deskOf(desk)).toMatchObject({
    origin: 'shipped',
    has_key: false,
    hosts: [],
    engine: { address: null, place: 'internet' },
  });
  const put = (json: object) => desk.app('PUT', 'providers/desk/key', { json });
  const { url: address, key } = upstream;
  expectRefusal(await put({ key }), 'validation_error', /address/);
  expectRefusal(await put({ key: 'wrong', address }), 'validation_error', /valid API key/);
  const plain = 'http://192.168.7.7:4000';
  expectRefusal(await put({ key, address: plain }), 'validation_error', /use https/);
  expectRefusal(await put({ key, address: 'desk' }), 'validation_error', /https:/);
  expect((await deskOf(desk)).engine.address).toBeNull();
  await setPrice(upstream, '3');
  expect((await put({ key, address: `${address}/api/v1/` })).status).toBe(200);
  expect(await deskOf(desk)).toMatchObject({
    origin: 'own',
    has_key: true,
    is_on: false,
    row_cost_max: 3,
    engine: { address, place: 'this_machine' },
  });
  const { checks } = (await desk.app('POST', 'providers/desk/test')).data;
  expect(checks.map(({ is_ok: isOk }: { is_ok: boolean }) => isOk)).toEqual([true, true, true]);
  expect((await deskOf(desk)).balance.credits).toBe(100_000);
});

test('an answer that is lost is asked for again, and its job is charged once', async () => {
  const { desk, upstream } = await openPair();
  const way = await openLossyWay(upstream.url);
  await connect(desk, upstream.key, way.url);
  way.lose(2);
  const { rows, spent } = await enrich(desk, ['L1'], [ada, nobody]);
  expect(rows[0].status).toBe('enriched');
  expect(spent).toMatchObject([{ requests: 1, credits: 1, uncertain_requests: 0 }]);
  expect(await countJobs(upstream)).toBe(1);
});

test('a wallet that does not cover the rows ends the job, and nothing is charged', async () => {
  const { desk, upstream } = await openPair();
  await setPrice(upstream, '1000');
  await connect(desk, upstream.key, upstream.url);
  const rows = Array.from({ length: 101 }, (_, at) => ({ ...nobody, last_name: `Unknown${at}` }));
  const { result, spent } = await enrich(desk, ['L1'], rows);
  expectRefusal(
    result,
    'upstream_insufficient_credits',
    /^Enrichment Desk at \S+: This needs 101000 credits/,
  );
  expect(spent).toMatchObject([{ credits: 0, credits_open: 0, uncertain_requests: 0 }]);
  expect(await countJobs(upstream)).toBe(0);
});

test('rows that fail there fail here, and may be asked again', async () => {
  const { provider } = playProvider(() => fails('It has no time.'), { id: 'x', title: 'X' });
  const { desk, upstream } = await openPair({ provider });
  await connect(desk, upstream.key, upstream.url);
  const { rows, spent } = await enrich(desk, ['L1'], [ada, nobody]);
  expect(rows[0].status).toBe('enriched');
  expect(rows[1]).toMatchObject({
    status: 'failed',
    error_message: expect.stringMatching(/It has no time/),
  });
  expect(spent).toMatchObject([{ credits: 1 }]);
});

test('prices that rose are not paid until the provider is added again', async () => {
  const { desk, upstream } = await openPair();
  await connect(desk, upstream.key, upstream.url);
  await setPrice(upstream, '2');
  const { rows, spent } = await enrich(desk, ['L1'], [ada]);
  expect(rows[0].status).not.toBe('enriched');
  expect(spent).toMatchObject([{ credits: 0, note: expect.stringMatching(/L1 costs 2 .* not 1/) }]);
  expect(await countJobs(upstream)).toBe(0);
});

test('two engines that ask each other do not wait for each other', async () => {
  const { desk, upstream } = await openPair();
  await connect(desk, upstream.key, upstream.url);
  await connect(upstream, desk.key, desk.url);
  desk.environment.gate.open();
  const { rows } = await enrich(desk, ['L1'], [ada, nobody]);
  expect(rows[0].status).toBe('enriched');
  expect(await countJobs(desk)).toBe(1);
  const [{ job_id: id }] = (await upstream.call('GET', 'jobs/')).data.results;
  expect((await upstream.app('GET', `jobs/${id}/providers`)).data).toMatchObject([
    { credits: 0, note: expect.stringMatching(/must not ask each other/) },
  ]);
});

// What a person decides about requests with an unknown outcome, and what the balance says.
import { expect, test } from 'vitest';
import { ProviderError, type ProviderRow } from '../../engine/contract/provider.ts';
import type { ProviderLog } from '../../engine/contract/providers.ts';
import { expectRefusal, shareApiDesk, submit } from '../http/open-api-desk.ts';
import { found, playProvider } from './play-provider.ts';

const service = { isLost: true, balance: 10 };
const { provider, asked } = playProvider(
  ({ email = '' }: ProviderRow) => {
    if (!service.isLost) return found({ email });
    service.balance -= 3;
    throw new ProviderError('uncertain', 'The connection ended.');
  },
  {
    id: 'paid',
    title: 'Paid',
    rowsMax: 1,
    fields: { work_email: { needs: [['email' as const]], costMaxCredits: 5 } },
  },
);
const readBalance = async () => service.balance;
const openDesk = shareApiDesk({}, { provider: { ...provider, readBalance } });
type Desk = Awaited<ReturnType<typeof openDesk>>;
type LoggedRequest = ProviderLog['requests'][number];

async function enrich(desk: Desk, email: string): Promise<string> {
  const jobId = await submit(desk, email);
  await desk.environment.finish(jobId);
  return jobId;
}

const listUncertain = async (desk: Desk): Promise<LoggedRequest[]> =>
  (await desk.app('GET', 'provider-log?state=uncertain')).data.requests;

/** Loses the answer to a request about an address; returns the request. */
async function lose(desk: Desk, email: string): Promise<LoggedRequest & { jobId: string }> {
  service.isLost = true;
  const jobId = await enrich(desk, email);
  await expect
    .poll(async () => (await listUncertain(desk))[0]?.uncertain?.balance?.after ?? null)
    .not.toBeNull();
  const [request] = await listUncertain(desk);
  if (!request) throw new Error('no request is uncertain');
  return { ...request, jobId };
}

const decide = (desk: Desk, id: number, json: object) =>
  desk.app('POST', `provider-requests/${id}/decision`, { json });

const readSpend = async (desk: Desk, jobId: string) => ({
  today: (await desk.app('GET', 'providers')).data.providers[0].spend,
  job: (await desk.app('GET', `jobs/${jobId}/providers`)).data[0],
});

test('a person decides that a request was not charged: it costs nothing and is asked again', async () => {
  const desk = await openDesk();
  await desk.app('PATCH', 'providers/paid', { json: { caps: { day: 9 } } });
  const request = await lose(desk, 'one@x.example');
  expect(request).toMatchObject({ state: 'uncertain', cost: null, cost_max: 5 });
  const before = await readSpend(desk, request.jobId);
  expect(before.today).toMatchObject({ today: 5, uncertain_requests: 1 });
  expect(before.job).toMatchObject({ credits: 0, credits_open: 5, uncertain_requests: 1 });
  const decided = await decide(desk, request.id, { outcome: 'not_charged' });
  expect(decided.data).toMatchObject({
    state: 'uncertain',
    cost: 0,
    uncertain: {
      decisions: [{ outcome: 'not_charged', credits: 0, decided_by: 'app' }],
    },
  });
  const after = await readSpend(desk, request.jobId);
  expect(after.today).toMatchObject({ today: 0, uncertain_requests: 0 });
  expect(after.job).toMatchObject({ credits: 0, credits_open: 0, uncertain_requests: 0 });
  expect(await listUncertain(desk)).toEqual([]);
  // The cap has room for it again.
  service.isLost = false;
  const count = asked.length;
  await enrich(desk, 'one@x.example');
  expect(asked).toHaveLength(count + 1);
  await desk.app('PATCH', 'providers/paid', { json: { caps: { day: null } } });
});

test('a row with an unknown outcome says so, also in a later job that does not ask again', async () => {
  const desk = await openDesk();
  const { jobId } = await lose(desk, 'six@x.example');
  const count = asked.length;
  const later = await enrich(desk, 'six@x.example');
  expect(asked).toHaveLength(count);
  for (const id of [jobId, later]) {
    const { data } = await desk.call('GET', `result/${id}/`);
    expect(data.results).toMatchObject([
      {
        status: 'failed',
        reason: 'source_uncertain',
        credits_charged: '0.0000',
        error_message: expect.stringMatching(/may have been charged/),
      },
    ]);
  }
});

test('a request that was charged costs what the person says, and is not asked again', async () => {
  const desk = await openDesk();
  const request = await lose(desk, 'two@x.example');
  const decided = await decide(desk, request.id, { outcome: 'charged', credits: 3 });
  expect(decided.data).toMatchObject({ cost: 3, uncertain: { decisions: [{ credits: 3 }] } });
  expect((await readSpend(desk, request.jobId)).job).toMatchObject({ credits: 3, credits_open: 0 });
  service.isLost = false;
  const count = asked.length;
  const jobId = await enrich(desk, 'two@x.example');
  expect(asked).toHaveLength(count);
  // The request counts as a miss, so the row is not said to be uncertain any more.
  expect((await desk.app('GET', `jobs/${jobId}`)).data).toMatchObject({ failed_rows: 0 });
  // The later decision counts; both are kept.
  const again = await decide(desk, request.id, { outcome: 'charged', credits: 1.5 });
  expect(again.data).toMatchObject({
    cost: 1.5,
    uncertain: { decisions: [{ credits: 3 }, { credits: 1.5 }] },
  });
});

test('the balance is read again after an unknown outcome, and says by how much it fell', async () => {
  const desk = await openDesk();
  await lose(desk, 'three@x.example');
  const request = await lose(desk, 'four@x.example');
  expect(request.uncertain?.balance).toMatchObject({
    before: { credits: service.balance + 3 },
    after: { credits: service.balance },
    fell_by: 3,
    other_requests: 0,
  });
});

test('only a request with an unknown outcome can be decided about', async () => {
  const desk = await openDesk();
  service.isLost = false;
  await enrich(desk, 'five@x.example');
  const [answered] = (await desk.app('GET', 'provider-log')).data.requests;
  const not = { outcome: 'not_charged' };
  expectRefusal(await decide(desk, answered.id, not), 'validation_error', /unknown outcome/);
  expectRefusal(await decide(desk, 999, not), 'not_found', /999/);
  const empty = { outcome: 'charged' };
  expectRefusal(await decide(desk, answered.id, empty), 'validation_error', /credits/);
});

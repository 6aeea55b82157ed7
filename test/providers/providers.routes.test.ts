// The user's providers in the app: settings, order, quotes, and what a job spent.
import { expect, test } from 'vitest';
import { ProviderError, type ProviderRow } from '../../engine/contract/provider.ts';
import { expectRefusal, shareApiDesk, submit } from '../http/open-api-desk.ts';
import { found, nothing, playProvider } from './play-provider.ts';

const paid = { work_email: { needs: [['email' as const]], costMaxCredits: 2 } };
const { provider } = playProvider(
  ({ email = '' }: ProviderRow) => {
    if (email.startsWith('down')) throw new ProviderError('source_error', 'It is broken.');
    if (email.startsWith('stop')) throw new ProviderError('bad_key', 'The key is refused.');
    return email.startsWith('known') ? found({ email }) : nothing;
  },
  { id: 'paid', title: 'Paid', fields: paid, rowsMax: 1 },
);
const openDesk = shareApiDesk({}, { provider });

test('a provider is switched on, capped and ordered, and its hit rate quotes the next job', async () => {
  const desk = await openDesk();
  const listed = await desk.app('GET', 'providers');
  expect(listed.data.providers[0]).toMatchObject({
    id: 'paid',
    title: 'Paid',
    origin: 'built_in',
    is_on: true,
    caps: { job: null, day: null, month: null },
    spend: { today: 0, days: [] },
    fields: [{ field: 'work_email', cost_max: 2, asked: 0, hits: 0, hit_rate: null }],
  });
  expect(listed.data).toMatchObject({
    waterfall: [{ field: 'work_email', steps: [{ provider: 'paid', rule: {} }] }],
  });
  const price = { per_credit: 0.05, currency: 'EUR' };
  const json = { caps: { job: 100 }, repeats_uncertain: true, price };
  const changed = await desk.app('PATCH', 'providers/paid', { json });
  expect(changed.data.providers[0]).toMatchObject({
    is_on: true,
    repeats_uncertain: true,
    price,
    caps: { job: 100, day: null, month: null },
  });
  const steps = [{ provider: 'paid', rule: { statuses: ['valid'] } }];
  const order = { field: 'work_email', steps };
  const ordered = await desk.app('PUT', 'provider-order', { json: order });
  expect(ordered.data.waterfall).toEqual([order]);
  // A rule that is not sent stays.
  const again = { ...order, steps: [{ provider: 'paid' }] };
  expect((await desk.app('PUT', 'provider-order', { json: again })).data.waterfall).toEqual([
    order,
  ]);
  const quote = async (open_fields = {}) => {
    const rows = { rows: 10, selected_layers: ['L1'], open_fields };
    return (await desk.app('POST', 'provider-quote', { json: rows })).data;
  };
  expect(await quote()).toEqual([{ provider: 'paid', at_most: 20, expected: 20 }]);
  const open = { work_email: 0.3, employment: 1 };
  expect(await quote(open)).toEqual([{ provider: 'paid', at_most: 20, expected: 6 }]);
  const emails = Array.from(
    { length: 20 },
    (_, at) => `${at < 5 ? 'known' : 'none'}${at}@x.example`,
  );
  const jobId = await submit(desk, ...emails);
  await desk.environment.finish(jobId);
  expect(await quote()).toEqual([{ provider: 'paid', at_most: 20, expected: 5 }]);
  expect((await desk.app('GET', `jobs/${jobId}/providers`)).data).toEqual([
    {
      provider: 'paid',
      requests: 20,
      rows: 20,
      credits: 10,
      credits_open: 0,
      rows_open: 0,
      uncertain_requests: 0,
      note: null,
      is_estimated: true,
      price: { per_credit: 0.05, currency: 'EUR' },
      fields: [
        {
          field: 'work_email',
          asked: 20,
          hits: 5,
          hit_rate: 0.25,
          credits: 10,
          cost_per_hit: 2,
        },
      ],
    },
  ]);
});

test('a provider that a job stopped asking is noted on the job', async () => {
  const desk = await openDesk();
  const jobId = await submit(desk, 'stop@x.example');
  await desk.environment.finish(jobId);
  expect((await desk.app('GET', `jobs/${jobId}/providers`)).data).toMatchObject([
    {
      provider: 'paid',
      requests: 1,
      credits: 0,
      note:
        'The key is refused. The job did not ask it again. Check its key and what it may do, ' +
        'then run the rows again.',
    },
  ]);
  const readNotes = async () => (await desk.app('GET', 'providers')).data.providers[0].notes;
  expect(await readNotes()).toMatchObject([{ job_id: jobId, detail: 'The key is refused.' }]);
  // Once it answers again, the note is of the past. The job keeps it.
  await desk.environment.finish(await submit(desk, 'known-again@x.example'));
  expect(await readNotes()).toEqual([]);
  expect((await desk.app('GET', `jobs/${jobId}/providers`)).data[0].note).not.toBeNull();
});

test('a job says why a provider did not answer its rows', async () => {
  const desk = await openDesk();
  const jobId = await submit(desk, 'down1@x.example', 'known-beside@x.example', 'down2@x.example');
  await desk.environment.finish(jobId);
  expect((await desk.app('GET', `jobs/${jobId}/providers`)).data).toMatchObject([
    {
      provider: 'paid',
      rows: 3,
      note: '2 rows were not answered. It is broken. Run the rows again later.',
    },
  ]);
});

test('an unknown provider, field or rule is refused', async () => {
  const desk = await openDesk();
  const off = { json: { is_on: false } };
  expectRefusal(await desk.app('PATCH', 'providers/none', off), 'not_found', /none/);
  const json = { field: 'phone', steps: [{ provider: 'paid' }] };
  expectRefusal(await desk.app('PUT', 'provider-order', { json }), 'validation_error', /paid/);
  const twice = { field: 'work_email', steps: [{ provider: 'paid' }, { provider: 'paid' }] };
  const repeated = await desk.app('PUT', 'provider-order', { json: twice });
  expectRefusal(repeated, 'validation_error', /listed twice/);
  const steps = [{ provider: 'paid', rule: { moon: 'full' } }];
  const strange = { field: 'work_email', steps };
  const answer = await desk.app('PUT', 'provider-order', { json: strange });
  expectRefusal(answer, 'validation_error', /moon/);
});

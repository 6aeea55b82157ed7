// A service, or a network filter in front of it, that refuses everybody for legal reasons.
import { expect, test } from 'vitest';
import { ProviderError, type ProviderRow } from '../../engine/contract/provider.ts';
import { expectRefusal, shareApiDesk, submit } from '../http/open-api-desk.ts';
import { found, playProvider } from './play-provider.ts';

const mode = { refuses: (_email: string) => false };
const { provider, asked } = playProvider(
  ({ email = '' }: ProviderRow) => {
    if (mode.refuses(email)) throw new ProviderError('legal_refusal', 'It answered 451.');
    return found({ email });
  },
  {
    id: 'lawful',
    title: 'Lawful',
    rowsMax: 1,
    rowCostMaxCredits: 1,
    fields: { work_email: { needs: [['email' as const]], costMaxCredits: 0 } },
  },
);
const openDesk = shareApiDesk({}, { provider });

const emailsOf = (name: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${name}${at}@engines.example`);

async function run(...emails: readonly string[]) {
  const desk = await openDesk();
  const before = asked.length;
  const jobId = await submit(desk, ...emails);
  await desk.environment.finish(jobId);
  const [spent] = (await desk.app('GET', `jobs/${jobId}/providers`)).data;
  const { entries } = (await desk.app('GET', 'suppression?limit=500')).data;
  const own = entries.filter((entry: { job_id: string | null }) => entry.job_id === jobId);
  return { desk, jobId, requests: asked.length - before, note: spent?.note ?? null, own };
}

test('a service that refuses everybody is stopped, and suppresses the first five', async () => {
  mode.refuses = (email) => email.startsWith('filter');
  const { desk, jobId, requests, note, own } = await run(...emailsOf('filter', 40));
  expect(own.length).toBe(5);
  expect(requests).toBeLessThan(10);
  expect(note).toContain('people for legal reasons');
  expect(note).toContain(`desk suppress remove --job ${jobId}`);

  const removal = await desk.app('POST', 'suppression-removals', { json: { job_id: jobId } });
  expect(removal.data.removed).toBe(5);
  const [entry] = (await desk.app('GET', 'audit?action=suppression_removed')).data.entries;
  expect(entry).toMatchObject({ rows: 5, details: { job: jobId, email: 5 } });
  mode.refuses = () => false;
  expect((await run(...emailsOf('filter', 40))).requests).toBe(40);
});

test('a few refusals among many answers suppress each person, and stop nothing', async () => {
  mode.refuses = (email) => /^mixed[0369]@|^mixed1[258]@/.test(email);
  const { requests, note, own } = await run(...emailsOf('mixed', 20));
  expect([requests, note, own.length]).toEqual([20, null, 7]);
});

test('a filter that starts in the middle of a job is noticed by the last requests', async () => {
  mode.refuses = (email) => email.startsWith('late') && Number(email.slice(4, -16)) >= 60;
  const { requests, note, own } = await run(...emailsOf('late', 120));
  expect(note).toContain('people for legal reasons');
  expect(own.length).toBeLessThanOrEqual(11);
  expect(requests).toBeLessThan(90);
});

test('one removal names either entries or a job', async () => {
  const desk = await openDesk();
  for (const body of [{}, { ids: [1], job_id: '90000000-0000-4000-8000-000000000000' }])
    expectRefusal(
      await desk.app('POST', 'suppression-removals', { json: body }),
      'validation_error',
    );
});

// The cost of a job at a service that reports none: the difference of two balances.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ProviderRow } from '../../engine/contract/provider.ts';
import { shareUnits } from '../../engine/providers/spend/balances.ts';
import { shareApiDesk, submit } from '../http/open-api-desk.ts';
import { found, nothing, playProvider } from './play-provider.ts';

const service = { balance: 100, topUp: 0 };
const { provider } = playProvider(
  ({ email = '' }: ProviderRow) => {
    if (!email.startsWith('known')) return nothing;
    service.balance += service.topUp - 1;
    return found({ email });
  },
  {
    id: 'silent',
    title: 'Silent',
    rowsMax: 2,
    isMeasuredByBalance: true,
    // A row costs up to 3, and in fact 1 if it is found.
    fields: { work_email: { needs: [['email' as const]], costMaxCredits: 0 } },
    rowCostMaxCredits: 3,
  },
);
const readBalance = async () => service.balance;
const openDesk = shareApiDesk({}, { provider: { ...provider, readBalance } });

/** What a job spent at the service, once its balances are read. */
async function spend(topUp: number, ...emails: readonly string[]) {
  const desk = await openDesk();
  service.topUp = topUp;
  const readings = desk.environment.database
    .prepare('SELECT count(*) FROM provider_balance')
    .pluck();
  const before = Number(readings.get());
  const jobId = await submit(desk, ...emails);
  await desk.environment.finish(jobId);
  await expect.poll(() => Number(readings.get())).toBe(before + 2);
  return (await desk.app('GET', `jobs/${jobId}/providers`)).data[0];
}

const emails = ['known1@x.example', 'none@x.example', 'known2@x.example', 'none2@x.example'];

test('what a job cost is the difference of the balances before and after it', async () => {
  expect(await spend(0, ...emails)).toMatchObject({ credits: 2, is_estimated: false });
  const desk = await openDesk();
  expect((await desk.app('GET', 'providers')).data.providers[0]).toMatchObject({
    spend: { today: 2 },
    balance: { credits: 98 },
  });
});

test('a balance that rose, or fell by more than the job can cost, leaves the estimate', async () => {
  const again = (name: string) => emails.map((email) => email.replace('@', `${name}@`));
  expect(await spend(5, ...again('rose'))).toMatchObject({ credits: 12, is_estimated: true });
  expect(await spend(-9, ...again('fell'))).toMatchObject({ credits: 12, is_estimated: true });
});

test('shares add up to the difference, each within the maximum of its request', () => {
  const request = fc
    .record({ costMaxUnits: fc.nat(50), part: fc.nat(50) })
    .map(({ costMaxUnits, part }) => ({ costMaxUnits, costUnits: Math.min(part, costMaxUnits) }));
  fc.assert(
    fc.property(
      fc.array(request, { maxLength: 6 }),
      fc.integer({ min: -5, max: 200 }),
      (all, total) => {
        const most = all.reduce((sum, { costMaxUnits }) => sum + costMaxUnits, 0);
        const shares = shareUnits(total, all);
        expect(shares === null).toBe(total < 0 || total > most);
        if (!shares) return;
        expect(shares.reduce((sum, share) => sum + share, 0)).toBe(total);
        for (const [at, share] of shares.entries()) {
          expect(share).toBeGreaterThanOrEqual(0);
          expect(share).toBeLessThanOrEqual(all[at]?.costMaxUnits ?? 0);
        }
      },
    ),
  );
});

// Only returned data is charged, and never beyond the balance: every paying tool at every balance
// from 0 to 8 credits, with and without owned values, compared with a model.
import { expect, test } from 'vitest';
import type { OwnedKind } from '../../engine/contract/lookup.ts';
import { verifyLedger } from '../../engine/ledger/ledger.ts';
import { presentWallet } from '../../engine/ledger/present-wallet.ts';
import type { Json } from '../http/open-api-desk.ts';
import { ada } from '../lookup/lookup-desk.ts';
import { shareToolDesk, type ToolDesk } from './open-tool-desk.ts';

const openDesk = shareToolDesk();

const prices: Record<OwnedKind, number> = { email: 1, phone: 5, profile: 1 };
const balances = [0, 1, 2, 3, 4, 5, 6, 7, 8];

interface Case {
  readonly tool: string;
  readonly kinds: readonly OwnedKind[];
  readonly args: (uuid: string) => Json;
}
const cases: readonly Case[] = [
  {
    tool: 'unlock_contacts',
    kinds: ['email'],
    args: (uuid) => ({ uuids: [uuid], unlock_type: 'email' }),
  },
  {
    tool: 'unlock_contacts',
    kinds: ['phone'],
    args: (uuid) => ({ uuids: [uuid], unlock_type: 'phone' }),
  },
  { tool: 'enrich_email', kinds: ['email'], args: () => ({ profile_url: ada }) },
  { tool: 'enrich_phone', kinds: ['phone'], args: () => ({ profile_url: ada }) },
  { tool: 'enrich_contact', kinds: ['email', 'phone'], args: () => ({ profile_url: ada }) },
  {
    tool: 'enrich_profile',
    kinds: ['profile', 'email', 'phone'],
    args: () => ({ profile_url: ada }),
  },
];

const subsets = (kinds: readonly OwnedKind[]): OwnedKind[][] =>
  Array.from({ length: 2 ** kinds.length }, (_, bits) =>
    kinds.filter((_kind, at) => (bits >> at) & 1),
  );

function model(kinds: readonly OwnedKind[], owned: readonly OwnedKind[], balance: number) {
  let left = balance;
  const given = kinds.filter((kind) => {
    if (owned.includes(kind)) return true;
    if (prices[kind] > left) return false;
    left -= prices[kind];
    return true;
  });
  return { given, charged: balance - left };
}

/** The values of each kind that an answer contains. */
const shows: Record<OwnedKind, (data: Json) => boolean> = {
  email: (data) => data.email === 'ada@engines.example',
  phone: (data) => data.phone === '+41791000001',
  profile: (data) => data.company === 'Engines' && data.work_history.length === 1,
};
const allKinds = ['profile', 'email', 'phone'] as const;

async function findAda(desk: ToolDesk): Promise<string> {
  const { data } = await desk.tool('search_contacts', { company_name: 'Engines' });
  return data.results[0].uuid;
}

async function own(desk: ToolDesk, accountId: number, uuid: string, kinds: readonly OwnedKind[]) {
  const credits = kinds.reduce((sum, kind) => sum + prices[kind], 0);
  if (credits === 0) return;
  const units = (credits * 10_000) as never;
  await desk.environment.writer.grant({
    accountId,
    units,
    subject: { kind: 'grant', id: 'to own' },
  });
  const values = kinds.map((kind) => ({ personUuid: uuid, kind }));
  const order = {
    accountId,
    keyId: null,
    values,
    subject: { kind: 'tool', id: 'enrich_profile' } as const,
  };
  await desk.environment.writer.unlock({ ...order, whenShort: 'refuse' });
}

test.each(cases)(
  '$tool returns and charges $kinds at every balance from 0 to 8, whatever is owned',
  async ({ tool, kinds, args }) => {
    const desk = await openDesk();
    const uuid = await findAda(desk);
    for (const owned of subsets(kinds))
      for (const balance of balances) {
        const what = `${tool} with ${balance} credits, owning ${owned.join(' and ') || 'nothing'}`;
        const account = await desk.openAccount(balance);
        await own(desk, account.id, uuid, owned);
        const { given, charged } = model(kinds, owned, balance);
        const dry = await desk.tool(tool, { ...args(uuid), dry_run: true }, account.key);
        expect({ what, ...dry.data }).toMatchObject({
          what,
          credits_at_most: `${charged}.0000`,
          credits_charged: '0.0000',
        });
        expect(JSON.stringify(dry.data), what).not.toMatch(/ada@|\+4179/);
        const answer = await desk.tool(tool, args(uuid), account.key);
        expect({ what, isError: answer.isError }).toEqual({ what, isError: given.length === 0 });
        expect(presentWallet(desk.environment.database, account.id).available, what).toBe(
          `${balance - charged}.0000`,
        );
        if (answer.isError) {
          expect(answer.said, what).toMatch(/insufficient_credits/);
          continue;
        }
        const shown = tool === 'unlock_contacts' ? answer.data.results[0] : answer.data;
        expect({ what, kinds: allKinds.filter((kind) => shows[kind](shown)) }).toEqual({
          what,
          kinds: allKinds.filter((kind) => given.includes(kind)),
        });
        expect(answer.data.credits_charged, what).toBe(`${charged}.0000`);
        // Once paid, free: the same call costs nothing and returns no less.
        const again = await desk.tool(tool, args(uuid), account.key);
        expect(again.data.credits_charged, what).toBe('0.0000');
      }
    expect(verifyLedger(desk.environment.database)).toEqual([]);
  },
);

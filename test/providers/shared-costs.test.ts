// The cost of a row for which one operation answers several fields, next to other operations.
import { expect, test } from 'vitest';
import type { ProviderRow } from '../../engine/contract/provider.ts';
import type { WritableDatabase } from '../../engine/platform/sqlite/open-database.ts';
import { checkDefinition } from '../../engine/providers/definitions/check-definition.ts';
import { describeTerms } from '../../engine/providers/definitions/plan-operations.ts';
import { sumUnitsIn } from '../../engine/providers/waterfall/provider-request.table.ts';
import { writeSteps } from '../../engine/providers/waterfall/provider-setting.table.ts';
import { toCredits, toUnits } from '../../engine/providers/waterfall/provider-units.ts';
import { quoteProviders } from '../../engine/providers/waterfall/quote-providers.ts';
import { readOrder } from '../../engine/providers/waterfall/read-order.ts';
import { openTemporaryStore } from '../migrations/temporary-store.ts';
import { readShipped } from './fakes/ask-fake.ts';
import {
  byId,
  changeSetting,
  found,
  nothing,
  openTestWaterfalls,
  playProvider,
} from './play-provider.ts';

const { definition } = checkDefinition(readShipped('hunter'), 'hunter', true);
if (!definition) throw new Error('The definition of Hunter has faults.');
const hunter = describeTerms(definition);
const wanted = ['work_email', 'employment'] as const;

/** Hunter after another service, which answers nothing. */
function openHunter() {
  const database = openTemporaryStore();
  const played = playProvider(
    ({ last_name: name }) =>
      name === 'Nemo' ? nothing : found({ email: `${name}@b.example`, title: 'Countess' }),
    { ...hunter, requestsMax: 1 },
  );
  const other = playProvider(() => nothing, { id: 'other', title: 'Other' });
  const providers = [other.provider, played.provider];
  return { database, providers, ...played, waterfalls: openTestWaterfalls(database, providers) };
}
type Scene = ReturnType<typeof openHunter>;

async function ask({ waterfalls }: Scene, ...names: readonly string[]): Promise<void> {
  const run = waterfalls.open({ jobId: null, wanted });
  const rows = names.map(
    (last_name): ProviderRow => ({ first_name: 'Ada', last_name, company_domain: 'b.example' }),
  );
  await run?.ask(rows);
  run?.stop();
}

const spent = (database: WritableDatabase): number =>
  toCredits(sumUnitsIn(database, 'hunter', '2026-11'));

test('two fields that one operation answers cost its row once', () => {
  expect(hunter.sharedCosts).toEqual([{ fields: wanted, costMaxCredits: 1 }]);
  const costs = Object.entries(hunter.fields).map(([name, terms]) => [name, terms.costMaxCredits]);
  expect(Object.fromEntries(costs)).toEqual({ work_email: 0, employment: 0, email_status: 1 });
});

test('a cap allows as many rows as it pays for, and a miss is free', async () => {
  const scene = openHunter();
  changeSetting(scene.database, 'hunter', { capDayUnits: toUnits(3) });
  await ask(scene, 'One', 'Nemo', 'Two', 'Three', 'Four');
  expect(scene.asked.map(({ last_name: name }) => name)).toEqual(['One', 'Nemo', 'Two', 'Three']);
  expect(spent(scene.database)).toBe(3);
});

test('the price of a row is divided among the fields that were found in it', async () => {
  const scene = openHunter();
  await ask(scene, 'One', 'Nemo');
  const shares = scene.database
    .prepare('SELECT field, sum(share_units) AS units FROM provider_request_field GROUP BY field')
    .all();
  expect(shares).toEqual([
    { field: 'employment', units: toUnits(0.5) },
    { field: 'work_email', units: toUnits(0.5) },
  ]);
});

test('it is asked once for both fields, although another service comes before it for one', async () => {
  const scene = openHunter();
  const order = (...ids: string[]) => ids.map((provider) => ({ provider, rule: {} }));
  writeSteps(scene.database, 'work_email', order('other', 'hunter'));
  writeSteps(scene.database, 'employment', order('hunter'));
  await ask(scene, 'One');
  expect(scene.requests.map(({ rows }) => rows[0]?.fields)).toEqual([wanted]);
});

test('a quote counts the row once, and another operation apart', () => {
  const { database, providers } = openHunter();
  const order = readOrder(database, byId(providers));
  const quote = (...fields: readonly (keyof typeof hunter.fields)[]) =>
    quoteProviders(order, [], fields, { rows: 6, openShares: {} }).find(
      ({ provider }) => provider === 'hunter',
    );
  expect(quote('work_email', 'employment')).toMatchObject({ at_most: 6, expected: 6 });
  expect(quote('work_email', 'email_status', 'employment')).toMatchObject({ at_most: 12 });
});

// What a service refuses: rows for lack of credits or over a limit, and people by law.
import { expect, test } from 'vitest';
import { ProviderError, type ProviderRow } from '../../engine/contract/provider.ts';
import type { Waterfalls } from '../../engine/providers/waterfall/create-waterfalls.ts';
import { listSends as listSendsOf } from '../../engine/providers/waterfall/provider-request.table.ts';
import { openTemporaryStore } from '../migrations/temporary-store.ts';
import { openAsked, readShipped } from './fakes/ask-fake.ts';
import { fakeApis } from './fakes/fake-apis.ts';
import { found, openTestWaterfalls, playProvider, type SayField } from './play-provider.ts';

const wanted = ['work_email'] as const;
const rowsNamed = (...names: readonly string[]): ProviderRow[] =>
  names.map((name) => ({ first_name: 'Ada', last_name: name, company_name: 'Engines' }));
const hit = ({ last_name: name = '' }: ProviderRow): SayField =>
  found({ email: `${name.toLowerCase()}@engines.example` });

/** Asks about rows in a run of its own. Returns the kind of each answer. */
async function askRows(waterfalls: Waterfalls, rows: readonly ProviderRow[]) {
  const run = waterfalls.open({ jobId: null, wanted });
  const outcome = await run?.ask(rows);
  run?.stop();
  return outcome?.kind === 'answered' ? outcome.answers.map(({ kind }) => kind) : outcome;
}

test('a row that a job has no credits for is not a miss: the next job asks for it again', async () => {
  let credits = 1;
  const says = (row: ProviderRow): SayField => {
    if (credits === 0)
      return () => ({ kind: 'failed', failure: 'quota', detail: 'No credits are left.' });
    credits -= 1;
    return hit(row);
  };
  const database = openTemporaryStore();
  const paid = playProvider(says, { id: 'paid', rowsMax: 2 });
  const spare = playProvider(() => () => ({ kind: 'miss' }), { id: 'spare' });
  const waterfalls = openTestWaterfalls(database, [paid.provider, spare.provider]);
  const rows = rowsNamed('Byron', 'Hopper', 'Lamarr');
  expect(await askRows(waterfalls, rows)).toEqual(['found', 'nothing', 'nothing']);
  // The provider is skipped after the first request, and the other one is asked.
  expect(paid.asked.map((row) => row.last_name)).toEqual(['Byron', 'Hopper']);
  expect(spare.asked.map((row) => row.last_name).sort()).toEqual(['Hopper', 'Lamarr']);
  credits = 9;
  expect(await askRows(waterfalls, rows)).toEqual(['found', 'found', 'found']);
  expect(
    paid.asked
      .slice(2)
      .map((row) => row.last_name)
      .sort(),
  ).toEqual(['Hopper', 'Lamarr']);
});

test('a refusal of a batch marks only the person that the service refuses alone', async () => {
  const database = openTemporaryStore();
  const lawful = playProvider(
    (row) => {
      if (row.last_name === 'Refused') throw new ProviderError('legal_refusal', 'Not this person.');
      return hit(row);
    },
    { id: 'lawful', rowsMax: 8 },
  );
  const other = playProvider(hit, { id: 'other' });
  const waterfalls = openTestWaterfalls(database, [lawful.provider, other.provider]);
  const rows = rowsNamed('One', 'Two', 'Three', 'Refused', 'Five', 'Six', 'Seven');
  const kinds = rows.map(({ last_name: name }) => (name === 'Refused' ? 'nothing' : 'found'));
  expect(await askRows(waterfalls, rows)).toEqual(kinds);
  // 7 → 4 + 3 → 2 + 2 → 1 + 1
  expect(lawful.requests.map((request) => request.rows.length).sort()).toEqual([
    1, 1, 2, 2, 3, 4, 7,
  ]);
  expect(other.asked).toEqual([]);
  const marked = database.prepare("SELECT value FROM suppression WHERE source = 'refusal'").pluck();
  expect(marked.all()).toEqual(['Ada Refused | Engines']);
  expect(await askRows(waterfalls, rowsNamed('Refused'))).toEqual(['nothing']);
  expect(lawful.requests).toHaveLength(7);
});

test('the limit of a day holds after a restart', async () => {
  const api = fakeApis.find(({ id }) => id === 'prospeo');
  if (!api) throw new Error('there is no fake of prospeo');
  const database = openTemporaryStore();
  const text = readShipped('prospeo').replace('"perDay": 2000', '"perDay": 3');
  const askTwo = async (...names: readonly string[]) => {
    const listSends = (id: string, since: Date) => listSendsOf(database, id, since.toISOString());
    await using asked = await openAsked(api, { text, listSends });
    const now = () => new Date('2026-11-23T08:00:00Z');
    const waterfalls = openTestWaterfalls(database, [asked.provider], now);
    const rows = rowsNamed(...names).map((row) => ({ ...row, company_domain: 'acme.example' }));
    const kinds = await askRows(waterfalls, rows);
    return { kinds, arrivals: asked.fake.arrivals.length };
  };
  expect(await askTwo('Byron', 'Hopper')).toEqual({ kinds: ['found', 'found'], arrivals: 1 });
  expect(await askTwo('Lamarr', 'Lovelace')).toEqual({ kinds: ['failed', 'failed'], arrivals: 0 });
});

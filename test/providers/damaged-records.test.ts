// What the tables of data services return for a record that is damaged, and for its neighbours.
import { expect, test } from 'vitest';
import { deleteKey, listKeys } from '../../engine/providers/installed/provider-key.table.ts';
import { listRequests } from '../../engine/providers/installed/provider-report.table.ts';
import {
  findAnswers,
  storeAnswer,
} from '../../engine/providers/waterfall/provider-answer.table.ts';
import {
  insertIntent,
  listOpenRequests,
} from '../../engine/providers/waterfall/provider-request.table.ts';
import {
  listSteps,
  writeSetting,
  writeSteps,
} from '../../engine/providers/waterfall/provider-setting.table.ts';
import { openJobFixture } from '../jobs/job-fixture.ts';

const at = '2026-11-20T10:00:00.000Z';

/** A store with two providers, whose checks accept damaged values. */
async function openTables() {
  const { database } = await openJobFixture();
  for (const provider of ['first', 'second'])
    writeSetting(database, {
      provider,
      isOn: true,
      capJobUnits: null,
      capDayUnits: null,
      capMonthUnits: null,
      repeatsUncertain: false,
    });
  database.pragma('ignore_check_constraints = ON');
  return database;
}

test.each(['{"a', '[]', '{"confidence_min":9}'])(
  'a provider with the damaged rule %j is not asked for the field, and the next one is',
  async (rule) => {
    const database = await openTables();
    writeSteps(database, 'phone', [
      { provider: 'first', rule: {} },
      { provider: 'second', rule: { confidence_min: 0.5 } },
    ]);
    database.prepare("UPDATE provider_step SET rule = ? WHERE provider = 'first'").run(rule);
    expect(listSteps(database)).toEqual([
      { field: 'phone', provider: 'second', rule: { confidence_min: 0.5 } },
    ]);
  },
);

test('the key of a provider whose hosts are damaged fits no host', async () => {
  const database = await openTables();
  const insert = database.prepare(
    "INSERT INTO provider_key (provider, entry, sealed, hosts, set_at) VALUES (?, ?, NULL, ?, '')",
  );
  insert.run('first', 'one', '{"a');
  insert.run('second', 'two', '["api.example"]');
  expect([...listKeys(database).values()].map(({ hosts }) => hosts)).toEqual([[], ['api.example']]);
  deleteKey(database, 'first');
  expect(listKeys(database).size).toBe(1);
});

test('a damaged request is recovered without its rows, and a damaged answer is lost, not asked again', async () => {
  const database = await openTables();
  const rows = [{ subject: 'one', row: { email: 'a@x.example' }, fields: ['phone'] as const }];
  const intent = { jobId: null, costMaxUnits: 1, at, rows };
  const damaged = insertIntent(database, { ...intent, uuid: 'a', provider: 'first' });
  const whole = insertIntent(database, { ...intent, uuid: 'b', provider: 'second' });
  const values = { company_phone: '+41' };
  const hit = { kind: 'hit', values, observedOn: null, confidence: 1 } as const;
  for (const [provider, requestId] of [
    ['first', damaged],
    ['second', whole],
  ] as const)
    storeAnswer(
      database,
      'one',
      { field: 'phone', provider, requestId, outcome: 'hit', hit, fetchedAt: at },
      null,
    );
  database
    .prepare('UPDATE provider_request SET rows = ?, fields = ? WHERE id = ?')
    .run('[{"a":1}]', '{"a', damaged);
  database.prepare('UPDATE provider_answer SET answer = ? WHERE provider = ?').run('{"a', 'first');
  expect(listOpenRequests(database).map((request) => request.rows)).toEqual([[], rows]);
  const page = { limit: 9, before: undefined, isUncertain: false };
  expect(listRequests(database, page).map(({ fields }) => fields)).toEqual([['phone'], []]);
  expect(findAnswers(database, 'one', at)).toMatchObject([
    { provider: 'first', outcome: 'lost', hit: null },
    { provider: 'second', outcome: 'hit', hit },
  ]);
});

// A disk without room while data services are asked: nothing more is paid, and nothing is lost.
import { setImmediate as yieldThread } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { Provider, ProviderRow } from '../../engine/contract/provider.ts';
import { createWaterfalls } from '../../engine/providers/waterfall/create-waterfalls.ts';
import { openTemporaryStore } from '../migrations/temporary-store.ts';
import { byId, found, playProvider, switchOn } from './play-provider.ts';

const rows: readonly ProviderRow[] = Array.from({ length: 40 }, (_, at) => ({
  first_name: 'Ada',
  last_name: `Row${at}`,
  company_name: 'Engines',
}));

/** Asks a service about rows; at its sixth answer the database can grow no more. */
async function fillAtSixth(isAsync: boolean) {
  const database = openTemporaryStore();
  const blocked = Promise.withResolvers<void>();
  const room = Promise.withResolvers<void>();
  const play = playProvider(
    ({ last_name: name }) => found({ title: `${name} ${'x'.repeat(9_000)}` }),
    {
      rowsMax: 1,
      requestsMax: 3,
      rowCostMaxCredits: 1,
      fields: { employment: { needs: [['last_name' as const]], costMaxCredits: 0 } },
    },
  );
  let isFilled = false;
  const fill = async () => {
    await yieldThread();
    if (play.requests.length < 6 || isFilled) return;
    isFilled = true;
    const used = Number(database.pragma('page_count', { simple: true }));
    database.pragma(`max_page_count = ${used}`);
  };
  const answered = new Map<string, ReturnType<Provider['answer']>>();
  const provider: Provider = {
    describe: play.provider.describe,
    async answer(request, options) {
      const answer = play.provider.answer(request, options);
      await fill();
      if (!isAsync) return answer;
      answered.set(request.id, answer);
      return { kind: 'pending', ticket: request.id, pollAfterMs: 0 };
    },
    ...(isAsync && { poll: (ticket) => answered.get(ticket) ?? Promise.reject(new Error('none')) }),
  };
  switchOn(database, [provider]);
  const troubles = new Set<string>();
  const waterfalls = createWaterfalls({
    database,
    providers: byId([provider]),
    now: () => new Date('2026-11-20T10:00:00Z'),
    async wait(ms) {
      if (ms === 0) return;
      blocked.resolve();
      await room.promise;
    },
    onTrouble: ({ code }) => troubles.add(code),
  });
  onTestFinished(waterfalls.stop);
  const run = waterfalls.open({ jobId: null, wanted: ['employment'] });
  if (!run) throw new Error('no provider is on');
  const outcome = run.ask(rows);
  await blocked.promise;
  return { database, play, run, outcome, room, troubles };
}

test.each([
  ['at once', false],
  ['later', true],
])(
  'while answers that come %s have no room, nothing more is paid; then each is stored, none twice',
  async (_when, isAsync) => {
    const { database, play, run, outcome, room, troubles } = await fillAtSixth(isAsync);
    for (let turns = 0; turns < 50; turns += 1) await yieldThread();
    // Those that were in flight when the first one had no room.
    const paid = play.requests.length;
    expect(paid).toBeLessThanOrEqual(9);
    expect([...troubles]).toEqual(['read_only']);
    database.pragma('max_page_count = 1000000');
    room.resolve();
    const { kind, answers } = (await outcome) as Extract<
      Awaited<typeof outcome>,
      { kind: 'answered' }
    >;
    run.stop();
    expect(kind).toBe('answered');
    expect(new Set(answers.map((answer) => answer.kind))).toEqual(new Set(['found']));
    expect(play.asked).toHaveLength(rows.length);
    const states = database.prepare(
      'SELECT state, count(*) AS count FROM provider_request GROUP BY state',
    );
    expect(states.all()).toEqual([{ state: 'answered', count: rows.length }]);
  },
);

/** Requests to a provider: its retries, and the result after the last one. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Provider,
  type ProviderAnswer,
  ProviderError,
  type ProviderRequest,
} from '../../engine/contract/provider.ts';
import { createUpstreamClient } from '../../engine/providers/upstream-client.ts';

type Try = (request: ProviderRequest) => readonly ProviderAnswer[];

const nothing: ProviderAnswer = { kind: 'nothing' };
const failed: ProviderAnswer = { kind: 'failed', detail: 'The row is locked. Try later.' };
const answerAll: Try = ({ rows }) => rows.map(() => nothing);
const isDown: Try = () => {
  throw new ProviderError('unavailable', 'Nobody answers. Try later.');
};
const refuses: Try = () => {
  throw new ProviderError('refused_credits', 'No credits are left. Add some.');
};

/** A provider with a sequence of outcomes that records its requests and waits. */
function playProvider(tries: readonly Try[], retryDelaysMs: readonly number[] = [10, 30]) {
  const asked: ProviderRequest[] = [];
  const waits: number[] = [];
  const provider: Provider = {
    name: 'Double',
    rowsMax: 100,
    retryDelaysMs,
    async answer(request) {
      asked.push(request);
      return (tries[asked.length - 1] ?? answerAll)(request);
    },
  };
  const upstream = createUpstreamClient(provider, async (ms, signal) => {
    signal.throwIfAborted();
    waits.push(ms);
  });
  return { upstream, asked, waits };
}

const emails = (...names: string[]) => names.map((email) => ({ email }));
const request = (...names: string[]) => ({ id: 'job:0', rows: emails(...names) });

test('a provider that fails for a while is retried after the delays of its table', async () => {
  const { upstream, asked, waits } = playProvider([isDown, isDown, answerAll]);
  const outcome = await upstream.ask(request('a', 'b'));
  expect(outcome).toEqual({ kind: 'answered', answers: [nothing, nothing] });
  expect(waits).toEqual([10, 30]);
  expect(asked.map(({ id, rows }) => [id, rows.length])).toEqual([
    ['job:0', 2],
    ['job:0', 2],
    ['job:0', 2],
  ]);
});

test('only failed rows are repeated', async () => {
  const { upstream, asked } = playProvider([() => [nothing, failed, nothing], answerAll]);
  const outcome = await upstream.ask(request('a', 'b', 'c'));
  expect(outcome).toEqual({ kind: 'answered', answers: [nothing, nothing, nothing] });
  expect(asked[1]?.rows).toEqual(emails('b'));
  expect(asked[1]?.id).not.toBe(asked[0]?.id);
});

test('a row that fails every time is failed after all retries, and the others are answered', async () => {
  const always: Try = ({ rows }) => rows.map(({ email }) => (email === 'b' ? failed : nothing));
  const { upstream, asked } = playProvider([always, always, always, answerAll]);
  const outcome = await upstream.ask(request('a', 'b'));
  expect(outcome).toEqual({ kind: 'answered', answers: [nothing, failed] });
  expect(asked).toHaveLength(3);
});

test('a provider that stays down refuses the request, and then gets one attempt at a time', async () => {
  const { upstream, asked, waits } = playProvider([isDown, isDown, isDown, isDown, answerAll]);
  const refused = { kind: 'refused', failure: 'unavailable', detail: 'Nobody answers. Try later.' };
  expect(await upstream.ask(request('a'))).toEqual(refused);
  expect(await upstream.ask(request('b'))).toEqual(refused);
  expect([asked.length, waits.length]).toEqual([4, 2]);
  expect(await upstream.ask(request('c'))).toMatchObject({ kind: 'answered' });
});

test('a provider that goes down between retries fails the open rows', async () => {
  const { upstream } = playProvider([() => [nothing, failed], isDown, isDown]);
  expect(await upstream.ask(request('a', 'b'))).toEqual({
    kind: 'answered',
    answers: [nothing, failed],
  });
});

test('a refusal for credits is never retried', async () => {
  const { upstream, asked, waits } = playProvider([refuses, answerAll]);
  const outcome = await upstream.ask(request('a'));
  expect(outcome).toMatchObject({ kind: 'refused', failure: 'refused_credits' });
  expect([asked.length, waits.length]).toEqual([1, 0]);
});

test('rows without an answer of the provider are failed, never lost', async () => {
  const short: Try = () => [nothing];
  const { upstream } = playProvider([short, () => [], () => []]);
  const outcome = await upstream.ask(request('a', 'b'));
  expect(outcome).toMatchObject({ answers: [nothing, { kind: 'failed' }] });
});

test('requests wait for each other, and a stop ends the current one and the waiting ones', async () => {
  const entered = Promise.withResolvers<void>();
  let inHand = 0;
  const provider: Provider = {
    name: 'Slow',
    rowsMax: 10,
    retryDelaysMs: [],
    answer(_request, signal) {
      inHand += 1;
      entered.resolve();
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      });
    },
  };
  const upstream = createUpstreamClient(provider, async () => undefined);
  const outcomes = [upstream.ask(request('a')), upstream.ask(request('b'))];
  await entered.promise;
  upstream.stop();
  expect(await Promise.all(outcomes)).toEqual([{ kind: 'stopped' }, { kind: 'stopped' }]);
  expect(inHand).toBe(1);
});

test('a bug of a provider is thrown, neither retried nor taken for an answer', async () => {
  const broken: Try = () => {
    throw new TypeError('undefined is not a function');
  };
  const { upstream, asked } = playProvider([broken]);
  await expect(upstream.ask(request('a'))).rejects.toThrow(TypeError);
  expect(asked).toHaveLength(1);
});

const anyTry: fc.Arbitrary<Try> = fc.oneof(
  fc.constant(isDown),
  fc.array(fc.boolean(), { maxLength: 6 }).map<Try>(
    (fails) =>
      ({ rows }) =>
        rows.map((_row, at) => (fails[at] ? failed : nothing)),
  ),
);

test('whatever fails for a while, every row gets one answer, at its position, within the tries', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyTry, { maxLength: 5 }),
      fc.integer({ min: 1, max: 6 }),
      async (tries, count) => {
        const { upstream, asked } = playProvider(tries, [1, 2, 3]);
        const names = Array.from({ length: count }, (_, at) => `row${at}`);
        const outcome = await upstream.ask(request(...names));
        expect(asked.length).toBeLessThanOrEqual(4);
        if (outcome.kind === 'answered') expect(outcome.answers).toHaveLength(count);
        else expect(asked).toHaveLength(4);
        const done = new Set<string>();
        for (const [nth, { rows }] of asked.entries()) {
          for (const { email = '' } of rows) expect(done).not.toContain(email);
          const said = (() => {
            try {
              return (tries[nth] ?? answerAll)({ id: '', rows });
            } catch {
              return [];
            }
          })();
          for (const [at, answer] of said.entries())
            if (answer.kind === 'nothing') done.add(rows[at]?.email ?? '');
        }
        if (outcome.kind === 'answered')
          expect(outcome.answers.map(({ kind }) => kind)).toEqual(
            names.map((name) => (done.has(name) ? 'nothing' : 'failed')),
          );
      },
    ),
  );
});

// An event is newer than a response that was requested before it, and is not overwritten by it.
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, onTestFinished, test } from 'vitest';
import { cacheEvent, invalidate, invalidateAll } from '../../renderer/api/query-cache.ts';

/** A query whose responses arrive when the test says so, oldest request first. */
function openQuery(name: string) {
  const client = new QueryClient();
  const answers: ((text: string) => void)[] = [];
  const queryFn = () => new Promise<string>((resolve) => void answers.push(resolve));
  const observer = new QueryObserver(client, { queryKey: [name], queryFn, retry: false });
  onTestFinished(observer.subscribe(() => undefined));
  const answer = async (at: number, text: string) => {
    answers[at]?.(text);
    await new Promise(setImmediate);
    return observer.getCurrentResult().data;
  };
  return { client, observer, answers, answer };
}

test('an event during the first request causes another request', async () => {
  const { client, answers, answer } = openQuery('authorizations');
  expect(answers).toHaveLength(1);
  const asked = invalidate(client, 'authorizations');
  expect(answers).toHaveLength(2);
  expect(await answer(0, 'nobody waits')).toBeUndefined();
  expect(await answer(1, 'a program waits')).toBe('a program waits');
  await asked;
});

test('a loaded query is fetched again if it is named, and left alone otherwise', async () => {
  const { client, answers, answer } = openQuery('jobs');
  await answer(0, 'none');
  void invalidate(client, 'wallet');
  expect(answers).toHaveLength(1);
  void invalidateAll(client);
  expect(answers).toHaveLength(2);
  expect(await answer(1, 'one')).toBe('one');
});

test('an event’s value is not overwritten by a response that was requested before', async () => {
  const { client, observer, answer } = openQuery('wallet');
  await answer(0, '100');
  void observer.refetch();
  cacheEvent(client, ['wallet'], '90');
  expect(await answer(1, '100')).toBe('90');
});

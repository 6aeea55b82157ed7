// The jobs of the engine for the taskbar and for notifications, from the engine's events.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { RunningJobs, splitEvents, watchEvents } from '../../main/background/follow-jobs.ts';

const job = (id: string, status: string, done: number, seconds = 60) => ({
  type: 'job',
  job: {
    job_id: id,
    status,
    title: `List ${id}`,
    total_rows: 100,
    processed_rows: done,
    enriched_rows: done - 1,
    created_at: '2026-11-23T10:00:00.000Z',
    completed_at: new Date(Date.UTC(2026, 10, 23, 10, 0, seconds)).toISOString(),
  },
});

test('the progress is that of all running jobs; a long one that ends is announced once', () => {
  const jobs = new RunningJobs();
  expect(jobs.progress).toBeNull();
  expect(jobs.take(job('a', 'running', 50))).toBeNull();
  jobs.take(job('b', 'queued', 0));
  expect(jobs.progress).toBe(0.25);
  expect(jobs.take({ type: 'wallet' })).toBeNull();
  expect(jobs.take(job('a', 'completed', 100))).toEqual({
    title: 'List a: completed',
    body: '99 of 100 rows enriched.',
  });
  expect(jobs.progress).toBe(0);
  expect(jobs.take(job('b', 'failed', 10, 9))).toBeNull();
  expect(jobs.progress).toBeNull();
  jobs.take(job('c', 'running', 5));
  jobs.clear();
  expect(jobs.progress).toBeNull();
});

test('events are read from pieces of the stream', () => {
  const text = `data: {"a":1}\n\n: ping\n\ndata: {"b":\ndata: 2}\n\ndata: torn\n\ndata: {"c"`;
  expect(splitEvents(text)).toEqual({ events: [{ a: 1 }, { b: 2 }], rest: 'data: {"c"' });
});

test('the stream is read with the session until it is no longer wanted', async () => {
  const seen: unknown[] = [];
  const got = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    seen.push(request.headers['x-desk-session'], request.url);
    response.write('data: {"type":"jobs"}\n\n');
    response.on('close', () => left.resolve());
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stop = new AbortController();
  const take = (event: unknown) => {
    seen.push(event);
    got.resolve();
  };
  const watching = watchEvents({ url, token: 't' }, take, stop.signal);
  await got.promise;
  stop.abort();
  await Promise.all([left.promise, watching]);
  expect(seen).toEqual(['t', '/app/v1/events', { type: 'jobs' }]);
});

// A refusal that ends work through its signal is answered as a refusal, not logged as a bug.
import { EventEmitter, once } from 'node:events';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { EngineError } from '../../engine/contract/errors.ts';
import { answerError } from '../../engine/http/responses.ts';

/** Answers a request whose work throws; returns the status, the body and the log. */
async function answer(work: () => Promise<unknown>) {
  const log: string[] = [];
  const server = Fastify({
    logger: { level: 'error', stream: { write: (line) => log.push(line) } },
  });
  server.setErrorHandler(answerError);
  server.get('/api/v1/data-enrichment/jobs/', work);
  const { statusCode, body } = await server.inject('/api/v1/data-enrichment/jobs/');
  await server.close();
  return { statusCode, error: (JSON.parse(body) as { error: string }).error, log };
}

test('the reason of a signal that ended a wait is the answer', async () => {
  const left = new EngineError('validation_error', 'The client left.');
  const signal = AbortSignal.abort(left);
  expect(await answer(() => once(new EventEmitter(), 'end', { signal }))).toEqual({
    statusCode: 400,
    error: 'validation_error',
    log: [],
  });
});

test('a wait that ended for another reason is a bug, which is logged', async () => {
  const signal = AbortSignal.abort(new Error('another reason'));
  const { statusCode, error, log } = await answer(() =>
    once(new EventEmitter(), 'end', { signal }),
  );
  expect([statusCode, error, log.length]).toEqual([500, 'internal_error', 1]);
});

// What the one client does with answers and addresses; hostile-peers.test.ts has its time limits.
import type { LookupAddress } from 'node:dns';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createGzip, gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { goDirectly } from '../../../engine/platform/net/proxy-routes.ts';
import {
  describeFailure,
  type OutsideOptions,
  sendOutside,
} from '../../../engine/platform/net/send-outside.ts';

const answerBytesMax = 4_096;

/** Opens a server until the test ends; returns its port. */
async function listen(listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

async function post(listener: RequestListener, options: Partial<OutsideOptions> = {}) {
  const url = new URL(`http://localhost:${await listen(listener)}/a?b=%20c+d&e=[1]`);
  return sendOutside(
    { url, method: 'POST', headers: { 'x-key': 'k' }, body: '"ä"' },
    {
      timeoutMs: 60_000,
      answerBytesMax,
      isAllowed: () => true,
      findRoutes: goDirectly,
      ...options,
    },
  );
}

test('a request has exactly its address, headers and bytes, and names no product', async () => {
  let seen: unknown;
  await post(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString('utf8');
    seen = { target: request.url, headers: request.headers, body };
    response.end();
  });
  expect(seen).toEqual({
    target: '/a?b=%20c+d&e=[1]',
    headers: {
      host: expect.stringMatching(/^localhost:\d+$/),
      connection: 'close',
      'accept-encoding': expect.stringContaining('gzip'),
      'content-length': '4',
      'x-key': 'k',
    },
    body: '"ä"',
  });
});

test('an answer may be compressed', async () => {
  const answer = await post((_request, response) => {
    response.setHeader('content-encoding', 'gzip');
    response.end(gzipSync('"ä"'));
  });
  expect([answer.body.toString('utf8'), answer.fault]).toEqual(['"ä"', null]);
});

test('an answer that grows without end when it is decompressed is read up to its limit', async () => {
  const answer = await post((_request, response) => {
    response.setHeader('content-encoding', 'gzip');
    const bomb = createGzip().on('error', () => undefined);
    bomb.pipe(response);
    const write = () => {
      while (!response.destroyed && bomb.write(Buffer.alloc(65_536)));
      bomb.once('drain', write);
    };
    write();
  });
  expect(answer).toMatchObject({ status: 200, fault: { code: 'ETOOLARGE' } });
  expect(answer.body.length).toBe(answerBytesMax);
});

test.each([
  ['that is not compressed as it says', 'nonsense', 'gzip'],
  ['that is compressed and cut off', gzipSync('x'.repeat(999)).subarray(0, 20), 'gzip'],
])('an answer %s has its status and a fault', async (_what, bytes, encoding) => {
  const answer = await post((_request, response) => {
    response.setHeader('content-encoding', encoding);
    response.end(bytes);
  });
  expect(answer.status).toBe(200);
  expect(describeFailure(answer.fault, 'The service')).toBe(
    'The service sent an answer that cannot be read.',
  );
});

test.each([301, 302, 307, 308, 429, 500, 503])('status %i is an answer, once', async (status) => {
  let asked = 0;
  const answer = await post((_request, response) => {
    asked += 1;
    response.writeHead(status, { location: '/elsewhere', 'retry-after': '0' }).end('text');
  });
  expect([answer.status, answer.body.toString('utf8'), asked]).toEqual([status, 'text', 1]);
});

test('an error of onSend is the error of the request, whose bytes are not sent', async () => {
  let asked = 0;
  const count: RequestListener = (_request, response) => {
    asked += 1;
    response.end();
  };
  const refusal = new Error('the disk is full');
  const onSend = () => {
    throw refusal;
  };
  await expect(post(count, { onSend })).rejects.toBe(refusal);
  expect(asked).toBe(0);
});

test('every request resolves its name again, once, and checks the address that it connects to', async () => {
  const asked: string[] = [];
  // A name server that an attacker controls: public to the check, then this machine.
  const answers = ['127.0.0.1', '10.0.0.1'];
  const lookup = (
    host: string,
    _options: object,
    done: (error: null, found: LookupAddress[]) => void,
  ) => {
    asked.push(host);
    done(null, [{ address: answers[asked.length - 1] ?? '', family: 4 }]);
  };
  const options = { lookup: lookup as never, isAllowed: (at: string) => at === '127.0.0.1' };
  const greet: RequestListener = (_request, response) => void response.end('hello');
  expect((await post(greet, options)).body.toString('utf8')).toBe('hello');
  await expect(post(greet, options)).rejects.toMatchObject({ code: 'EADDRESSREFUSED' });
  expect(asked).toEqual(['localhost', 'localhost']);
});

test('a server without TLS is named as one', async () => {
  const port = await listen((_request, response) => void response.end());
  const sent = sendOutside(
    { url: new URL(`https://localhost:${port}/`), method: 'GET', headers: {}, body: null },
    { timeoutMs: 60_000, answerBytesMax, isAllowed: () => true, findRoutes: goDirectly },
  );
  const error = await sent.catch((failure: unknown) => failure);
  expect(describeFailure(error, 'The service')).toMatch(/^The service does not answer with TLS/);
});

// Two real engines in one process, the second as a provider of the first.
import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import type { WorkerSetting } from '../../http/in-process-workers.ts';
import { type Desk, type Json, openApiDesk } from '../../http/open-api-desk.ts';

/** A directory of one person that no test asks about. */
const strangers =
  'person id,first name,last name,company,email\r\ns1,No,One,None,no@one.example\r\n';

/** The people of the other engine. */
const known = [
  'person id,first name,last name,company,title,email,mobile phone,company city,company website',
  'k1,Ada,Byron,Analytical,Countess,ada@analytical.example,+44 20 7946 0001,London,analytical.example',
  'k2,Grace,Hopper,Navy,Admiral,grace@navy.example,,Arlington,navy.example',
  '',
].join('\r\n');

/** An HTTP proxy that can lose the answer of the next POST after it was executed. */
export async function openLossyWay(target: string) {
  let losses = 0;
  const server = createServer((incoming, outgoing) => {
    const url = new URL(incoming.url ?? '', target);
    const { method = 'GET' } = incoming;
    const headers = { ...incoming.headers, host: url.host };
    const upstream = forward(url, { method, headers, agent: false }, (answer) => {
      if (method === 'POST' && losses > 0) {
        losses -= 1;
        answer.resume().once('end', () => outgoing.socket?.resetAndDestroy());
        return;
      }
      outgoing.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(outgoing);
    });
    upstream.once('error', () => outgoing.destroy());
    incoming.pipe(upstream);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lose(count: number) {
      losses = count;
    },
  };
}

export async function connect(from: Desk, key: string, address: string): Promise<void> {
  const added = await from.app('PUT', 'providers/desk/key', { json: { key, address } });
  expect(added.status, added.text).toBe(200);
  const on = await from.app('PATCH', 'providers/desk', { json: { is_on: true } });
  expect(on.status, on.text).toBe(200);
}

export const deskOf = async (desk: Desk): Promise<Json> =>
  (await desk.app('GET', 'providers')).data.providers.find((one: Json) => one.id === 'desk');

/** Opens two engines; the jobs of the second run at once. */
export async function openPair(options: Partial<WorkerSetting> = {}) {
  const upstream = await openApiDesk({}, { people: known, provider: null, ...options });
  upstream.environment.gate.open();
  const desk = await openApiDesk({}, { people: strangers, provider: null });
  return { desk, upstream };
}

/** Runs a job to its end; returns its rows. */
export async function enrich(desk: Desk, layers: readonly string[], rows: readonly object[]) {
  const json = { selected_layers: layers, rows };
  const submitted = await desk.call('POST', 'submit/', { json });
  expect(submitted.status, submitted.text).toBe(202);
  const id: string = submitted.data.job_id;
  await desk.environment.finish(id);
  const spent = (await desk.app('GET', `jobs/${id}/providers`)).data;
  const result = await desk.call('GET', `result/${id}/`);
  return { id, spent, result, rows: result.data?.results };
}

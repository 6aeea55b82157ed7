// The server with the real environment: threads, directory and matching, from an import to a
// result.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, onTestFinished, test } from 'vitest';
import { startEngine } from '../../engine/app/main.ts';
import type { StatusData } from '../../engine/contract/jobs/job.ts';
import { ResultPageSchema } from '../../engine/contract/jobs/job.ts';
import { expectRefusal, type Json, send, sessionToken } from './open-api-desk.ts';

const people = `person_id,first_name,last_name,title,email,company_name,company_website,is_current
1,Ada,Lovelace,Chief Analyst,ada@engines.example,Analytical Engines,engines.example,true
2,Grace,Hopper,Rear Admiral,grace@navy.example,United States Navy,navy.example,true
`;

async function openEngine() {
  const dataDir = await mkdtemp(join(tmpdir(), 'desk-engine-'));
  const config = { dataDir, port: 0, socket: true, uiDir: null, sessionToken };
  const engine = await startEngine(config);
  onTestFinished(async () => {
    await engine.close();
    await rm(dataDir, { recursive: true });
  });
  const headers = { 'x-desk-session': sessionToken };
  return {
    url: engine.url ?? '',
    dataDir,
    app: (method: string, path: string, json?: unknown) =>
      send(`${engine.url}/app/v1/${path}`, method, { headers, json }),
    rest: (key: string, method: string, path: string, json?: unknown) =>
      send(`${engine.url}/api/v1/data-enrichment/${path}`, method, { key, json }),
  };
}

/** Listens from now on; returns the job that ends first. */
async function listenForEnd(url: string): Promise<{ ended: Promise<StatusData> }> {
  const response = await fetch(`${url}/app/v1/events`, {
    headers: { 'x-desk-session': sessionToken },
  });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  await reader.read();
  const wait = async () => {
    let text = '';
    for (;;) {
      const { value = '', done } = await reader.read();
      text += value;
      const lines = text.split('\n\n');
      text = lines.pop() ?? '';
      for (const line of lines) {
        const event: Json = line.startsWith('data: ') ? JSON.parse(line.slice(6)) : {};
        if (event.type === 'job' && event.job.ready) {
          await reader.cancel();
          return event.job;
        }
      }
      if (done) throw new Error('the events ended before the job');
    }
  };
  return { ended: wait() };
}

test('imported people enrich a submitted list, at the estimated price', async () => {
  const desk = await openEngine();
  const path = join(desk.dataDir, 'people.csv');
  await writeFile(path, people);
  const imported = await desk.app('POST', 'directory/imports?wait=1', { people_path: path });
  expect(imported.data).toMatchObject({ status: 'completed', people_added: 2, rows_refused: 0 });
  const { key } = (await desk.app('POST', 'keys', { label: 'integration' })).data;
  const rows = [
    { email: 'ada@engines.example', client_reference_id: 'A', Team: 'West' },
    { first_name: 'Grace', last_name: 'Hopper', company_name: 'United States Navy' },
    { email: 'nobody@nowhere.example' },
  ];
  const order = { selected_layers: ['L1', 'L2'], rows };
  const estimate = (await desk.rest(key, 'POST', 'estimate/', order)).data;
  expect(estimate).toMatchObject({
    credits_needed: '4.5000',
    preview: { sampled: 3, enriched: 2, expected_credits: '3.0000' },
  });
  const { ended } = await listenForEnd(desk.url);
  const { job_id } = (await desk.rest(key, 'POST', 'submit/', order)).data;
  expect(await ended).toMatchObject({ job_id, status: 'completed', credits_charged: '3.0000' });
  const { data } = await desk.rest(key, 'GET', `result/${job_id}/`);
  expect(ResultPageSchema.strict().parse(data).results).toMatchObject([
    { row_index: 0, client_reference_id: 'A', enriched_fields: { 'First name': 'Ada' } },
    { row_index: 1, enriched_fields: { Email: 'grace@navy.example' } },
    { row_index: 2, status: 'skipped', reason: 'no_match', credits_charged: '0.0000' },
  ]);
  const file = await desk.rest(key, 'GET', `result/${job_id}/?format=csv`);
  const lines = parse(file.text, { columns: true }) as Record<string, string>[];
  expect(
    lines.map((line) => [line.Team, line['Current title'], line['Enrichment status']]),
  ).toEqual([
    ['West', 'Chief Analyst', 'enriched'],
    ['', 'Rear Admiral', 'enriched'],
    ['', '', 'skipped'],
  ]);
  expect((await desk.app('GET', 'wallet')).data).toEqual({
    available: '99997.0000',
    held: '0.0000',
    spent: '3.0000',
  });
  const checks: Json[] = (await desk.app('GET', 'doctor')).data;
  expect(checks.filter((check) => check.state === 'wrong')).toEqual([]);
});

test('an invalid import is refused as a whole, and the engine continues', async () => {
  const desk = await openEngine();
  const missing = { people_path: join(desk.dataDir, 'gone.csv') };
  const answer = await desk.app('POST', 'directory/imports?wait=1', missing);
  expectRefusal(answer, 'validation_error');
  expect((await desk.app('GET', 'directory')).data).toMatchObject({ people: 0, index: 'empty' });
  expectRefusal(await desk.app('POST', 'directory/imports/99/undo'), 'not_found');
});

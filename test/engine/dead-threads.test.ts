// Threads of a running engine end during work: calls are refused or repeated, later requests work,
// and every job, validation and pipeline ends exactly once.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { verifyLedger } from '../../engine/ledger/ledger.ts';
import { openReadable } from '../../engine/platform/sqlite/open-database.ts';
import { type Answer, expectRefusal } from '../http/open-api-desk.ts';
import {
  contact,
  type EnvironmentClient,
  type Environments,
  startEnvironments,
} from '../http/open-environments.ts';
import { inventName } from '../invented-names.ts';
import { settleWithin } from './hang-guard.ts';
import { watchThreads } from './watch-threads.ts';

const enrich = 'api/v1/data-enrichment';
const count = (length: number) => Array.from({ length }, (_, at) => at);

/** Starts an engine with watched threads on its own folder. */
async function openWatchedEngine(atEnd: Parameters<typeof watchThreads>[0]) {
  const threads = watchThreads(atEnd);
  let environments = await startEnvironments();
  /** One value of engine.db, after a check of its ledger. */
  const read = <Value>(sql: string, folder = '.'): Value => {
    const database = openReadable(join(environments.dataDir, folder, 'engine.db'));
    try {
      expect(verifyLedger(database)).toEqual([]);
      return database.prepare(sql).pluck().get() as Value;
    } finally {
      database.close();
    }
  };
  return {
    threads,
    read,
    get environments() {
      return environments;
    },
    async restart(meanwhile: () => void = () => undefined): Promise<EnvironmentClient> {
      environments = (await settleWithin(environments.restart(meanwhile))) as Environments;
      return environments.live;
    },
    async close(): Promise<void> {
      read('SELECT 1');
      await settleWithin(environments.remove());
    },
  };
}

type WatchedEngine = Awaited<ReturnType<typeof openWatchedEngine>>;

/** An engine that several tests share: no test ends a thread so often that restarts are delayed. */
let shared: WatchedEngine;
beforeAll(async () => {
  shared = await openWatchedEngine(afterAll);
});
afterAll(() => shared.close());

/** Another engine, for tests that end threads repeatedly and then restart it. */
let restarted: Promise<WatchedEngine> | undefined;
const ends: (() => void)[] = [];
const openRestarted = () => {
  restarted ??= openWatchedEngine((end) => ends.push(end));
  return restarted;
};
afterAll(async () => {
  await (await restarted)?.close();
  for (const end of ends) end();
});

/** One request, which must be answered. */
const ask = async (
  client: EnvironmentClient,
  ...request: Parameters<EnvironmentClient['call']>
): Promise<Answer> => (await settleWithin(client.call(...request))) as Answer;

/** Repeats the request until the answer is not `unavailable`. */
async function askUntilUp(
  client: EnvironmentClient,
  ...request: Parameters<EnvironmentClient['call']>
) {
  let answer = await ask(client, ...request);
  await expect
    .poll(async () => {
      if (answer.status === 503) answer = await ask(client, ...request);
      return answer.status;
    })
    .not.toBe(503);
  return answer;
}

function expectUnavailable(answer: Answer): void {
  expectRefusal(answer, 'unavailable', /try again/);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
}

const submission = (rows: readonly object[], key: string) => ({
  json: { selected_layers: ['L1'], rows },
  headers: { 'idempotency-key': key },
});

async function waitForJob(client: EnvironmentClient, id: string) {
  const read = async () => (await askUntilUp(client, 'GET', `${enrich}/status/${id}/`)).data;
  await expect.poll(async () => (await read()).ready).toBe(true);
  return read();
}

const peopleHeader = 'person_id,first_name,last_name,organization,title,email,is_current';
const person = (at: number) => `p${at},${inventName(at)},Acme Widgets,Buyer,,1`;

const [firstName, lastName] = inventName(1);
const knownRow = { first_name: firstName, last_name: lastName, company_name: 'Acme Widgets' };

function importPeople(environments: Environments, name: string, length: number) {
  const path = join(environments.dataDir, name);
  writeFileSync(path, [peopleHeader, ...count(length).map(person), ''].join('\n'));
  return ask(environments.live, 'POST', 'app/v1/directory/imports?wait=1', {
    json: { people_path: path },
  });
}

const readDirectory = async (client: EnvironmentClient) =>
  (await askUntilUp(client, 'GET', 'app/v1/directory')).data;

test('a job continues with the next writer: every row once, charged once, and events continue', async () => {
  const { environments, threads, read } = shared;
  const { live } = environments;
  expect((await importPeople(environments, 'people.csv', 4_000)).status).toBe(200);
  const path = join(environments.dataDir, 'list.csv');
  const known = count(4_000).map((at) => `${inventName(at)},Acme Widgets,`);
  const unknown = count(12_000).map((at) => `,,,nobody${at}@elsewhere.example`);
  const lines = ['First name,Last name,Company,Email', ...known, ...unknown, ''];
  writeFileSync(path, lines.join('\n'));
  const upload = await ask(live, 'POST', 'app/v1/uploads', { json: { path } });
  const json = { upload_id: upload.data.upload_id, selected_layers: ['L1'] };
  const events = await live.listen();
  onTestFinished(() => events.close());
  const submitted = await ask(live, 'POST', 'app/v1/jobs', { json });
  const [writer] = threads.list('writer-thread');
  const exit = new Promise((resolve) => writer!.once('exit', resolve));
  const done = exit.then(() => read<number>('SELECT processed_rows FROM job'));
  threads.kill('writer-thread');
  expect(await settleWithin(done)).toBeLessThan(16_000);
  const { job } = (await settleWithin(
    events.next(
      (event): event is Extract<typeof event, { type: 'job' }> =>
        event.type === 'job' && event.job.ready,
    ),
  )) as { job: { job_id: string } };
  expect(job).toMatchObject({ job_id: submitted.data.job_id, enriched_rows: 4_000 });
  expect(threads.list('writer-thread')).toHaveLength(2);
  expect(read('SELECT count(*) FROM result')).toBe(16_000);
  const { available, held, spent } = (await ask(live, 'GET', 'app/v1/wallet')).data;
  expect([available, held, spent]).toEqual(['96000.0000', '0.0000', '4000.0000']);
});

test('a reader that ends refuses its call, and its successor has the index', async () => {
  const { environments, threads } = shared;
  const { live } = environments;
  const writers = threads.list('writer-thread').length;
  const letLive = threads.keepKilling('reader-thread');
  const options = { json: { selected_layers: ['L1'], rows: [knownRow] } };
  expectUnavailable(await ask(live, 'POST', `${enrich}/submit/`, options));
  expectUnavailable(await ask(live, 'GET', 'app/v1/directory'));
  letLive();
  const estimate = await askUntilUp(live, 'POST', `${enrich}/estimate/`, options);
  expect(estimate.data.preview).toMatchObject({ sampled: 1, enriched: 1 });
  expect(threads.list('writer-thread')).toHaveLength(writers);
});

test('a file thread that ends refuses its upload and leaves nothing behind', async () => {
  const { environments, threads } = shared;
  const list = () => readdirSync(join(environments.dataDir, 'uploads'));
  const before = list();
  const path = join(environments.dataDir, 'short.csv');
  writeFileSync(path, 'Email\nada@example.com\n');
  const letLive = threads.keepKilling('file-thread');
  const upload = () => ask(environments.live, 'POST', 'app/v1/uploads', { json: { path } });
  expectUnavailable(await upload());
  expect(list()).toEqual(before);
  letLive();
  expect((await upload()).data.row_count).toBe(1);
});

test('a file thread that ends during an export ends the download', {
  tags: ['full'],
}, async () => {
  const { environments, threads } = shared;
  const { live } = environments;
  const rows = count(10_000).map((at) => ({ email: `nobody${at}@elsewhere.example` }));
  const job = await live.run(rows, ['L1']);
  const key = await live.makeKey();
  const url = `${live.base}/${enrich}/result/${job.job_id}/?format=csv`;
  const download = async () => {
    const response = await fetch(url, { headers: { authorization: `Token ${key}` } });
    expect(response.status).toBe(200);
    return response.text();
  };
  let messages = 0;
  threads.onStart('file-thread', (worker) =>
    worker.on('message', () => {
      messages += 1;
      if (messages === 2) worker.postMessage(null);
    }),
  );
  expect(await settleWithin(download())).toBeInstanceOf(TypeError);
  expect(await settleWithin(download())).toContain('nobody9999@elsewhere.example');
});

test('a directory thread that ends leaves the directory unchanged, and the import can be repeated', {
  tags: ['full'],
}, async () => {
  const { environments, threads } = shared;
  await importPeople(environments, 'few.csv', 10);
  const before = await readDirectory(environments.live);
  const letLive = threads.keepKilling('directory-thread');
  expectUnavailable(await importPeople(environments, 'many.csv', 12_000));
  // The files may have grown by pages of the import that was rolled back.
  const { bytes } = await readDirectory(environments.live);
  expect(await readDirectory(environments.live)).toEqual({ ...before, bytes });
  letLive();
  expect((await importPeople(environments, 'many.csv', 12_000)).status).toBe(200);
  expect(await readDirectory(environments.live)).toMatchObject({ people: 12_000, index: 'ready' });
});

test('work that waits for its upstream continues with the next writer, also in staging', {
  tags: ['full'],
}, async () => {
  const { environments, threads, read } = shared;
  const { staging } = environments;
  const writers = threads.list('writer-thread').length;
  const slow = count(3).map(() => contact('slow'));
  const job = await ask(staging, 'POST', `${enrich}/submit/`, submission(slow, 'one'));
  const started = await ask(staging, 'POST', 'api/v1/pipeline/', {
    json: { contacts: [contact('slow'), contact('enriched')], unlock: ['email'] },
  });
  const emails = count(600).map((at) => `person${at}@sandbox.example`);
  const validation = await ask(staging, 'POST', 'app/v1/email-validations', { json: { emails } });
  expect([job, started, validation].map(({ status }) => status)).toEqual([202, 202, 202]);
  threads.kill('writer-thread');
  expect((await waitForJob(staging, job.data.job_id)).total_rows).toBe(3);
  const pipeline = async () =>
    (await askUntilUp(staging, 'GET', `api/v1/pipeline/${started.data.pipeline_id}/`)).data;
  await expect.poll(async () => (await pipeline()).status).toBe('completed');
  const { job_id: validationId } = validation.data;
  const verdicts = async () =>
    (await askUntilUp(staging, 'GET', `app/v1/email-validations/${validationId}`)).data;
  await expect.poll(async () => (await verdicts()).status).toBe('completed');
  const { held } = (await ask(staging, 'GET', 'app/v1/wallet')).data;
  expect(held).toBe('0.0000');
  expect(read('SELECT count(*) FROM result', 'staging')).toBe(3);
  // The live writer did not end.
  expect(threads.list('writer-thread')).toHaveLength(writers + 2);
});

test('while the writer ends repeatedly, requests are refused immediately and a fault is reported', {
  tags: ['full'],
}, async () => {
  const { environments, threads } = await openRestarted();
  const { live } = environments;
  const letLive = threads.keepKilling('writer-thread');
  const rows = [{ email: 'ada@example.com' }];
  const submit = () => ask(live, 'POST', `${enrich}/submit/`, submission(rows, 'one'));
  const refused: Answer[] = [];
  await expect
    .poll(async () => {
      refused.push(await submit());
      const healthz = await ask(live, 'GET', 'healthz');
      const { data } = await ask(live, 'GET', 'app/v1/state');
      return [healthz.status, data.fault];
    })
    .toEqual([503, expect.stringMatching(/writer-thread ended \d times in a row/)]);
  expectUnavailable(await ask(live, 'GET', 'healthz'));
  for (const answer of refused) expectUnavailable(answer);
  const { data: checks } = await ask(live, 'GET', 'app/v1/doctor');
  expect(checks).toContainEqual(expect.objectContaining({ name: 'Threads', state: 'wrong' }));
  letLive();
  const { job_id: jobId } = (
    await askUntilUp(live, 'POST', `${enrich}/submit/`, submission(rows, 'one'))
  ).data;
  const again = await ask(live, 'POST', `${enrich}/submit/`, submission(rows, 'one'));
  expect([again.status, again.data.job_id]).toEqual([200, jobId]);
  expect((await waitForJob(live, jobId)).total_rows).toBe(1);
  expect((await ask(live, 'GET', `${enrich}/jobs/`)).data.count).toBe(1);
});

test('jobs wait for an index that could not be built, and continue when it is', {
  tags: ['full'],
}, async () => {
  const { environments, restart } = await openRestarted();
  await importPeople(environments, 'people.csv', 10);
  const indexPath = join(environments.dataDir, 'directory.index');
  const live = await restart(() => {
    rmSync(indexPath);
    // A folder in place of the file: it can be neither read nor replaced.
    mkdirSync(join(indexPath, 'in-the-way'), { recursive: true });
  });
  await expect.poll(async () => (await readDirectory(live)).index).toBe('failed');
  expect((await readDirectory(live)).index_error).toContain('tries again automatically');
  const { data } = await ask(live, 'POST', `${enrich}/submit/`, submission([knownRow], 'two'));
  rmSync(indexPath, { recursive: true });
  expect(await waitForJob(live, data.job_id)).toMatchObject({ enriched_rows: 1 });
  expect(await readDirectory(live)).toMatchObject({ index: 'ready', index_error: null });
});

test('searches are refused while the thread that builds their index ends, and answered after', {
  tags: ['full'],
}, async () => {
  const { environments, threads, restart } = await openRestarted();
  await importPeople(environments, 'people.csv', 10);
  const letLive = threads.keepKilling('directory-thread');
  const live = await restart(() => {
    // The thread ends after its first answer, the match index.
    for (const name of ['directory.index', 'directory.search'])
      rmSync(join(environments.dataDir, name));
  });
  const search = () =>
    ask(live, 'POST', 'app/v1/directory/search/contacts', { json: { job_title: 'Buyer' } });
  expectRefusal(await search(), 'not_ready', /retries automatically|tries again automatically/);
  letLive();
  await expect.poll(async () => (await search()).status).toBe(200);
});

test('an engine with saved indexes starts without a directory thread', async () => {
  const { environments, threads, restart } = await openRestarted();
  await importPeople(environments, 'people.csv', 10);
  let starts = 0;
  threads.onStart('directory-thread', () => {
    starts += 1;
  });
  const live = await restart();
  await expect.poll(async () => (await readDirectory(live)).index).toBe('ready');
  const found = { json: { job_title: 'Buyer' } };
  expect((await ask(live, 'POST', 'app/v1/directory/search/contacts', found)).status).toBe(200);
  expect(starts).toBe(0);
});

test('an engine with an empty directory starts without a directory thread', async () => {
  const threads = watchThreads();
  const environments = await startEnvironments();
  onTestFinished(() => environments.remove());
  await expect.poll(async () => (await readDirectory(environments.live)).index).toBe('empty');
  expect(threads.list('directory-thread')).toEqual([]);
});

test('an engine whose threads have ended closes, and the next one continues', async () => {
  const { environments, threads, restart } = await openRestarted();
  const rows = count(2_000).map((at) => ({ email: `nobody${at}@elsewhere.example` }));
  const submitted = await ask(
    environments.live,
    'POST',
    `${enrich}/submit/`,
    submission(rows, 'three'),
  );
  const names = ['writer-thread', 'reader-thread', 'directory-thread'] as const;
  const letLive = names.map(threads.keepKilling);
  const live = await restart(() => {
    for (const stop of letLive) stop();
  });
  expect((await waitForJob(live, submitted.data.job_id)).total_rows).toBe(2_000);
});

test('staging work continues by itself if staging could not be opened at the start', {
  tags: ['full'],
}, async () => {
  const { environments, threads, restart, read } = await openRestarted();
  const request = submission([contact('slow')], 'one');
  await ask(environments.staging, 'POST', `${enrich}/submit/`, request);
  let starts = 0;
  threads.onStart('writer-thread', (worker) => {
    starts += 1;
    // The first one is from live.
    if (starts === 2 || starts === 3) worker.postMessage(null);
  });
  await restart();
  await expect.poll(() => read('SELECT status FROM job', 'staging')).toBe('completed');
  expect(starts).toBeGreaterThan(3);
});

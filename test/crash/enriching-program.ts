// A program to kill: the engine of a folder with a directory and paid providers, which submits a
// job of `rows` rows if there is none, runs it, and prints "running" and "ended".
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { listAccounts } from '../../engine/accounts/account.table.ts';
import { startEnvironment } from '../../engine/app/start-environment.ts';
import { endStatuses, type JobStatus } from '../../engine/contract/jobs/job.ts';
import { slowAnswerMs } from '../../engine/contract/limits/waterfall.ts';
import type { Provider } from '../../engine/contract/provider.ts';
import { goDirectly } from '../../engine/platform/net/proxy-routes.ts';
import { defineDesk } from '../../engine/providers/desk/desk-definition.ts';
import { openDeskProvider } from '../../engine/providers/desk/desk-provider.ts';
import { createInProcessWorkers } from '../http/in-process-workers.ts';
import { personOf } from './listed-person.ts';
import { createPaidProvider, type PaidProviderOptions } from './paid-provider.ts';

const { folder, rows, providers, people, engine } = JSON.parse(process.argv[2] ?? '') as {
  readonly folder: string;
  readonly rows: number;
  readonly providers: readonly PaidProviderOptions[];
  readonly people: string;
  readonly engine?: { readonly address: string; readonly key: string };
};

/** Another engine in requests of few rows, without the limits of its interface. */
function openEngine({ address, key }: NonNullable<typeof engine>): Provider {
  const { desk, ...definition } = defineDesk({ id: 'desk', client: 'desk', address, prices: {} });
  if (!desk) throw new Error('not the definition of an engine');
  const [op] = definition.ops;
  const fewer = {
    ...definition,
    limits: { ...definition.limits, perMinute: 100_000, concurrency: 3 },
    ops: op ? [{ ...op, batch: { ...op.batch, max: 10 } }] : [],
  };
  return openDeskProvider(fewer, desk, {
    clock: { now: Date.now, wait: (ms, signal) => wait(ms, undefined, { signal }) },
    readSecret: async () => key,
    findRoutes: goDirectly,
  });
}

const paid = providers.map(createPaidProvider);
const { workers, gate } = createInProcessWorkers({
  provider: engine ? [...paid, openEngine(engine)] : paid,
  // Batches are written before some of their services have answered.
  wait: (ms, signal) => wait(ms === slowAnswerMs ? 20 : ms, undefined, { signal }),
});
const environment = await startEnvironment('live', folder, workers);
const { database, reader, writer } = environment;
const readStatus = () =>
  database.prepare<[], JobStatus>('SELECT status FROM job').pluck().get() as JobStatus | undefined;

async function importPeople(): Promise<void> {
  const peoplePath = join(folder, 'people.csv');
  writeFileSync(peoplePath, people);
  const options = { source: 'list.csv', observed: '2026-11-01', trust: 0.8 };
  await reader.importDirectory({ peoplePath, ...options });
}

async function submit(): Promise<void> {
  const input = await reader.writeRows({
    headers: ['First name', 'Last name', 'Company', 'Email'],
    // Every row is there twice.
    rows: Array.from({ length: rows }, (_, at) => [...personOf(at % (rows / 2))]),
    targetDir: join(folder, 'uploads', 'list'),
  });
  const [account] = listAccounts(database);
  await writer.submitJob({
    accountId: account?.id ?? 0,
    keyId: null,
    selection: ['L1', 'MPA'],
    title: 'List',
    fileName: null,
    idempotency: null,
    input,
    mapping: { first_name: 0, last_name: 1, company_name: 2, email: 3 },
  });
}

const sayEnded = () => {
  const status = readStatus();
  if (status && endStatuses.includes(status)) console.log('ended');
};
if (readStatus() === undefined) {
  await importPeople();
  await submit();
}
environment.subscribe(sayEnded);
console.log('running');
gate.open();
sayEnded();

/**
 * A program to kill: the engine of a folder with one person of its own, which asks a shared
 * directory. It submits a job of `rows` rows if there is none, runs it, and prints "running" and
 * "ended".
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { listAccounts } from '../../engine/accounts/account.table.ts';
import { startEnvironment } from '../../engine/app/start-environment.ts';
import { endStatuses, type JobStatus } from '../../engine/contract/jobs/job.ts';
import { createInProcessWorkers } from '../http/in-process-workers.ts';
import { personOf } from './listed-person.ts';

const { folder, rows, address, password } = JSON.parse(process.argv[2] ?? '') as {
  readonly folder: string;
  readonly rows: number;
  readonly address: string;
  readonly password: string;
};

const { workers, gate } = createInProcessWorkers({ provider: [] });
const environment = await startEnvironment('live', folder, workers);
const { database, reader, writer } = environment;
const readStatus = () =>
  database.prepare<[], JobStatus>('SELECT status FROM job').pluck().get() as JobStatus | undefined;

async function submit(): Promise<void> {
  await writer.changeSharedDirectory({ address, password });
  const peoplePath = join(folder, 'people.csv');
  writeFileSync(peoplePath, 'first name,last name,company\nAnn,Lee,Acme Widgets\n');
  await reader.importDirectory({ peoplePath, source: 'own.csv' });
  const input = await reader.writeRows({
    headers: ['First name', 'Last name', 'Company', 'Email'],
    rows: Array.from({ length: rows }, (_, at) => [...personOf(at)]),
    targetDir: join(folder, 'uploads', 'list'),
  });
  const [account] = listAccounts(database);
  await writer.submitJob({
    ...{ accountId: account?.id ?? 0, keyId: null, selection: ['L1'], title: 'List' },
    ...{ fileName: null, idempotency: null, input },
    mapping: { first_name: 0, last_name: 1, company_name: 2, email: 3 },
  });
}

const sayEnded = () => {
  const status = readStatus();
  if (status && endStatuses.includes(status)) console.log('ended');
};
if (readStatus() === undefined) await submit();
environment.subscribe(sayEnded);
console.log('running');
gate.open();
sayEnded();

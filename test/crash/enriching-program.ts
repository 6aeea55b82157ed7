/**
 * A program to kill: the engine of a folder with paid providers, which submits a job of `rows` rows
 * if there is none, runs it, and prints "running" and "ended".
 */
import { join } from 'node:path';
import { listAccounts } from '../../engine/accounts/account.table.ts';
import { startEnvironment } from '../../engine/app/start-environment.ts';
import { endStatuses, type JobStatus } from '../../engine/contract/jobs/job.ts';
import { createInProcessWorkers } from '../http/in-process-workers.ts';
import { createPaidProvider, type PaidProviderOptions } from './paid-provider.ts';

const { folder, rows, providers } = JSON.parse(process.argv[2] ?? '') as {
  readonly folder: string;
  readonly rows: number;
  readonly providers: readonly PaidProviderOptions[];
};
const { workers, gate } = createInProcessWorkers({ provider: providers.map(createPaidProvider) });
const environment = await startEnvironment('live', folder, workers);
const { database, reader, writer } = environment;
const readStatus = () =>
  database.prepare<[], JobStatus>('SELECT status FROM job').pluck().get() as JobStatus | undefined;

async function submit(): Promise<void> {
  const input = await reader.writeRows({
    headers: ['First name', 'Last name', 'Company'],
    // Every row is there twice.
    rows: Array.from({ length: rows }, (_, at) => [
      ...['Ada', `Row${at % (rows / 2)}`, 'Elsewhere Ltd'],
    ]),
    targetDir: join(folder, 'uploads', 'list'),
  });
  const [account] = listAccounts(database);
  await writer.submitJob({
    ...{ accountId: account?.id ?? 0, keyId: null, selection: ['L1', 'MPA'], title: 'List' },
    ...{
      fileName: null,
      idempotency: null,
      input,
      mapping: { first_name: 0, last_name: 1, company_name: 2 },
    },
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

/** Every request that the screens make, by the name of what it does. */
import { z } from 'zod';
import {
  type Account,
  AccountSchema,
  CreatedKeySchema,
  type KeyChangeSchema,
  KeySchema,
  type NewKeySchema,
} from '../../engine/contract/accounts.ts';
import { DirectoryStatsSchema, ImportReportSchema } from '../../engine/contract/directory.ts';
import { type AppState, AppStateSchema } from '../../engine/contract/engine.ts';
import { type EnvironmentName, environmentPaths } from '../../engine/contract/ids.ts';
import {
  ExportAnswerSchema,
  type ExportRequestSchema,
  GridPageSchema,
  type SubmitUploadSchema,
  type UploadJobSchema,
} from '../../engine/contract/jobs/app-jobs.ts';
import {
  CancelDataSchema,
  EstimateDataSchema,
  type JobStatus,
  JobsPageSchema,
  LayersDataSchema,
  type RowStatus,
  StatusDataSchema,
  SubmitDataSchema,
} from '../../engine/contract/jobs/job.ts';
import { LedgerPageSchema, RateSchema, WalletSchema } from '../../engine/contract/ledger.ts';
import { call } from './client.ts';

const post = (body: unknown = {}) => ({ method: 'POST' as const, body });
const query = (parts: Record<string, string | number | null | undefined>) =>
  new URLSearchParams(
    Object.entries(parts).flatMap(([name, value]) =>
      value === null || value === undefined ? [] : [[name, String(value)]],
    ),
  );

/** Names, versions, balances, directory: what the rail shows. */
export const readState = (signal?: AbortSignal): Promise<AppState> =>
  call(AppStateSchema, '/app/v1/state', signal ? { signal } : {});

/** The account's layers with their prices. */
export const readLayers = () => call(LayersDataSchema, '/app/v1/layers');

/** Exact price and dry run of an upload; charges and stores nothing. */
export const estimateUpload = (body: z.input<typeof UploadJobSchema>, signal: AbortSignal) =>
  call(EstimateDataSchema, '/app/v1/estimate', { ...post(body), signal });

/** Lets go of an upload that no job is made of. */
export const dropUpload = (uploadId: string) =>
  call(z.unknown(), `/app/v1/uploads/${uploadId}`, { method: 'DELETE' });

/** Holds the credits and starts the job. */
export const submitUpload = (body: z.input<typeof SubmitUploadSchema>) =>
  call(SubmitDataSchema, '/app/v1/jobs', post(body));

/** Jobs, newest first. */
export const readJobs = (page: { limit: number; offset: number; status?: JobStatus | null }) =>
  call(JobsPageSchema, `/app/v1/jobs?${query(page)}`);

/** One job's status record. */
export const readJob = (jobId: string) => call(StatusDataSchema, `/app/v1/jobs/${jobId}`);

/** A slice of a job's rows, input beside output. */
export const readRows = (
  jobId: string,
  page: { limit: number; offset: number; status: RowStatus | null },
  signal: AbortSignal,
) => call(GridPageSchema, `/app/v1/jobs/${jobId}/rows?${query(page)}`, { signal });

/** Stops a job and releases its hold. */
export const cancelJob = (jobId: string) =>
  call(CancelDataSchema, `/app/v1/jobs/${jobId}/cancel`, post());

/** Runs what failed once more; the answer may be a new job. */
export const retryJob = (jobId: string) =>
  call(SubmitDataSchema, `/app/v1/jobs/${jobId}/retry`, post());

/** Writes the result to a path, or answers a one-time address to download it from. */
export const exportJob = (jobId: string, body: z.input<typeof ExportRequestSchema>) =>
  call(ExportAnswerSchema, `/app/v1/jobs/${jobId}/export`, post(body));

/** What the directory holds, with its imports. */
export const readDirectory = () => call(DirectoryStatsSchema, '/app/v1/directory');

/** Takes back an import as a whole. */
export const undoImport = (importId: number) =>
  call(ImportReportSchema, `/app/v1/directory/imports/${importId}/undo`, post());

/** Loads the sample directory and answers its report when it is searchable. */
export const loadSample = () => call(ImportReportSchema, '/app/v1/directory/sample?wait=1', post());

/** Takes the sample directory out again. */
export const removeSample = () =>
  call(z.unknown(), '/app/v1/directory/sample', { method: 'DELETE' });

/** The wallet's three numbers. */
export const readWallet = () => call(WalletSchema, '/app/v1/wallet');

/** Adds credits: a decimal string with up to four fraction digits. */
export const grantCredits = (credits: string) =>
  call(WalletSchema, '/app/v1/wallet/grants', post({ credits }));

/** The ledger, newest first. */
export const readEntries = (page: { limit: number; offset: number }) =>
  call(LedgerPageSchema, `/app/v1/wallet/entries?${query(page)}`);

/** The account's rate card. */
export const readRates = () => call(z.array(RateSchema), '/app/v1/rates');

/** Changes one price, or switches a layer on or off. */
export const changeRate = (code: string, body: { price?: string; active?: boolean }) =>
  call(z.unknown(), `/app/v1/rates/${code}`, { method: 'PUT', body });

// The staging environment has accounts of its own; its keys are those of its first.
const keysOf = (environment: EnvironmentName) => ({
  path: `${environmentPaths[environment]}/app/v1/keys`,
  isForFirst: environment === 'staging',
});

/** An environment's API keys, without their secrets. */
export function readKeys(environment: EnvironmentName) {
  const { path, isForFirst } = keysOf(environment);
  return call(z.array(KeySchema), path, { isForFirst });
}

/** Makes a key; the answer is the only time that it is shown. */
export function createKey(environment: EnvironmentName, body: z.input<typeof NewKeySchema>) {
  const { path, isForFirst } = keysOf(environment);
  return call(CreatedKeySchema, path, { ...post(body), isForFirst });
}

/** Names a key anew, or changes what it may do. */
export function changeKey(
  environment: EnvironmentName,
  id: string,
  body: z.input<typeof KeyChangeSchema>,
) {
  const { path, isForFirst } = keysOf(environment);
  return call(KeySchema, `${path}/${id}`, { method: 'PATCH', body, isForFirst });
}

/** Ends a key. */
export function revokeKey(environment: EnvironmentName, id: string) {
  const { path, isForFirst } = keysOf(environment);
  return call(KeySchema, `${path}/${id}`, { method: 'DELETE', isForFirst });
}

/** Every account, whichever is chosen. */
export const readAccounts = () =>
  call(z.array(AccountSchema), '/app/v1/accounts', { isForFirst: true });

/** Makes an account with an empty wallet. */
export const createAccount = (name: string) =>
  call(AccountSchema, '/app/v1/accounts', { ...post({ name }), isForFirst: true });

/** Changes an account's name, how it is charged and from what certainty on a match counts. */
export const changeAccount = (
  id: string,
  body: Partial<Pick<Account, 'name' | 'charge_policy' | 'match_threshold'>>,
) => call(AccountSchema, `/app/v1/accounts/${id}`, { method: 'PATCH', body });

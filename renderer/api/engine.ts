/** Requests of the screens, one function each. */
import { z } from 'zod';
import {
  type Account,
  AccountSchema,
  CreatedKeySchema,
  type KeyChangeSchema,
  KeySchema,
  type NewKeySchema,
} from '../../engine/contract/accounts.ts';
import {
  type AppState,
  AppStateSchema,
  BrowserSessionSchema,
} from '../../engine/contract/engine.ts';
import { type EnvironmentName, environmentPaths } from '../../engine/contract/ids.ts';
import {
  CancelDataSchema,
  type JobStatus,
  JobsPageSchema,
  LayersDataSchema,
  StatusDataSchema,
  SubmitDataSchema,
} from '../../engine/contract/jobs/job.ts';
import { NetworkCheckSchema } from '../../engine/contract/jobs/offline.ts';
import { RateSchema, WalletSchema } from '../../engine/contract/ledger.ts';
import { call } from './client.ts';
import { jobPath, paths, queryOf } from './transport/first-requests.ts';

const post = (body: unknown = {}) => ({ method: 'POST' as const, body });
/** Names, versions, balances and directory, for the sidebar. */
export const readState = (signal?: AbortSignal): Promise<AppState> =>
  call(AppStateSchema, '/app/v1/state', signal ? { signal } : {});

/** The browsers that may use the app. */
export const readSessions = () => call(z.array(BrowserSessionSchema), paths.sessions);

/** Closes a browser's session: its pages are locked. */
export const closeSession = (id: string) =>
  call(z.unknown(), `${paths.sessions}/${id}`, { method: 'DELETE' });

/** The account's layers with prices. */
export const readLayers = () => call(LayersDataSchema, '/app/v1/layers');

/** Deletes an upload that is not used for a job. */
export const dropUpload = (uploadId: string) =>
  call(z.unknown(), `/app/v1/uploads/${uploadId}`, { method: 'DELETE' });

export const readJobs = (page: { limit: number; offset: number; status?: JobStatus | null }) =>
  call(JobsPageSchema, `/app/v1/jobs?${queryOf(page)}`);

export const readJob = (jobId: string) => call(StatusDataSchema, jobPath(jobId));

/** Cancels a job and releases its hold. */
export const cancelJob = (jobId: string) =>
  call(CancelDataSchema, `/app/v1/jobs/${jobId}/cancel`, post());

/** Lets a job that waits for the network go on without data services. */
export const leaveOutOffline = (jobId: string) =>
  call(StatusDataSchema, `/app/v1/jobs/${jobId}/when-offline`, {
    method: 'PUT',
    body: { when_offline: 'leave_out' },
  });

/** Makes waiting jobs look for the network now. */
export const checkNetwork = () => call(NetworkCheckSchema, '/app/v1/network', post());

/** Retries the failed rows. May return a new job. */
export const retryJob = (jobId: string) =>
  call(SubmitDataSchema, `/app/v1/jobs/${jobId}/retry`, post());

export const readWallet = () => call(WalletSchema, '/app/v1/wallet');

/** Adds credits: a decimal string with up to four fraction digits. */
export const grantCredits = (credits: string) =>
  call(WalletSchema, '/app/v1/wallet/grants', post({ credits }));

export const readRates = () => call(z.array(RateSchema), paths.rates);

/** Changes a layer's price, or switches it on or off. */
export const changeRate = (code: string, body: { price?: string; active?: boolean }) =>
  call(z.unknown(), `${paths.rates}/${code}`, { method: 'PUT', body });

// The staging environment has its own accounts; its keys are those of the first one.
const keysOf = (environment: EnvironmentName) => ({
  path: `${environmentPaths[environment]}/app/v1/keys`,
  isForFirst: environment === 'staging',
});

/** API keys of an environment, without secrets. */
export function readKeys(environment: EnvironmentName) {
  const { path, isForFirst } = keysOf(environment);
  return call(z.array(KeySchema), path, { isForFirst });
}

/** Creates a key. The response is the only one with its secret. */
export function createKey(environment: EnvironmentName, body: z.input<typeof NewKeySchema>) {
  const { path, isForFirst } = keysOf(environment);
  return call(CreatedKeySchema, path, { ...post(body), isForFirst });
}

/** Renames a key, or changes its limits. */
export function changeKey(
  environment: EnvironmentName,
  id: string,
  body: z.input<typeof KeyChangeSchema>,
) {
  const { path, isForFirst } = keysOf(environment);
  return call(KeySchema, `${path}/${id}`, { method: 'PATCH', body, isForFirst });
}

/** Revokes a key. */
export function revokeKey(environment: EnvironmentName, id: string) {
  const { path, isForFirst } = keysOf(environment);
  return call(KeySchema, `${path}/${id}`, { method: 'DELETE', isForFirst });
}

/** All accounts of the installation. */
export const readAccounts = () =>
  call(z.array(AccountSchema), '/app/v1/accounts', { isForFirst: true });

/** Creates an account with an empty wallet. */
export const createAccount = (name: string) =>
  call(AccountSchema, '/app/v1/accounts', { ...post({ name }), isForFirst: true });

/** Changes an account's name or rules. */
export const changeAccount = (id: string, body: Partial<Omit<Account, 'id' | 'created_at'>>) =>
  call(AccountSchema, `/app/v1/accounts/${id}`, { method: 'PATCH', body });

// All REST routes that spend, each with a request of known price.
import type { AppEvent } from '../../engine/contract/events.ts';
import { type CallOptions, csv } from '../http/open-api-desk.ts';
import { contact, type EnvironmentClient, isEnd } from '../http/open-environments.ts';
import type { GuardedKey } from './guarded-key.ts';

const enrich = 'api/v1/data-enrichment';
const monitors = 'api/v1/career-monitor/jobs';

export interface SpendingRequest {
  readonly path: string;
  readonly options: CallOptions;
}

export interface SpendingRoute {
  readonly name: string;
  /** The maximum price in credits. */
  readonly price: number;
  readonly operation: RegExp;
  /** Prepares the request. The wallet is empty before, and filled afterwards. */
  prepare(key: GuardedKey, staging: EnvironmentClient): Promise<SpendingRequest>;
}

const rows = [contact('enriched'), contact('no-match'), contact('moved')];

async function failJob({ account, app }: GuardedKey, staging: EnvironmentClient): Promise<string> {
  await app('POST', 'wallet/grants', { credits: 2 });
  const events = await staging.listen(account);
  const json = { selected_layers: ['L1'], rows: [contact('upstream-credits'), contact('phone')] };
  const made = await staging.call('POST', `${enrich}/submit/`, { headers: account, json });
  await events.next(isEnd(made.data.job_id));
  await events.close();
  return made.data.job_id;
}

type MonitorEvent = Extract<AppEvent, { type: 'monitor-job' }>;

/**
 * A Career Monitor job of the app whose findings are locked, because the wallet is empty at its
 * end.
 */
async function lockFindings({ account }: GuardedKey, staging: EnvironmentClient): Promise<number> {
  const events = await staging.listen(account);
  const json = { title: 'Customers', rows: [contact('enriched'), contact('moved')] };
  const started = await staging.call('POST', `${monitors}/`, { headers: account, json });
  const { job_id: id } = started.body;
  await events.next(
    (event): event is MonitorEvent =>
      event.type === 'monitor-job' && event.job.job_id === id && event.job.status === 'Completed',
  );
  await events.close();
  return id;
}

export const spendingRoutes: readonly SpendingRoute[] = [
  {
    name: 'a job as JSON',
    price: 3,
    operation: /^POST \/api\/v1\/data-enrichment\/submit\/$/,
    prepare: async () => ({
      path: `${enrich}/submit/`,
      options: { json: { title: 'Spring', selected_layers: ['L1'], rows } },
    }),
  },
  {
    name: 'a job as a form',
    price: 2,
    operation: /^POST \/api\/v1\/data-enrichment\/submit\/$/,
    prepare: async () => ({
      path: `${enrich}/submit/`,
      options: {
        form: { selected_layers: 'L1', file: csv('email', 'a@b.example', 'c@d.example') },
      },
    }),
  },
  {
    name: 'a retry',
    price: 2,
    operation: /^POST \/api\/v1\/data-enrichment\/retry\/[\w-]{36}\/$/,
    prepare: async (key, staging) => ({
      path: `${enrich}/retry/${await failJob(key, staging)}/`,
      options: {},
    }),
  },
  {
    name: 'a phone lookup',
    price: 5,
    operation: /^POST \/phone\/enrichment\/$/,
    prepare: async () => ({
      path: 'phone/enrichment/',
      options: { json: { profile_url: 'https://sandbox.example/in/phone' } },
    }),
  },
  {
    name: 'an email lookup',
    price: 1,
    operation: /^POST \/email\/enrichment\/$/,
    prepare: async () => ({
      path: 'email/enrichment/',
      options: { json: { profile_url: 'https://sandbox.example/in/enriched' } },
    }),
  },
  {
    name: 'a pipeline',
    price: 12.2,
    operation: /^POST \/api\/v1\/pipeline\/$/,
    prepare: async () => ({
      path: 'api/v1/pipeline/',
      options: {
        json: {
          contacts: [contact('enriched'), contact('phone')],
          unlock: ['email', 'phone'],
          verify_emails: true,
        },
      },
    }),
  },
  {
    name: 'a Career Monitor job',
    price: 3,
    operation: /^POST \/api\/v1\/career-monitor\/jobs\/$/,
    prepare: async () => ({
      path: `${monitors}/`,
      options: { json: { title: 'Customers', rows } },
    }),
  },
  {
    name: 'paying for findings',
    price: 2,
    operation: /^POST \/api\/v1\/career-monitor\/jobs\/\d+\/pay\/$/,
    prepare: async (key, staging) => ({
      path: `${monitors}/${await lockFindings(key, staging)}/pay/`,
      options: {},
    }),
  },
];

// The responses of an empty installation, and parts to build others.
import type { z } from 'zod';
import type { AccountSchema } from '../../engine/contract/accounts.ts';
import { type DirectoryStats, startImportCounts } from '../../engine/contract/directory.ts';
import type { Answered } from '../../engine/contract/endpoints.ts';
import type { AppState } from '../../engine/contract/engine.ts';
import { timestampExample } from '../../engine/contract/examples.ts';
import type { LayersData } from '../../engine/contract/jobs/job.ts';
import type { jobList as jobListCalls } from '../../engine/contract/jobs/job-list.ts';
import { layerCodes, layers } from '../../engine/contract/jobs/layers.ts';
import type { Key } from '../../engine/contract/keys.ts';
import {
  productDays,
  type RetentionSchema,
  retentionKindNames,
  retentionKinds,
} from '../../engine/contract/retention/retention.ts';
import type { Organisation } from '../../engine/contract/team/team-config.ts';
import type { Answers } from './fake-api.ts';

/** An id that differs by its number. */
export const idOf = (number: number): string =>
  `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** The first account of every installation. */
export const firstAccount: z.input<typeof AccountSchema> = {
  id: idOf(1),
  name: 'Local workspace',
  charge_policy: 'row',
  match_threshold: 0.8,
  free_repeat_days: 0,
  infer_emails: false,
  monitor_charge: 'answers',
  has_budget: false,
  created_at: timestampExample,
};

/** What a change of the suppression list hides there. */
export const noneHidden = { people: 0, people_before: 0, companies: 0, companies_before: 0 };

/** A directory without people. */
export const emptyDirectory: DirectoryStats = {
  people: 0,
  companies: 0,
  employments: 0,
  people_with_email: 0,
  people_with_phone: 0,
  people_with_profile_url: 0,
  imports: [],
  generation: 1,
  index: 'empty',
  index_error: null,
  bytes: 0,
};

/** The report of an import without any effect. */
export const emptyReport: DirectoryStats['imports'][number] = {
  import_id: 1,
  source: 'people.csv',
  file_names: ['people.csv'],
  status: 'completed',
  ...startImportCounts(),
  remarks: [],
  columns: [],
  error: null,
  started_at: timestampExample,
  completed_at: timestampExample,
};

export const firstState: AppState = {
  version: '0.0.0',
  environment: 'live',
  url: 'http://127.0.0.1:43118',
  port: 43118,
  account: firstAccount,
  wallet: { available: '100000.0000', held: '0.0000', spent: '0.0000' },
  directory: emptyDirectory,
  running_jobs: 0,
  fault: null,
  read_only: null,
  sample: { loaded: false, import_id: null },
};

/** The layers at their default prices. */
const firstLayers: LayersData = {
  layers: layers.map(({ defaultPrice: price, ...layer }) => ({
    ...layer,
    requires: [...layer.requires],
    fields: [...layer.fields],
    active: true,
    price,
  })),
  full: { selected_layers: [...layerCodes], price_per_row: '8.0000' },
};

/** A key that was made and never used. */
export const makeKey = (number: number, parts: Partial<Key> = {}): Key => ({
  id: idOf(number),
  label: `key ${number}`,
  prefix: 'sk_live_abcd',
  created_at: new Date().toISOString(),
  last_used_at: null,
  revoked_at: null,
  requests_per_minute: 120,
  cap_per_day: null,
  cap_per_month: null,
  cap_per_call: null,
  ask_above: null,
  self_approval: false,
  provider_cap: 0,
  spent_today: '0.0000',
  spent_this_month: '0.0000',
  ...parts,
});

/** No organisation rules the app. */
const noRules: Organisation = {
  name: null,
  upstream: null,
  allowed_providers: null,
  sources: [],
  rules: [],
};

/** Retention that keeps everything, except what the product limits. */
export const keepsAll: z.input<typeof RetentionSchema> = {
  kinds: retentionKindNames.map((kind) => ({
    kind,
    scope: retentionKinds[kind].scope,
    setting: null,
    days: productDays[kind] ?? null,
    source: kind in productDays ? 'product' : 'default',
    days_max: productDays[kind] ?? null,
    is_fixed: kind === 'uploads',
  })),
  run: {
    state: 'idle',
    started_at: null,
    ended_at: null,
    due_at: null,
    deleted: {},
    items: 0,
    shrunk_bytes: 0,
  },
  clock_stop: null,
};

type Listed = Answered<typeof jobListCalls.read>;

/** A page of the list of jobs with these jobs, which is the last one. */
export const makeJobList = (jobs: Listed['jobs']): Listed => ({
  jobs,
  next: null,
  counts: {
    queued: 0,
    running: 0,
    completed: 0,
    failed: 0,
    cancelled: 0,
    ...Object.fromEntries(
      jobs.map(({ status }) => [status, jobs.filter((job) => job.status === status).length]),
    ),
  },
});

/** The default responses to every screen. */
export const emptyDesk: Answers = {
  'GET /app/v1/state': () => firstState,
  'GET /app/v1/sessions': () => [],
  'GET /app/v1/backups': () => [],
  'GET /app/v1/accounts': () => [firstAccount],
  'GET /app/v1/authorizations': () => [],
  'GET /app/v1/assistants': () => ({ assistants: [], approvals: [] }),
  'GET /app/v1/assistants/calls': () => [],
  'GET /app/v1/assistants/folders': () => [],
  'GET /app/v1/requests': () => ({ requests: [], kept_max: 500 }),
  'GET /app/v1/connections': () => [],
  'GET /app/v1/login': () => null,
  'GET /app/v1/identity-provider': () => ({ provider: null, redirect_uris: [] }),
  'GET /app/v1/keys': () => [],
  'GET /app/v1/providers': () => ({
    providers: [],
    waterfall: [],
    faulty: [],
    keys_to_delete: 0,
  }),
  'POST /app/v1/provider-quote': () => [],
  'GET /app/v1/provider-log': () => ({ requests: [], next: null }),
  'GET /app/v1/webhooks': () => [],
  'GET /app/v1/webhook-hosts': () => ({ hosts: [] }),
  'GET /app/v1/layers': () => firstLayers,
  'GET /app/v1/directory': () => emptyDirectory,
  // Columns become fields only by hand.
  'POST /app/v1/directory/import-previews': ({ sent: { headers, rows, mapping = {} } }) => ({
    columns: headers.map(
      (header) =>
        Object.entries(mapping).find(([, chosen]) => chosen === header.trim())?.[0] ?? null,
    ),
    refusal: null,
    rows: rows.length,
    rows_refused: 0,
    remarks: [],
    undecided_dates: false,
  }),
  'GET /app/v1/wallet': () => firstState.wallet,
  'GET /app/v1/wallet/lines': () => ({ lines: [], next: null, searched_to: null, clients: [] }),
  'GET /app/v1/wallet/spend': () => ({
    step: 'week',
    periods: [],
    total: '0.0000',
    by_period: [],
    parts: [],
    clients: [],
    providers: [],
  }),
  'GET /app/v1/organisation': () => noRules,
  'GET /app/v1/retention': () => keepsAll,
  'GET /app/v1/rates': () => [],
  'GET /app/v1/jobs': () => ({ count: 0, next: null, previous: null, results: [] }),
  'GET /app/v1/job-queue': () => [],
  'POST /app/v1/uploads/:upload_id/check': () => ({ no_identity: 0, duplicates: 0, examples: [] }),
  'GET /app/v1/uploads/:upload_id/rows': () => ({ rows: [] }),
  'GET /app/v1/templates': () => [],
  'GET /app/v1/jobs/:job_id/left-out': () => ({ count: 0 }),
  'GET /app/v1/jobs/:job_id/providers': () => [],
  'GET /app/v1/jobs/:job_id/outcomes': () => ({
    rows: 0,
    reasons: {},
    layers: {},
    sources: { directory: 0, provider: 0 },
    statuses: { enriched: 0, skipped: 0, failed: 0 },
    has: { changed: 0, left: 0, email: 0 },
  }),
  'GET /app/v1/jobs/:job_id/review': ({ params: { job_id: id = '' } }) => ({
    job_id: id,
    waiting: 0,
    waiting_reasons: {},
    decided: 0,
    next: null,
    results: [],
  }),
  'GET /app/v1/secret-key': () => ({
    place: 'keychain',
    detail: 'The key is in the keychain of the system.',
  }),
};

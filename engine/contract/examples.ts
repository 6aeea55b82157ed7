// Examples of the API description. All schemas share one example job.

const firstId = '7f1e1c52-3f0a-4c5e-9a61-2b8f0f6d9c10';
const adaId = '0c2b8c5e-6f3e-5d5b-9d5c-1f0a8c1d2e3f';
const submittedAt = '2026-11-20T10:57:42.000Z';
const startedAt = '2026-11-20T10:57:42.120Z';
const completedAt = '2026-11-20T10:57:43.480Z';

export const jobIdExample = firstId;
export const timestampExample = submittedAt;
export const startedAtExample = startedAt;
export const completedAtExample = completedAt;
export const personIdExample = adaId;

export const rowsExample = [
  {
    first_name: 'Ada',
    last_name: 'Lovelace',
    company_name: 'Analytical Engines',
    email: 'ada@engines.example',
    Team: 'West',
  },
  { email: 'nobody@nowhere.example', client_reference_id: 'CRM-7' },
];

export const submittedExample = {
  job_id: firstId,
  title: 'Spring list',
  status: 'queued' as const,
  ready: false,
  selected_layers: ['L1' as const, 'L2' as const],
  total_rows: 2,
  price_per_row: '1.5000',
  credits_held: '3.0000',
  created_at: submittedAt,
};

export const statusExample = {
  job_id: firstId,
  title: 'Spring list',
  status: 'completed' as const,
  ready: true,
  selected_layers: ['L1' as const, 'L2' as const],
  total_rows: 2,
  processed_rows: 2,
  enriched_rows: 1,
  skipped_rows: 1,
  failed_rows: 0,
  duplicate_rows: 0,
  paid_before_rows: 0,
  known_rows: 0,
  new_since: null,
  infer_emails: false,
  when_offline: 'wait' as const,
  waiting_rows: 0,
  waiting_since: null,
  waiting_reason: null,
  unanswered_rows: 0,
  credits_held: '3.0000',
  credits_charged: '1.5000',
  credits_released: '1.5000',
  error: null,
  error_detail: null,
  retry_of: null,
  created_at: submittedAt,
  started_at: startedAt,
  completed_at: completedAt,
};

const provenance = { source: 'crm-export.csv', observed_at: '2026-10-02', confidence: 0.8 };

export const resultRowExample = {
  row_index: 0,
  upstream_contact_uuid: adaId,
  client_reference_id: '',
  status: 'enriched' as const,
  layer_status: { L1: 'enriched' as const, L2: 'enriched' as const },
  enriched_fields: {
    'First name': 'Ada',
    'Last name': 'Lovelace',
    'Current company name': 'Analytical Engines',
    'Current title': 'Chief Engineer',
    Email: 'ada@engines.example',
    'Employment status': 'Current',
    'Company city': 'London',
    'Company country': 'GB',
  },
  error_message: '',
  credits_charged: '1.5000',
  charge_decision: 'used' as const,
  created_at: submittedAt,
  updated_at: completedAt,
  reason: '' as const,
  confidence: 0.98,
  matched_on: ['email' as const],
  candidates: [],
  provenance: { 'Current title': provenance, 'Company city': provenance },
  review: null,
  duplicate_of: null,
  paid_before: [],
  known_from: null,
  input_repairs: [],
  inferred_email: null,
  own_records: [
    { list: 'CRM', kind: 'people' as const, id: '101', fields: { 'Contact owner': 'Max Roe' } },
  ],
};

export const estimateExample = {
  selected_layers: ['L1' as const, 'L2' as const],
  row_count: 2,
  price_per_row: '1.5000',
  credits_needed: '3.0000',
  available_credits: '100000.0000',
  sufficient: true,
  breakdown: [
    { code: 'L1' as const, label: 'Career Monitor', price: '1.0000', subtotal: '2.0000' },
    { code: 'L2' as const, label: 'Company Location', price: '0.5000', subtotal: '1.0000' },
  ],
  preview: {
    sampled: 2,
    duplicate_rows: 0,
    enriched: 1,
    expected_match_rate: 0.5,
    expected_credits: '1.5000',
    certainty: 'exact' as const,
    expected_layers: { L1: '1.0000', L2: '0.5000' },
    savings: [],
    free_repeat_days: 0,
    decided_rows: 0,
    fill_rate: { 'Current title': 0.5, 'Company city': 0.5 },
    reasons: { no_match: 0.5 },
    input_repairs: {},
    open_fields: {},
    repaired_rows: [],
  },
};

export const resultFileExample =
  'first_name,last_name,company_name,email,Team,client_reference_id,First name (enriched),…,' +
  'Enrichment status,Enrichment reason,Enrichment error,Credits charged\r\n' +
  'Ada,Lovelace,Analytical Engines,ada@engines.example,West,,Ada,…,enriched,,,1.5000\r\n';

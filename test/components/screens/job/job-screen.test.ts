// One job on its screen: cancelled after a confirmation, and its final rows.
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { AppEvent } from '../../../../engine/contract/events.ts';
import { resultRowExample, statusExample } from '../../../../engine/contract/examples.ts';
import type { GridRow } from '../../../../engine/contract/jobs/app-jobs.ts';
import type { InferredEmail } from '../../../../engine/contract/jobs/inferred-email.ts';
import type { InputRepair } from '../../../../engine/contract/jobs/input-repairs.ts';
import type { ResultRow, StatusData } from '../../../../engine/contract/jobs/job.ts';
import type { JobQueue } from '../../../../engine/contract/jobs/job-list.ts';
import type { MonitorJob } from '../../../../engine/contract/monitors/career-monitor.ts';
import type { Pipeline } from '../../../../engine/contract/pipelines/pipeline.ts';
import type { PipelineProgress } from '../../../../engine/contract/pipelines/pipeline-progress.ts';
import { expectAccessible } from '../../accessibility.ts';
import { emptyDirectory, noneHidden } from '../../empty-desk.ts';
import type { Answers, FakeApi } from '../../fake-api.ts';
import { openPage } from '../../open-page.tsx';
import { makeUsedProvider } from '../providers/desk-of-providers.ts';

const running: StatusData = {
  ...statusExample,
  status: 'running',
  ready: false,
  processed_rows: 0,
  enriched_rows: 0,
  skipped_rows: 0,
  credits_charged: '0.0000',
  credits_released: '0.0000',
  completed_at: null,
};

const rows: GridRow[] = ['Ada', 'Grace'].map((name, row_index) => ({
  input: [name],
  result: {
    ...resultRowExample,
    row_index,
    status: 'skipped',
    reason: 'no_match',
    layer_status: {},
    enriched_fields: {},
    provenance: {},
    credits_charged: '0.0000',
    charge_decision: 'released',
  },
}));

const keepJob = (job: () => StatusData): Answers => ({
  'GET /app/v1/jobs': () => ({ count: 1, next: null, previous: null, results: [job()] }),
  'GET /app/v1/jobs/:job_id': job,
  'GET /app/v1/jobs/:job_id/rows': () => ({
    job: job(),
    headers: ['Name'],
    identity: [[0]],
    count: 2,
    offset: 0,
    rows: job().ready ? rows : rows.map(({ input }) => ({ input, result: null })),
  }),
});

async function openJob(answers: Answers): Promise<FakeApi> {
  const api = await openPage('Jobs', answers);
  await page.getByRole('link', { name: 'Spring list' }).click();
  await expect.element(page.getByRole('heading', { name: /^Spring list/ })).toBeVisible();
  return api;
}

test('a running job shows its progress in the title, and announces each tenth of it', async () => {
  let job: StatusData = { ...running, status: 'queued', total_rows: 100 };
  let queue: JobQueue = [];
  const api = await openJob({ ...keepJob(() => job), 'GET /app/v1/job-queue': () => queue });
  await expect.element(page.getByText(/^Starts next\./)).toBeVisible();
  queue = [{ job, rows_ahead: 1_200 }];
  api.tell({ type: 'jobs' });
  const before = page.getByText(/^Starts after 1,200 rows of other jobs\./);
  await expect.element(before).toBeVisible();
  job = { ...job, status: 'running' };
  const pulse = { rows_per_second: 9, seconds_left: 1, charged_so_far: '2.0000', waiting: null };
  api.tell({ type: 'job', job, ...pulse });
  await expect.element(before).not.toBeInTheDocument();
  job = { ...job, processed_rows: 61 };
  const progress = page.getByRole('status', { name: 'Progress of the run' });
  api.tell({ type: 'job', job, ...pulse });
  await expect.poll(() => document.title).toBe('61% · Spring list · Enrichment Desk');
  await expect.element(progress).toHaveTextContent('60% done');
  job = { ...job, processed_rows: 68 };
  api.tell({ type: 'job', job, ...pulse });
  await expect.poll(() => document.title).toBe('68% · Spring list · Enrichment Desk');
  await expect.element(progress).toHaveTextContent('60% done');
  // The shares of the outcomes would be a second bar that says the same.
  await expect.element(page.getByRole('progressbar', { name: 'Rows done' })).toBeVisible();
  await expect.element(page.getByRole('img', { name: /^Of / })).not.toBeInTheDocument();
  job = statusExample;
  api.tell({ type: 'job', job, ...pulse });
  await expect.poll(() => document.title).toBe('Spring list · Enrichment Desk');
  await expect.element(progress).toHaveTextContent('The job is completed.');
  await page.getByRole('navigation').getByRole('link', { name: 'Wallet' }).click();
  await expect.poll(() => document.title).toBe('Wallet · Enrichment Desk');
});

const monitorRun: MonitorJob = {
  job_id: 12,
  monitor_id: 3,
  title: 'Customers',
  file_name: null,
  status: 'Queued',
  total_records: 2,
  processed_records: 0,
  submitted_at: statusExample.created_at,
  started_at: null,
  completed_at: null,
  total_credits_charged: 0,
  credit_charge_failed: false,
  credit_charge_failure_reason: null,
  price_per_record: '1.0000',
  credits_due: '0.0000',
  charge_rule: 'answers',
  charged_records: 0,
  counts: { changed: 0, left: 0, unchanged: 0, no_match: 0, failed: 0 },
  error_detail: null,
  rows_ahead: 600,
};
const pipeline: Pipeline = {
  pipeline_id: statusExample.job_id,
  title: 'Contacts',
  status: 'queued',
  ready: false,
  total: 2,
  matched: 0,
  unlocked: 0,
  locked: 0,
  verified: 0,
  credits_held: '0.0000',
  credits_charged: '0.0000',
  credits_released: '0.0000',
  error: null,
  error_detail: null,
  created_at: statusExample.created_at,
  started_at: null,
  completed_at: null,
};
const progress: PipelineProgress = {
  unlock: ['email'],
  steps: [{ step: 'look_up', done: 0, total: 2 }],
  charged_so_far: '0.0000',
  contacts_per_second: 0,
  seconds_left: null,
  turns_with: 1,
};
const paused = 'The disk is full.';

test.each<[string, string, Answers, RegExp, AppEvent]>([
  [
    'a run of a monitor',
    '/monitors/jobs/12',
    { 'GET /app/v1/monitor-jobs/:id': () => monitorRun },
    /^Starts after 600 rows of other jobs\./,
    { type: 'monitor-job', job: { ...monitorRun, status: 'Running' }, waiting: paused },
  ],
  [
    'a list of emails and phones',
    `/directory/contacts/${pipeline.pipeline_id}`,
    {
      'GET /app/v1/pipelines/:id': () => pipeline,
      'GET /app/v1/pipelines/:id/progress': () => progress,
    },
    /^Takes turns with 1 other list\./,
    {
      type: 'pipeline',
      pipeline: { ...pipeline, status: 'running' },
      progress,
      waiting: paused,
    },
  ],
])('%s says what it waits for', async (_what, address, answers, turn, event) => {
  const api = await openPage('Help', answers);
  location.hash = `#${address}`;
  await expect.element(page.getByText(turn)).toBeVisible();
  const index = { index: 'building', index_error: null } as const;
  api.tell({ type: 'directory', directory: { ...emptyDirectory, ...index } });
  await expect.element(page.getByText(/^Starts when the directory is indexed\./)).toBeVisible();
  api.tell(event);
  await expect.element(page.getByText(paused)).toBeVisible();
});

test('the palette monitors the list of the job that is open', async () => {
  await openJob(keepJob(() => statusExample));
  await expect.element(page.getByRole('link', { name: 'Monitor', exact: true })).toBeVisible();
  await userEvent.keyboard('{Control>}k{/Control}monitor this');
  await expect.element(page.getByRole('option', { name: 'Monitor this list' })).toBeVisible();
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('heading', { name: 'New monitor' })).toBeVisible();
  expect(location.hash).toBe(`#/monitors/new/${statusExample.job_id}`);
});

test('without the event stream polling shows the end of a job', async () => {
  let job = running;
  const api = await openJob(keepJob(() => job));
  api.refuseStreams();
  await expect.element(page.getByRole('button', { name: 'Cancel', exact: true })).toBeVisible();
  job = statusExample;
  await expect.element(page.getByText(/ rows enriched \(/)).toBeVisible();
  await page.getByRole('rowheader', { name: /Grace/ }).click();
  const details = page.getByRole('region', { name: /^Details of / });
  await expect.element(details.getByText(/No person in the directory matches/)).toBeVisible();
  // Without a value, the column of found values would only take the place of the others.
  const columns = details
    .getByRole('columnheader')
    .elements()
    .map(({ textContent }) => textContent);
  expect(columns).toEqual(['Field', 'Yours']);
  expect(api.countStreams()).toBe(0);
});

test('a job with rows that a slow service has not answered names the service', async () => {
  const job = { ...running, total_rows: 4_002, processed_rows: 4_002, unanswered_rows: 2 };
  const open = { requests: 1, rows: 2, credits: 0, credits_open: 2, rows_open: 2 };
  const spent = {
    ...open,
    provider: 'full-enrich',
    uncertain_requests: 0,
    is_estimated: false,
    price: null,
    fields: [],
    note: null,
  };
  await openJob({
    ...keepJob(() => job),
    'GET /app/v1/jobs/:job_id/providers': () => [
      spent,
      { ...spent, provider: 'quick', rows_open: 0, credits_open: 0 },
    ],
    'GET /app/v1/providers': () => ({
      providers: [makeUsedProvider('full-enrich', { title: 'FullEnrich' })],
      waterfall: [],
      keys_to_delete: 0,
      faulty: [],
    }),
  });
  const words = '2 rows wait for FullEnrich. The other rows do not wait.';
  await expect.element(page.getByRole('status').filter({ hasText: words })).toBeVisible();
  const progress = page.getByRole('region', { name: 'Progress', exact: true });
  await expect.element(progress.getByText(/^4,000 of 4,002 rows/)).toBeVisible();
  await expectAccessible();
  // The progress is not what one hides the side for.
  const side = page.getByRole('button', { name: 'Outcomes and filters' });
  await side.click();
  await expect.element(side).toHaveAttribute('aria-expanded', 'false');
  await expect.element(progress).toBeVisible();
});

test('a job that waits for a worker or the network says so, and goes on without data services if asked to', async () => {
  let job: StatusData = {
    ...running,
    processed_rows: running.total_rows,
    waiting_rows: 1_200,
    waiting_since: '2026-11-20T10:42:00.000Z',
    waiting_reason: 'no_worker',
  };
  const api = await openJob({
    ...keepJob(() => job),
    'PUT /app/v1/jobs/:job_id/when-offline': ({ sent }) => {
      job = { ...job, ...(sent as object) };
      return job;
    },
    'POST /app/v1/network': () => ({ checking: true }),
  });
  const worker = page.getByRole('status').filter({ hasText: /^No worker has answered since/ });
  const remedy = /1,200 rows wait for a worker of the team’s directory\. Start one with/;
  await expect.element(worker.getByText(remedy)).toBeVisible();
  await expect.element(worker.getByRole('button', { name: 'Check now' })).toBeVisible();
  await expect.element(worker.getByRole('button', { name: 'Continue without them' })).toBeVisible();
  job = { ...job, waiting_reason: 'no_team_directory' };
  const pulse = { rows_per_second: 0, seconds_left: null, charged_so_far: '0.0000', waiting: null };
  api.tell({ type: 'job', job, ...pulse });
  const team = page
    .getByRole('status')
    .filter({ hasText: /^The team’s directory has not answered/ });
  await expect.element(team.getByText(/1,200 rows wait for the team’s directory\./)).toBeVisible();
  job = { ...job, waiting_reason: 'no_connection' };
  api.tell({ type: 'job', job, ...pulse });
  const status = page.getByRole('status').filter({ hasText: /^No connection since/ });
  const sentence =
    /^Rows that your directory answers are done\. 1,200 rows wait for the data services\./;
  await expect.element(status.getByText(sentence)).toBeVisible();
  await expectAccessible();
  await status.getByRole('button', { name: 'Check the network now' }).click();
  await expect.poll(() => api.askedOf('POST /app/v1/network').length).toBe(1);
  await status.getByRole('button', { name: 'Continue without them' }).click();
  const left = /1,200 rows could not be sent and will finish without the data services/;
  await expect.element(status.getByText(left)).toBeVisible();
  await expect.element(status.getByRole('button')).not.toBeInTheDocument();
});

test('a running job is cancelled after one question, which can be declined', async () => {
  let job = running;
  const api = await openJob({
    ...keepJob(() => job),
    'POST /app/v1/jobs/:job_id/cancel': () => {
      job = { ...job, status: 'cancelled', ready: true, credits_released: '3.0000' };
      return { job_id: job.job_id, status: 'cancelled', credits_released: '3.0000' };
    },
  });
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await expect.element(dialog.getByText(/3 credits/)).toBeVisible();
  await expectAccessible();
  await dialog.getByRole('button', { name: 'Keep running' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(api.askedOf('POST /app/v1/jobs/:job_id/cancel')).toEqual([]);
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await dialog.getByRole('button', { name: 'Cancel the job' }).click();
  await expect.element(page.getByText(/3 credits returned to the wallet/)).toBeVisible();
  await expect.element(dialog).not.toBeInTheDocument();
});

test('the question whether to cancel says that the job has ended meanwhile', async () => {
  let job = running;
  const api = await openJob(keepJob(() => job));
  api.refuseStreams();
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Cancel this job?' });
  await expect.element(dialog.getByText(/3 credits/)).toBeVisible();
  job = statusExample;
  await expect
    .element(dialog.getByText('The job ended before you cancelled it. It is completed.'))
    .toBeVisible();
  await expectAccessible();
  await expect.element(dialog.getByRole('button', { name: 'Cancel' })).not.toBeInTheDocument();
  await dialog.getByText('Close', { exact: true }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(page.getByRole('button', { name: 'Save…' })).toBeVisible();
});

test.each([
  [
    '2960.0000',
    '2,848 charged, 1,952 returned to the wallet. In the review, 112 more were charged.',
  ],
  ['2848.0000', '2,848 charged, 1,952 returned to the wallet.'],
  ['2840.5000', '2,848 charged, 1,952 returned to the wallet. In the review, 7.5 were returned.'],
])(
  'what was reserved, charged and returned adds up, also after a review: %s',
  async (charged, words) => {
    const amounts = { credits_held: '4800.0000', credits_released: '1952.0000' };
    await openJob(keepJob(() => ({ ...statusExample, ...amounts, credits_charged: charged })));
    const sentence = page.getByText(/4,800 credits reserved: /);
    await expect.element(sentence).toBeVisible();
    expect(sentence.element().textContent?.trim()).toMatch(new RegExp(`reserved: ${words}$`));
  },
);

test('a job counts the rows that were free, and each row names the one that paid', async () => {
  const job: StatusData = {
    ...statusExample,
    enriched_rows: 2,
    skipped_rows: 0,
    duplicate_rows: 1,
    paid_before_rows: 1,
  };
  const earlier = '7f1e1c52-3f0a-4c5e-9a61-000000000001';
  const paid = {
    job_id: earlier,
    row_index: 4,
    paid_on: '2026-11-01',
    layers: ['L1' as const, 'L2' as const],
  };
  const results = [
    { ...resultRowExample, paid_before: [paid] },
    { ...resultRowExample, row_index: 1, duplicate_of: 0 },
  ];
  await openJob({
    ...keepJob(() => job),
    'GET /app/v1/jobs/:job_id/rows': () => ({
      job,
      headers: ['Name'],
      identity: [[0]],
      count: 2,
      offset: 0,
      rows: results.map((result, row) => ({ input: [row === 0 ? 'Ada' : 'Grace'], result })),
    }),
  });
  await expect.element(page.getByText(/1 free duplicate, 1 paid before/)).toBeVisible();
  await page.getByRole('rowheader', { name: /Grace/ }).click();
  const details = page.getByRole('region', { name: /^Details of / });
  await expect.element(details.getByText(/This row repeats row 1/)).toBeVisible();
  await details.getByRole('button', { name: 'Previous row' }).click();
  await expect
    .element(
      details.getByText(
        /^Current job, Company location were free: paid for on 2026-11-01 by row 5 of/,
      ),
    )
    .toBeVisible();
  const link = details.getByRole('link', { name: 'an earlier job' });
  await expect.element(link).toHaveAttribute('href', expect.stringContaining(`/jobs/${earlier}`));
});

test('an inferred email is apart from found values, with its probability and evidence', async () => {
  const job: StatusData = { ...statusExample, infer_emails: true };
  const inferred: InferredEmail = {
    email: 'grace@engines.example',
    status: 'inferred' as const,
    probability: 0.934,
    pattern: '{first}@engines.example',
    witnesses: 14,
    compared: 15,
    domain_check: 'accepts_mail' as const,
    inferred_on: '2026-11-20',
  };
  const { Email: _email, ...fields } = resultRowExample.enriched_fields;
  const results: ResultRow[] = [
    resultRowExample,
    { ...resultRowExample, row_index: 1, enriched_fields: fields, inferred_email: inferred },
  ];
  await openJob({
    ...keepJob(() => job),
    'GET /app/v1/jobs/:job_id/rows': () => ({
      job,
      headers: ['Name'],
      identity: [[0]],
      count: 2,
      offset: 0,
      rows: results.map((result, row) => ({ input: [row === 0 ? 'Ada' : 'Grace'], result })),
    }),
  });
  await page.getByRole('rowheader', { name: /Grace/ }).click();
  const details = page.getByRole('region', { name: /^Details of / });
  const section = details.getByRole('region', { name: 'Inferred email' });
  await expect.element(section.getByText('Inferred email, 93%')).toBeVisible();
  await expect
    .element(section.getByText(/14 of 15 people .* have the form \{first\}@engines.example/))
    .toBeVisible();
  await expect.element(section.getByText(/It is a guess and free/)).toBeVisible();
  await expectAccessible();
  await details.getByRole('button', { name: 'Previous row' }).click();
  await expect.element(section).not.toBeInTheDocument();
});

test('rows that were requested before the job reached them are requested again at its end', async () => {
  let job = running;
  const asked = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const counted = Promise.withResolvers<void>();
  const settled = keepJob(() => job);
  let isFirst = true;
  const api = await openJob({
    ...settled,
    'GET /app/v1/jobs/:job_id/rows': async (request) => {
      const answer = await settled['GET /app/v1/jobs/:job_id/rows']!(request);
      // An early response: no row processed yet, still in flight when the job ends.
      if (isFirst && request.query.get('limit') === '100') {
        isFirst = false;
        asked.resolve();
        await ended.promise;
      } else if (job.status === 'completed') await counted.promise;
      return answer;
    },
  });
  await asked.promise;
  job = { ...statusExample, enriched_rows: 0, skipped_rows: 2 };
  api.tell({
    type: 'job',
    job,
    rows_per_second: 0,
    seconds_left: null,
    charged_so_far: '0.0000',
    waiting: null,
  });
  // Until its rows are there, the counts are as old as the credits next to them.
  await expect.element(page.getByText(/^2 of 2 rows/)).toBeVisible();
  counted.resolve();
  await expect.element(page.getByText(/0 of 2 rows enriched/)).toBeVisible();
  ended.resolve();
  await page.getByRole('rowheader', { name: /Grace/ }).click();
  const details = page.getByRole('region', { name: /^Details of / });
  await expect.element(details.getByText(/No person in the directory matches/)).toBeVisible();
});

test('the buttons of a completed job stay where they are while its review is counted', async () => {
  const counted = Promise.withResolvers<void>();
  await openJob({
    ...keepJob(() => ({ ...statusExample, enriched_rows: 0, skipped_rows: 2 })),
    'GET /app/v1/jobs/:job_id/review': async ({ params }) => {
      await counted.promise;
      const [row] = rows;
      const waiting = {
        row_index: 0,
        reason: 'ambiguous' as const,
        input: { first_name: row?.input[0] ?? '' },
        candidates: [],
        pick: null,
      };
      return {
        job_id: params.job_id ?? '',
        waiting: 2,
        waiting_reasons: { ambiguous: 2 },
        decided: 0,
        next: null,
        results: [waiting],
      };
    },
  });
  const others = ['Monitor', 'Save…'].map((name) =>
    page.getByRole(name === 'Monitor' ? 'link' : 'button', { name, exact: true }),
  );
  const places = () => others.map((one) => one.element().getBoundingClientRect().left);
  await expect.element(others[1]!).toBeVisible();
  const before = places();
  counted.resolve();
  await expect.element(page.getByRole('link', { name: 'Review 2 rows' })).toBeVisible();
  expect(places()).toEqual(before);
});

test('the details of a row say how its cells were read', async () => {
  const job = { ...statusExample, enriched_rows: 0, skipped_rows: 2 };
  const link: InputRepair = {
    field: 'email',
    rule: 'email_link',
    from: 'mailto:a@b.example',
    to: 'a@b.example',
  };
  const moved: InputRepair = {
    field: 'phone',
    rule: 'identifier_moved',
    from: 'a@b.example',
    to: '',
  };
  const rule = 'full_name';
  const split: InputRepair[] = [
    { field: 'first_name', rule, from: 'Ada King', to: 'Ada' },
    { field: 'last_name', rule, from: '', to: 'King' },
  ];
  const [first, second] = rows;
  const { result } = first!;
  const input_repairs = [link, moved, ...split];
  const repaired = { input: ['Ada'], result: { ...result!, input_repairs } };
  await openJob({
    ...keepJob(() => job),
    'GET /app/v1/jobs/:job_id/rows': () => ({
      job,
      headers: ['Name'],
      identity: [[0]],
      count: 2,
      offset: 0,
      rows: [repaired, second!],
    }),
  });
  await page.getByRole('rowheader', { name: /Ada/ }).click();
  const read = page.getByRole('region', { name: 'How your row was read' });
  const said = 'Email “mailto:a@b.example” is read as “a@b.example”.';
  await expect.element(read.getByText(said)).toBeVisible();
  await expect.element(read.getByText('Phone “a@b.example” is left out.')).toBeVisible();
  const whole = 'Full name “Ada King” is read as first name “Ada”, last name “King”.';
  await expect.element(read.getByText(whole)).toBeVisible();
  await page.getByRole('button', { name: 'What “no match” means' }).click();
  const help = page.getByRole('dialog', { name: 'What “no match” means' });
  await expect.element(help.getByRole('link', { name: 'Import a list' })).toBeVisible();
  await expect.element(read.getByText('The address is taken out of a mailto: link.')).toBeVisible();
  await expectAccessible();
  await page.getByRole('button', { name: 'Next row' }).click();
  await expect.element(read).not.toBeInTheDocument();
});

test.each([
  ['enriched', false, 'app', /^Chosen by you on /],
  ['enriched', true, 'Import robot', /^Chosen by Import robot on /],
  ['skipped', true, 'app', /^No match, decided by you on /],
] as const)(
  'a decision about a row that is %s, remembered: %s, by %s, names its author',
  async (status, remembered, author, said) => {
    const job = { ...statusExample, enriched_rows: 1, skipped_rows: 1 };
    const review = { decided_by: author, decided_at: statusExample.created_at, remembered };
    const { result } = rows[0]!;
    await openJob({
      ...keepJob(() => job),
      'GET /app/v1/jobs/:job_id/rows': () => ({
        job,
        headers: ['Name'],
        identity: [[0]],
        count: 2,
        offset: 0,
        rows: [{ input: ['Ada'], result: { ...result!, status, review } }, rows[1]!],
      }),
    });
    await page.getByRole('rowheader', { name: /Ada/ }).click();
    const sentence = page.getByRole('region', { name: 'Details of Ada' }).getByText(said);
    await expect.element(sentence).toBeVisible();
    expect(/, in an earlier job\.$/.test(sentence.element().textContent ?? '')).toBe(remembered);
  },
);

test('everything that names the person of a row is suppressed from its details; a company is not', async () => {
  const fields = { Email: 'ada@b.example', 'Profile URL': 'https://linkedin.com/in/ada' };
  const found = { ...resultRowExample, enriched_fields: fields };
  const ofCompany = {
    ...resultRowExample,
    row_index: 1,
    matched_on: ['company_name' as const],
    layer_status: { L1: 'not_applicable' as const, L2: 'enriched' as const },
    enriched_fields: { 'Company city': 'London' },
    provenance: {
      'Company city': { source: 'companies.csv', observed_at: '2026-10-01', confidence: 0.8 },
    },
  };
  const report = { added: 3, known: 0, unreadable: 0, remarks: [], ...noneHidden };
  const api = await openJob({
    ...keepJob(() => statusExample),
    'GET /app/v1/jobs/:job_id/rows': ({ query }) => ({
      job: statusExample,
      headers: ['Name'],
      identity: [[0]],
      count: 2,
      offset: Number(query.get('offset')),
      rows: [
        { input: ['Ada'], result: found },
        { input: ['Acme'], result: ofCompany },
      ].slice(Number(query.get('offset'))),
    }),
    'POST /app/v1/suppression': () => report,
  });
  await page.getByRole('rowheader', { name: /Acme/ }).click();
  const details = page.getByRole('region', { name: 'Details of Acme' });
  await expect.element(details).toBeVisible();
  // Its source is said before its values, and no layer about people speaks of an employer.
  await expect
    .poll(() => details.element().textContent)
    .toMatch(/from companies\.csv.* unless stated otherwise.*London.*not applicable: a company/);
  await expect.element(page.getByRole('button', { name: 'Suppress…' })).not.toBeInTheDocument();
  await page.getByRole('rowheader', { name: /Ada/ }).click();
  await page.getByRole('button', { name: 'Suppress…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Suppress this person' });
  await expect.element(dialog.getByText('ada@b.example')).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('letter of May');
  await dialog.getByRole('button', { name: 'Suppress', exact: true }).click();
  await expect.element(page.getByText(/^The person is suppressed/)).toBeVisible();
  expect(api.askedOf('POST /app/v1/suppression')[0]?.sent).toEqual({
    values: [
      { kind: 'person', value: found.upstream_contact_uuid },
      { kind: 'email', value: fields.Email },
      { kind: 'profile_url', value: fields['Profile URL'] },
    ],
    reason: 'letter of May',
  });
});

// The review of a job in the details of its rows: decisions by key and by button, undo, refusals,
// and the end.
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { resultRowExample, statusExample } from '../../../../engine/contract/examples.ts';
import type { ReviewRow } from '../../../../engine/contract/jobs/review.ts';
import { findNestedBoxes } from '../../../nested-boxes.ts';
import { expectAccessible } from '../../accessibility.ts';
import { idOf } from '../../empty-desk.ts';
import { type Answers, type FakeApi, refuse } from '../../fake-api.ts';
import { openPage } from '../../open-page.tsx';

const job = {
  ...statusExample,
  total_rows: 3,
  processed_rows: 3,
  enriched_rows: 0,
  skipped_rows: 3,
};
const candidate = (number: number, name: string) => ({
  upstream_contact_uuid: idOf(number),
  name,
  title: number % 2 ? 'Chief' : '',
  company_name: number % 2 ? 'Acme' : '',
  score: 0.9,
  evidence: [
    { field: 'last_name' as const, given: 'Lee', known: 'Lee', verdict: 'same' as const },
    { field: 'title' as const, given: 'Head', known: 'Chief', verdict: 'different' as const },
    {
      field: 'email' as const,
      given: 'a@b.example',
      known: 'a@c.example',
      verdict: 'other_kind' as const,
    },
    { field: 'phone' as const, given: '', known: '+4930901820', verdict: 'not_given' as const },
  ],
});
const rows: ReviewRow[] = ['First', 'Second', 'Third'].map((name, row_index) => ({
  row_index,
  reason: 'ambiguous',
  input: { first_name: name, last_name: 'Lee' },
  candidates: [candidate(11, 'Ann Lee'), candidate(12, '')],
  pick: null,
}));

const readReview = ({ query }: { readonly query: URLSearchParams }) => ({
  job_id: job.job_id,
  waiting: rows.length,
  waiting_reasons: { ambiguous: 2, no_match: 1 },
  decided: 0,
  next: null,
  results: rows.slice(0, Number(query.get('limit'))),
});

const answers: Answers = {
  'GET /app/v1/jobs': () => ({ count: 1, next: null, previous: null, results: [job] }),
  'GET /app/v1/jobs/:job_id': () => job,
  'GET /app/v1/jobs/:job_id/rows': () => ({
    job,
    headers: ['Name'],
    identity: [[0]],
    count: rows.length,
    offset: 0,
    rows: rows.map(({ row_index, reason, input, candidates }) => ({
      input: [`${input.first_name} Lee`],
      result: {
        ...resultRowExample,
        row_index,
        status: 'skipped' as const,
        reason,
        candidates: candidates.map(({ evidence: _evidence, ...shown }) => shown),
        layer_status: {},
        enriched_fields: {},
        provenance: {},
        charge_decision: 'released' as const,
      },
    })),
  }),
  'GET /app/v1/jobs/:job_id/review': readReview,
  'POST /app/v1/jobs/:job_id/review': () => ({
    applied: 1,
    credits_charged: '1.0000',
    credits_refunded: '0.0000',
    remaining: 2,
  }),
};

/** The waiting rows after one, as the engine answers. */
const readAfter: Answers['GET /app/v1/jobs/:job_id/review'] = ({ query }) => {
  const after = Number(query.get('after') ?? -1);
  const results = rows.filter(({ row_index: index }) => index > after);
  return {
    job_id: job.job_id,
    waiting: 3,
    waiting_reasons: { ambiguous: 2, no_match: 1 },
    decided: 0,
    next: null,
    results,
  };
};

async function openReview(others: Answers = {}): Promise<FakeApi> {
  const api = await openPage('Jobs', { ...answers, ...others });
  await page.getByRole('link', { name: 'Spring list' }).click();
  await page.getByRole('link', { name: 'Review 3 rows', exact: true }).click();
  await expect.element(page.getByText(/^\d of \d rows decided$/)).toBeVisible();
  return api;
}

const picksOf = (api: FakeApi) =>
  api.askedOf('POST /app/v1/jobs/:job_id/review').flatMap(({ sent }) => sent.picks);
const expectRow = async (name: string) => {
  const heading = page.getByRole('heading', { name: `${name} Lee`, level: 2 });
  await expect.element(heading).toBeVisible();
  const marked = () => document.querySelector('[role=grid] [aria-current]')?.textContent;
  await expect.poll(marked).toContain(`${name} Lee`);
};

test.each([
  [['Ann Lee'], 'Is it Ann Lee?', 'Yes Ann Lee', 'No'],
  [[''], 'Is it this one?', 'Yes candidate 1', 'No'],
  [['Ann Lee', 'Ann Leigh', 'Ann Lea'], 'Which one is it?', 'Choose Ann Lee', 'None of them'],
] as const)('about %j the question is %s', async (names, question, yes, no) => {
  const candidates = names.map((name, at) => candidate(20 + at, name));
  const results = [{ ...rows[0]!, candidates }, ...rows.slice(1)];
  const api = await openReview({
    'GET /app/v1/jobs/:job_id/review': (asked) => ({ ...readReview(asked), results }),
  });
  await expect.element(page.getByRole('heading', { name: question })).toBeVisible();
  const none = page.getByRole('button', { name: no, exact: true });
  await expect.element(none).toBeInViewport({ ratio: 1 });
  await page.getByRole('button', { name: yes, exact: true }).click();
  await expect.poll(() => picksOf(api)).toEqual([{ row_index: 0, contact_uuid: idOf(20) }]);
});

test('the question is the same while its evidence is read', async () => {
  const read = Promise.withResolvers<void>();
  await openPage('Jobs', {
    ...answers,
    async 'GET /app/v1/jobs/:job_id/review'(asked) {
      if (asked.query.get('limit') === '50') await read.promise;
      return readReview(asked);
    },
  });
  await page.getByRole('link', { name: 'Spring list' }).click();
  await page.getByRole('link', { name: 'Review 3 rows' }).click();
  const asked = page.getByRole('heading', { level: 3 }).first();
  await expect.element(asked).toHaveTextContent('Which one is it?');
  await expect.element(page.getByRole('region', { name: 'Candidates' })).not.toBeInTheDocument();
  read.resolve();
  await expect.element(page.getByText('0 of 3 rows decided')).toBeVisible();
  await expect.element(asked).toHaveTextContent('Which one is it?');
});

test('keys choose a candidate, none of them, skip and undo', async () => {
  const api = await openReview();
  await expectRow('First');
  await expectAccessible();
  expect(findNestedBoxes()).toEqual([]);
  await userEvent.keyboard('2');
  await expectRow('Second');
  await userEvent.keyboard('0');
  await expectRow('Third');
  await userEvent.keyboard('u');
  await expectRow('Second');
  await userEvent.keyboard('s');
  await expectRow('Third');
  // There is no third candidate: the key does nothing.
  await userEvent.keyboard('3');
  await expectRow('Third');
  await userEvent.keyboard('1');
  await expect
    .element(page.getByText(/^This was the last row. You left 1 row undecided/))
    .toBeVisible();
  await expectAccessible();
  await expect
    .poll(() => picksOf(api))
    .toEqual([
      { row_index: 0, contact_uuid: idOf(12) },
      { row_index: 1, contact_uuid: null },
      { row_index: 1, undo: true },
      { row_index: 2, contact_uuid: idOf(11) },
    ]);
});

test('rows follow in the order of the list, and those that were skipped are left at its end', async () => {
  const api = await openReview({ 'GET /app/v1/jobs/:job_id/review': readAfter });
  await userEvent.keyboard('s');
  await expectRow('Second');
  await userEvent.keyboard('1');
  await expectRow('Third');
  await userEvent.keyboard('s');
  const end = page.getByText(/^This was the last row. You left 2 rows undecided/);
  await expect.element(end).toBeVisible();
  await expect.element(page.getByText('1 of 3 rows decided')).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'None of them' })).not.toBeInTheDocument();
  await expectAccessible();
  // The skip of the last row is undone, and done again.
  await userEvent.keyboard('u');
  await expect.element(page.getByRole('button', { name: 'None of them' })).toBeVisible();
  await userEvent.keyboard('s');
  await page.getByRole('button', { name: 'Go through them' }).click();
  await expectRow('First');
  await userEvent.keyboard('0');
  await expectRow('Third');
  await userEvent.keyboard('s');
  await expect.element(page.getByText(/You left 1 row undecided/)).toBeVisible();
  await userEvent.keyboard('g');
  await expectRow('Third');
  await userEvent.keyboard('2');
  await expect.element(page.getByText(/^No row waits for a decision/)).toBeVisible();
  await expect.poll(() => picksOf(api).map(({ row_index: row }) => row)).toEqual([1, 0, 2]);
});

test('buttons do the same, and at the end the result is in sight', async () => {
  await openReview();
  await page.getByRole('button', { name: 'Choose Ann Lee' }).click();
  await expectRow('Second');
  await page.getByRole('button', { name: 'Choose candidate 2' }).click();
  await expectRow('Third');
  await page.getByRole('button', { name: 'None of them' }).click();
  await expect.element(page.getByText(/^No row waits for a decision/)).toBeVisible();
  await page.getByRole('button', { name: 'Close details' }).click();
  await expect.element(page.getByRole('grid', { name: 'Rows of Spring list' })).toHaveFocus();
});

test('a row that waits is decided wherever it is opened, and the review goes on from there', async () => {
  const api = await openReview({ 'GET /app/v1/jobs/:job_id/review': readAfter });
  await page.getByRole('button', { name: 'Close details' }).click();
  await page.getByRole('rowheader', { name: /Second Lee/ }).click();
  await expect.element(page.getByRole('button', { name: 'None of them' })).toBeVisible();
  await userEvent.keyboard('1');
  await expectRow('Third');
  await expect.poll(() => picksOf(api)).toEqual([{ row_index: 1, contact_uuid: idOf(11) }]);
});

test('a decision that is refused returns to its row and says why', async () => {
  await openReview({
    'POST /app/v1/jobs/:job_id/review': () =>
      refuse('insufficient_credits', 'This needs 1 credit and the wallet has 0.'),
  });
  await userEvent.keyboard('1');
  await expect.element(page.getByText(/the wallet has 0/)).toBeVisible();
  await expectRow('First');
  await expect.element(page.getByText('0 of 3 rows decided')).toBeVisible();
});

test('all evidence is visible, emails included, also for unlikely people', async () => {
  const unlikely: ReviewRow = {
    ...rows[0]!,
    reason: 'no_match',
    input: {
      first_name: 'First',
      last_name: 'Lee',
      title: 'Head',
      email: 'a@b.example',
    },
  };
  await openReview({
    'GET /app/v1/jobs/:job_id/review': () => ({
      job_id: job.job_id,
      waiting: 3,
      waiting_reasons: { ambiguous: 2, no_match: 1 },
      decided: 2,
      next: null,
      results: [unlikely],
    }),
  });
  await expect.element(page.getByText(/^Nothing matches with enough confidence/)).toBeVisible();
  const lines = page.getByRole('region', { name: 'Candidate 1: Ann Lee' }).getByRole('row');
  const readLines = () => lines.elements().map(({ textContent }) => textContent);
  await expect
    .poll(() => readLines().slice(1))
    .toEqual([
      'First nameFirstnot on file',
      'Last nameLeeLee same',
      'Emaila@b.examplea@c.example other domain',
      'TitleHeadChief different',
      'Phone–+4930901820',
    ]);
  await expectAccessible();
  await userEvent.keyboard('1');
  await expect.element(page.getByText('3 of 5 rows decided')).toBeVisible();
  await userEvent.keyboard('{Control>}z{/Control}');
  await expect.element(page.getByText('2 of 5 rows decided')).toBeVisible();
});

test('the row that the address names is first, and those before it follow', async () => {
  const api = await openReview({ 'GET /app/v1/jobs/:job_id/review': readAfter });
  location.hash = `/jobs/${job.job_id}?row=2`;
  for (const name of ['Third', 'First', 'Second']) {
    await expectRow(name);
    await expect.element(page.getByRole('button', { name: 'None of them' })).toBeVisible();
    await userEvent.keyboard('1');
  }
  await expect.poll(() => picksOf(api).map(({ row_index: row }) => row)).toEqual([2, 0, 1]);
});

test('a company that is a candidate is called one, and lacks no job', async () => {
  const company = { ...candidate(12, 'Acme AG'), evidence: [] };
  const results = rows.map((row) => ({
    ...row,
    input: { company_name: 'Acme', company_domain: 'acme.example' },
    candidates: [company],
  }));
  await openReview({
    'GET /app/v1/jobs/:job_id/review': () => ({
      job_id: job.job_id,
      waiting: 3,
      waiting_reasons: { ambiguous: 2, no_match: 1 },
      decided: 0,
      next: null,
      results,
    }),
  });
  const shown = page.getByRole('region', { name: 'Candidate 1: Acme AG' });
  await expect.element(shown).toBeVisible();
  await expect.element(shown.getByText('No current job on file')).not.toBeInTheDocument();
});

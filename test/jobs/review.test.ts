// Reviews: the waiting rows, the effect of a decision, and its price.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { getAccountById } from '../../engine/accounts/account.table.ts';
import { listUnindexed } from '../../engine/jobs/repeats/job-person.table.ts';
import { verifyLedger } from '../../engine/ledger/ledger.ts';
import { type Desk, expectRefusal, type Json, shareApiDesk } from '../http/open-api-desk.ts';

const people = `person id,first name,last name,title,company,email,is current
a1,Ann,Lee,Chief,Acme,ann.chief@acme.example,1
a2,Ann,Lee,Clerk,Acme,ann.clerk@acme.example,1
b1,Bob,May,Head,Acme,bob@acme.example,1
`;
const openDesk = shareApiDesk({}, { people, provider: null });
const ann = { first_name: 'Ann', last_name: 'Lee', company_name: 'Acme' };
const bob = { first_name: 'Bob', last_name: 'May', company_name: 'Acme' };

/** A completed job of rows, at 1 credit a row. */
async function openReviewed(rows: readonly object[]): Promise<{ desk: Desk; path: string }> {
  const desk = await openDesk();
  const { data } = await desk.call('POST', 'submit/', { json: { selected_layers: ['L1'], rows } });
  await desk.environment.finish(data.job_id);
  return { desk, path: data.job_id };
}

const readReview = async (desk: Desk, jobId: string, query = ''): Promise<Json> =>
  (await desk.call('GET', `review/${jobId}/${query}`)).data;
const decide = (desk: Desk, jobId: string, ...picks: object[]) =>
  desk.call('POST', `review/${jobId}/`, { json: { picks } });
const readStatus = async (desk: Desk, jobId: string): Promise<Json> =>
  (await desk.call('GET', `status/${jobId}/`)).data;
const readRow = async (desk: Desk, jobId: string, row: number): Promise<Json> =>
  (await desk.call('GET', `result/${jobId}/?limit=1&offset=${row}`)).data.results[0];

test('an ambiguous row waits, with the evidence for and against each candidate', async () => {
  const { desk, path } = await openReviewed([
    bob,
    { ...ann, title: 'Chief', email: 'x@y.example' },
  ]);
  const { job_id: _, ...page } = await readReview(desk, path);
  expect(page).toMatchObject({ waiting: 1, decided: 0, next: null });
  const [row] = page.results;
  expect(row).toMatchObject({
    row_index: 1,
    reason: 'ambiguous',
    input: { ...ann, title: 'Chief' },
    pick: null,
  });
  expect(row.candidates.map(({ title }: Json) => title).sort()).toEqual(['Chief', 'Clerk']);
  const clerk = row.candidates.find(({ title }: Json) => title === 'Clerk');
  expect(clerk.evidence).toEqual([
    { field: 'email', given: 'x@y.example', known: '', verdict: 'other_kind' },
    { field: 'first_name', given: 'Ann', known: 'Ann', verdict: 'same' },
    { field: 'last_name', given: 'Lee', known: 'Lee', verdict: 'same' },
    { field: 'company_name', given: 'Acme', known: 'Acme', verdict: 'same' },
    { field: 'title', given: 'Chief', known: 'Clerk', verdict: 'different' },
  ]);
});

test('the app shows the emails, phones and profile URLs of candidates, a key does not', async () => {
  const { desk, path } = await openReviewed([{ ...ann, title: 'Chief', email: 'x@y.example' }]);
  const emailsOf = (page: Json) =>
    page.results[0].candidates.map(
      ({ evidence }: Json) => evidence.find(({ field }: Json) => field === 'email').known,
    );
  const { data } = await desk.app('GET', `jobs/${path}/review`);
  expect(emailsOf(data).sort()).toEqual(['ann.chief@acme.example', 'ann.clerk@acme.example']);
  expect(emailsOf(await readReview(desk, path))).toEqual(['', '']);
});

test('the app shows an email of a candidate that the row lacks, a key does not', async () => {
  const { desk, path } = await openReviewed([ann]);
  const emailOf = (page: Json) =>
    page.results[0].candidates[0].evidence.find(({ field }: Json) => field === 'email');
  const { data } = await desk.app('GET', `jobs/${path}/review`);
  expect(emailOf(data)).toEqual({
    field: 'email',
    given: '',
    known: expect.stringMatching(/^ann\.(?:chief|clerk)@acme\.example$/),
    verdict: 'not_given',
  });
  expect(emailOf(await readReview(desk, path))).toBeUndefined();
});

test('a placeholder is no value of the row that candidates could lack', async () => {
  const nothing = { title: '-', email: 'unknown', phone: ' -- ', country: 'TBD' };
  const { desk, path } = await openReviewed([{ ...ann, ...nothing, company_domain: '#N/A' }]);
  const [row] = (await readReview(desk, path)).results;
  expect(row.input).toEqual(ann);
});

test('a whole name in one column is compared with the whole name', async () => {
  const { desk, path } = await openReviewed([{ first_name: 'Ann Lee', company_name: 'Acme' }]);
  const [row] = (await readReview(desk, path)).results;
  expect(row.candidates[0].evidence[0]).toEqual({
    field: 'first_name',
    given: 'Ann Lee',
    known: 'Ann Lee',
    verdict: 'same',
  });
});

test('a pick enriches its row, is charged once, and has its author', async () => {
  const { desk, path } = await openReviewed([bob, ann]);
  const before = await readStatus(desk, path);
  const [row] = (await readReview(desk, path)).results;
  const [first, second] = row.candidates.map((one: Json) => one.upstream_contact_uuid);
  const answer = await decide(desk, path, { row_index: 1, contact_uuid: first });
  expect(answer.data).toEqual({
    applied: 1,
    credits_charged: '1.0000',
    credits_refunded: '0.0000',
    remaining: 0,
  });
  expect(await readStatus(desk, path)).toMatchObject({
    enriched_rows: before.enriched_rows + 1,
    skipped_rows: before.skipped_rows - 1,
    credits_charged: '2.0000',
  });
  expect(await readRow(desk, path, 1)).toMatchObject({
    status: 'enriched',
    upstream_contact_uuid: first,
    enriched_fields: { 'First name': 'Ann', 'Employment status': 'Current' },
    reason: '',
    confidence: 1,
    credits_charged: '1.0000',
    review: { decided_by: 'tests', decided_at: expect.any(String), remembered: false },
  });
  // The counters of the batches find the row under its new status.
  const enriched = await desk.call('GET', `result/${path}/?status=enriched`);
  expect(enriched.data.results.map((one: Json) => one.row_index)).toEqual([0, 1]);
  const again = await decide(desk, path, { row_index: 1, contact_uuid: first });
  expect(again.data).toMatchObject({ applied: 0, credits_charged: '0.0000' });
  const other = await decide(desk, path, { row_index: 1, contact_uuid: second });
  expect(other.data).toMatchObject({ applied: 1, credits_charged: '0.0000' });
  expect(await readRow(desk, path, 1)).toMatchObject({ upstream_contact_uuid: second });
  expect((await readStatus(desk, path)).credits_charged).toBe('2.0000');
});

test('“none of them” leaves the row without a match and free, and an undo makes it wait again', async () => {
  const { desk, path } = await openReviewed([ann]);
  const open = await readRow(desk, path, 0);
  const [row] = (await readReview(desk, path)).results;
  const none = await decide(desk, path, { row_index: 0, contact_uuid: null });
  expect(none.data).toMatchObject({ applied: 1, credits_charged: '0.0000', remaining: 0 });
  expect(await readRow(desk, path, 0)).toMatchObject({ status: 'skipped', reason: 'no_match' });
  const { data: page } = await desk.app('GET', `jobs/${path}/rows?limit=1&reason=ambiguous`);
  expect(page.count).toBe(0);
  expect((await readReview(desk, path, '?status=decided')).results).toMatchObject([
    { row_index: 0, reason: 'ambiguous', pick: { contact_uuid: null, credits_charged: '0.0000' } },
  ]);
  const uuid = row.candidates[0].upstream_contact_uuid;
  await decide(desk, path, { row_index: 0, contact_uuid: uuid });
  const undone = await decide(desk, path, { row_index: 0, undo: true });
  expect(undone.data).toEqual({
    applied: 1,
    credits_charged: '0.0000',
    credits_refunded: '1.0000',
    remaining: 1,
  });
  expect(await readRow(desk, path, 0)).toEqual(open);
  const { results } = (await desk.app('GET', 'wallet/entries')).data;
  expect(results.slice(0, 2)).toMatchObject([
    { kind: 'refund', amount: '1.0000', subject_kind: 'review', subject_id: path },
    { kind: 'charge', amount: '1.0000', subject_kind: 'review', subject_id: path },
  ]);
});

test('decisions are all applied or none', async () => {
  const { desk, path } = await openReviewed([bob, ann, ann]);
  const { results } = await readReview(desk, path);
  const uuid = results[0].candidates[0].upstream_contact_uuid;
  const good = { row_index: 1, contact_uuid: uuid };
  const bad = [
    [{ row_index: 0, contact_uuid: uuid }, /Row 0: it does not wait/],
    [{ row_index: 9, contact_uuid: uuid }, /Row 9: the job has 3 rows/],
    [{ row_index: 2, contact_uuid: 'somebody' }, /Row 2: somebody is not one of its candidates/],
    [{ row_index: 2, contact_uid: uuid }, /^picks\[1\]: .*Did you mean "contact_uuid"\?/],
  ] as const;
  for (const [pick, words] of bad)
    expectRefusal(await decide(desk, path, good, pick), 'validation_error', words);
  expect(await readReview(desk, path)).toMatchObject({ waiting: 2, decided: 0 });
  expect((await readStatus(desk, path)).credits_charged).toBe('1.0000');
});

test('the people of a job are read before its first decision, not in its transaction', async () => {
  const { desk, path } = await openReviewed([bob, ann]);
  const unread = () =>
    listUnindexed(desk.environment.database, {
      accountId: desk.accountId,
      since: null,
      jobIds: [path],
    });
  expect(unread()).toHaveLength(1);
  const refused = await decide(desk, path, { row_index: 0, contact_uuid: null });
  expectRefusal(refused, 'validation_error', /Row 0: it does not wait/);
  expect(unread()).toEqual([]);
});

test('pages follow the rows, so that a decision moves no other row', async () => {
  const { desk, path } = await openReviewed([ann, ann, ann]);
  const first = await readReview(desk, path, '?limit=1');
  expect(first.results.map((row: Json) => row.row_index)).toEqual([0]);
  await decide(desk, path, { row_index: 0, contact_uuid: null });
  const { pathname, search } = new URL(first.next);
  const { data } = await desk.call('GET', pathname + search);
  expect(data.results.map((row: Json) => row.row_index)).toEqual([1]);
});

test('picks beyond the wallet or the limits of the key are refused', async () => {
  const { desk, path } = await openReviewed([ann, ann]);
  const { results } = await readReview(desk, path);
  const uuids = results[0].candidates.map((one: Json) => one.upstream_contact_uuid);
  const picks = [0, 1].map((row_index) => ({ row_index, contact_uuid: uuids[row_index] }));
  const { accountId, environment } = desk;
  const capped = await environment.writer.createKey({
    accountId,
    label: 'capped',
    capCallUnits: 15_000 as never,
  });
  const over = await desk.call('POST', `review/${path}/`, { json: { picks }, key: capped.key });
  expectRefusal(over, 'spending_cap_reached', /at most 1\.5 in one call/);
  const guarded = await environment.writer.createKey({
    accountId,
    label: 'asks',
    askAboveUnits: 10_000 as never,
  });
  const asked = await desk.call('POST', `review/${path}/`, { json: { picks }, key: guarded.key });
  expect(asked).toMatchObject({ status: 409, body: { error: 'approval_required' } });
  const id = asked.body.approval.approval_id;
  await environment.writer.answerApproval({ accountId, id, isAllowed: true, by: 'app' });
  const { data } = await desk.call('POST', `review/${path}/`, {
    json: { picks },
    key: guarded.key,
  });
  expect(data).toMatchObject({ applied: 2, credits_charged: '2.0000' });
});

test('an unfinished job, and a job of another account, has no review', async () => {
  const desk = await openDesk();
  const json = { selected_layers: ['L1'], rows: [ann] };
  const { data } = await desk.call('POST', 'submit/', { json });
  expectRefusal(await desk.call('GET', `review/${data.job_id}/`), 'not_ready');
  expectRefusal(await decide(desk, data.job_id, { row_index: 0, undo: true }), 'not_ready');
  const stranger = await openDesk();
  expectRefusal(await stranger.call('GET', `review/${data.job_id}/`), 'not_found');
});

test('a pick of a person who is in another row is free, and pays when that row is undone', async () => {
  const annChief = { email: 'ann.chief@acme.example' };
  const { desk, path } = await openReviewed([ann, annChief, ann]);
  const chief = (await readRow(desk, path, 1)).upstream_contact_uuid;
  const { results } = await readReview(desk, path);
  const uuids = results[0].candidates.map((one: Json) => one.upstream_contact_uuid);
  const clerk = uuids.find((uuid: string) => uuid !== chief);
  // The match of row 1 has paid for the chief; the clerk is paid for once.
  const answer = await decide(desk, path, { row_index: 0, contact_uuid: chief });
  expect(answer.data).toMatchObject({ applied: 1, credits_charged: '0.0000' });
  expect(await readRow(desk, path, 0)).toMatchObject({
    duplicate_of: 1,
    credits_charged: '0.0000',
  });
  const picks = [0, 2].map((row_index) => ({ row_index, contact_uuid: clerk }));
  const both = await decide(desk, path, ...picks);
  expect(both.data).toMatchObject({ applied: 2, credits_charged: '1.0000' });
  expect(await readRow(desk, path, 2)).toMatchObject({
    duplicate_of: 0,
    credits_charged: '0.0000',
  });
  expect(await readStatus(desk, path)).toMatchObject({
    enriched_rows: 3,
    duplicate_rows: 1,
    credits_charged: '2.0000',
  });
  const undone = await decide(desk, path, { row_index: 0, undo: true });
  expect(undone.data).toMatchObject({ credits_charged: '1.0000', credits_refunded: '1.0000' });
  expect(await readRow(desk, path, 2)).toMatchObject({
    duplicate_of: null,
    credits_charged: '1.0000',
  });
});

test('a pick of a person that an earlier job has paid for is free within the window', async () => {
  const { desk, path } = await openReviewed([{ email: 'ann.chief@acme.example' }]);
  const chief = (await readRow(desk, path, 0)).upstream_contact_uuid;
  const account = getAccountById(desk.environment.database, desk.accountId);
  const change = { accountUuid: account?.uuid ?? '', freeRepeatDays: 7 };
  await desk.environment.writer.changeAccount(change);
  const json = { selected_layers: ['L1'], rows: [ann] };
  const { data } = await desk.call('POST', 'submit/', { json });
  await desk.environment.finish(data.job_id);
  const pick = { row_index: 0, contact_uuid: chief };
  const answer = await decide(desk, data.job_id, pick);
  expect(answer.data).toMatchObject({ applied: 1, credits_charged: '0.0000' });
  expect(await readRow(desk, data.job_id, 0)).toMatchObject({
    paid_before: [{ job_id: path, row_index: 0, layers: ['L1'] }],
  });
});

test('rows wait in the order of the list, those with unlikely candidates too', async () => {
  const surname = { last_name: 'May' };
  const { desk, path } = await openReviewed([surname, ann, surname, ann]);
  expect(await readReview(desk, path)).toMatchObject({
    waiting: 4,
    waiting_reasons: { ambiguous: 2, too_little_data: 2 },
  });
  // Each page goes on behind the last row of the one before, also once that row is decided.
  const seen: (readonly [number, string])[] = [];
  for (let next = '?limit=1'; next !== ''; ) {
    const { results, next: url } = await readReview(desk, path, next);
    const [{ row_index, reason, candidates }] = results;
    seen.push([row_index, reason]);
    await decide(desk, path, { row_index, contact_uuid: candidates[0].upstream_contact_uuid });
    next = url === null ? '' : new URL(url).search;
  }
  expect(seen).toEqual([
    [0, 'too_little_data'],
    [1, 'ambiguous'],
    [2, 'too_little_data'],
    [3, 'ambiguous'],
  ]);
  expect(await readReview(desk, path)).toMatchObject({ waiting: 0, decided: 4 });
  expect(await readRow(desk, path, 0)).toMatchObject({ status: 'enriched', confidence: 1 });
});

test('after any decisions the rows, the job and the ledger agree', async () => {
  const rows = [ann, bob, ann, ann];
  const { desk, path } = await openReviewed(rows);
  const { results } = await readReview(desk, path);
  const uuids = results[0].candidates.map((one: Json) => one.upstream_contact_uuid);
  const decision = fc.record({
    row_index: fc.constantFrom(0, 2, 3),
    choice: fc.constantFrom(uuids[0], uuids[1], null, 'undo'),
  });
  const decisions = fc.array(fc.array(decision, { minLength: 1, maxLength: 4 }), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(decisions, async (requests) => {
      for (const request of requests) {
        const picks = request.map(({ row_index, choice }) =>
          choice === 'undo' ? { row_index, undo: true } : { row_index, contact_uuid: choice },
        );
        const json = { picks };
        const { status: code } = await desk.app('POST', `jobs/${path}/review`, { json });
        expect(code).toBe(200);
        expect(verifyLedger(desk.environment.database)).toEqual([]);
        const { data } = await desk.app('GET', `jobs/${path}/rows`);
        const status = data.job;
        const enriched = data.rows.filter((row: Json) => row.result.status === 'enriched');
        expect(status.enriched_rows).toBe(enriched.length);
        // A person is charged once, whichever of its rows are picked.
        const people = new Set(enriched.map(({ result }: Json) => result.upstream_contact_uuid));
        expect(Number(status.credits_charged)).toBe(people.size);
        const priced = enriched.filter(({ result }: Json) => result.duplicate_of === null);
        expect(priced.map(({ result }: Json) => result.credits_charged)).toEqual(
          priced.map(() => '1.0000'),
        );
        expect(priced).toHaveLength(people.size);
        expect(status.duplicate_rows).toBe(enriched.length - people.size);
      }
    }),
    { numRuns: 8 },
  );
});

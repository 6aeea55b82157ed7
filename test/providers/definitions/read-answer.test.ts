// The meaning of answers: rules, defaults, records, values, statuses and costs.
import { describe, expect, test } from 'vitest';
import type { ProviderField } from '../../../engine/contract/provider.ts';
import {
  type OutcomeRule,
  OutcomeRuleSchema,
} from '../../../engine/contract/provider-definition.ts';
import { readAnswer, readRetryAfter } from '../../../engine/providers/definitions/read-answer.ts';
import { makeOperation } from './make-definition.ts';

interface Given {
  readonly operation?: object;
  readonly rules?: readonly object[];
  readonly phase?: 'submit' | 'poll';
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly text?: string;
  readonly wanted?: readonly (readonly ProviderField[])[];
}

const read = (given: Given) =>
  readAnswer({
    answer: {
      status: given.status ?? 200,
      headers: given.headers ?? {},
      text: given.text ?? JSON.stringify(given.body ?? null),
    },
    phase: given.phase ?? 'submit',
    operation: makeOperation(given.operation),
    rules: (given.rules ?? []).map((rule): OutcomeRule => OutcomeRuleSchema.parse(rule)),
    wanted: given.wanted ?? [['work_email']],
  });

const hit = (email: string) => ({ work_email: { kind: 'hit', values: { email } } });
const bulk = { batch: { max: 10, wrap: 'rows', rowKey: 'id' }, records: 'rows' };
const inOrder = { batch: { max: 10, wrap: 'rows', byIndex: true }, records: 'rows' };
const three = [['work_email'], ['work_email'], ['work_email']] as const;

describe('without a rule', () => {
  test.each([
    ['submit', 200, '{}', { kind: 'answered', rows: [{ work_email: { kind: 'miss' } }] }],
    ['submit', 200, 'null', { kind: 'answered', rows: [{}] }],
    ['submit', 200, '{"email":"a@b', { kind: 'failed', outcome: 'uncertain' }],
    ['submit', 200, 'OK', { kind: 'failed', outcome: 'uncertain' }],
    ['submit', 204, '', { kind: 'failed', outcome: 'uncertain' }],
    ['submit', 302, '', { kind: 'failed', outcome: 'fatal' }],
    ['submit', 404, '{}', { kind: 'failed', outcome: 'fatal' }],
    ['submit', 500, '{}', { kind: 'failed', outcome: 'uncertain' }],
    ['submit', 503, 'Bad gateway', { kind: 'failed', outcome: 'uncertain' }],
    ['poll', 200, '{"email":"a@b', { kind: 'failed', outcome: 'retry' }],
    ['poll', 502, 'Bad gateway', { kind: 'failed', outcome: 'retry' }],
    ['poll', 404, '{}', { kind: 'failed', outcome: 'uncertain' }],
  ] as const)('of a %s, %i %j is read as %j', (phase, status, text, meaning) => {
    expect(read({ phase, status, text })).toMatchObject(meaning);
  });
});

describe('the first rule that applies decides', () => {
  const rules = [
    { status: [401, 403], means: 'auth' },
    { status: 400, match: "code == 'NO_MATCH'", means: 'miss' },
    { status: 400, match: 'code', means: 'bad_input' },
    { match: 'error', means: 'quota' },
    { status: 429, means: 'slow', waitSec: 7 },
    { status: '5xx', means: 'retry' },
    { status: 451, means: 'legal' },
    { status: 202, on: 'poll', means: 'pending', waitSec: 3 },
    { status: 418, means: 'uncertain' },
  ];
  test.each([
    [403, {}, { outcome: 'auth', waitMs: null }],
    [400, { code: 'NO_MATCH' }, { kind: 'answered', rows: [{}] }],
    [400, { code: 'BAD' }, { outcome: 'bad_input' }],
    [400, {}, { outcome: 'fatal' }],
    [200, { error: 'no credits' }, { outcome: 'quota' }],
    [200, { error: false, email: 'a@b.example' }, { kind: 'answered' }],
    [429, null, { outcome: 'slow', waitMs: 7_000 }],
    [503, null, { outcome: 'retry' }],
    [451, null, { outcome: 'legal' }],
    [418, null, { outcome: 'uncertain' }],
    [202, { email: 'a@b.example' }, { kind: 'answered' }],
  ] as const)('%i %j means %j', (status, body, meaning) => {
    expect(read({ rules, status, body })).toMatchObject(meaning);
  });
  test('a rule of the operation comes before those of the provider', () => {
    const operation = { rules: [{ status: 429, means: 'quota' }] };
    expect(read({ operation, rules, status: 429 })).toMatchObject({ outcome: 'quota' });
  });
  test('a rule of polls does not apply to the first answer', () => {
    expect(read({ rules, phase: 'poll', status: 202 })).toEqual({
      kind: 'pending',
      ticket: null,
      waitMs: 3_000,
    });
  });
});

test('the first answer of an asynchronous operation is its ticket', () => {
  const poll = { method: 'GET', url: 'https://api.finder.example/v1/find/{{ticket}}' };
  const operation = { async: { ticket: 'id', poll, everySec: 5, deadlineSec: 60 } };
  expect(read({ operation, body: { id: 'job-1' } })).toMatchObject({
    kind: 'pending',
    ticket: 'job-1',
  });
  // A signed 64-bit number is kept exactly.
  expect(read({ operation, text: '{"id":-8123456789012345678}' })).toMatchObject({
    ticket: '-8123456789012345678',
  });
  for (const id of [undefined, '', 'x'.repeat(2_001), 'a\u0000b', '\ud800'])
    expect(read({ operation, body: { id } })).toMatchObject({
      kind: 'failed',
      outcome: 'uncertain',
    });
  const rules = [{ match: 'done', means: 'hit' }];
  expect(read({ operation, rules, body: { done: true, email: 'a@b.example' } })).toMatchObject({
    kind: 'answered',
    rows: [hit('a@b.example')],
  });
});

describe('records are assigned to rows', () => {
  test('by their key, in any order, also if some are missing, unknown or there twice', () => {
    const rows = [
      { id: '2', email: 'c@x.example' },
      { id: '0', email: 'a@x.example' },
      { id: '9', email: 'z@x.example' },
      { id: '0', email: 'second@x.example' },
      {},
    ];
    expect(read({ operation: bulk, body: { rows }, wanted: three })).toMatchObject({
      kind: 'answered',
      rows: [hit('a@x.example'), {}, hit('c@x.example')],
    });
  });
  test('by a numeric key', () => {
    const body = { rows: [{ id: 1, email: 'b@x.example' }] };
    expect(read({ operation: bulk, body, wanted: three })).toMatchObject({
      rows: [{}, hit('b@x.example'), {}],
    });
  });
  test('by their order, with null for a miss', () => {
    const body = { rows: [{ email: 'a@x.example' }, null, { email: 'c@x.example' }] };
    expect(read({ operation: inOrder, body, wanted: three })).toMatchObject({
      rows: [hit('a@x.example'), {}, hit('c@x.example')],
    });
  });
  test.each([[[{}, {}]], [[]], [null], ['x'], [{}]])(
    'records %j of three rows in order are uncertain',
    (rows) => {
      expect(read({ operation: inOrder, body: { rows }, wanted: three })).toMatchObject({
        kind: 'failed',
        outcome: 'uncertain',
      });
    },
  );
  test('a record rule decides about one row', () => {
    const recordRules = [
      { match: 'status == `404`', means: 'miss' },
      { match: "error == 'COMPLIANCE'", means: 'legal' },
      { match: "error == 'FUNDS'", means: 'quota' },
      { match: 'error', means: 'bad_input' },
    ];
    const errors = [{ error: 'COMPLIANCE' }, { error: 'FUNDS' }, { error: 'x' }];
    const rows = [{ status: 404, email: 'a@x.example' }, ...errors];
    const operation = { ...inOrder, recordRules };
    const wanted = [...three, ['work_email']] as const;
    expect(read({ operation, body: { rows }, wanted })).toMatchObject({
      rows: [
        {},
        { work_email: { kind: 'failed', failure: 'legal_refusal' } },
        { work_email: { kind: 'failed', failure: 'quota' } },
        { work_email: { kind: 'failed', failure: 'bad_input' } },
      ],
    });
  });
});

test('a rule says what a field without a value means in its answer', () => {
  const rules = [{ match: 'spent', means: 'hit', without: 'quota' }];
  const operation = { ...bulk, map: { email: 'email', mobile_phone: 'phone' } };
  const rows = [{ id: '0', email: 'a@x.example' }, { id: '1' }];
  const wanted = [['work_email', 'phone'], ['work_email'], ['phone']] as const;
  const failed = { kind: 'failed', failure: 'quota' };
  expect(read({ operation, rules, body: { spent: true, rows }, wanted })).toMatchObject({
    rows: [
      { work_email: { kind: 'hit' }, phone: failed },
      { work_email: failed },
      { phone: failed },
    ],
  });
});

describe('values of a record', () => {
  test.each([[true], [false], [1], [{}], [['a@x.example']], [''], ['  '], [null]])(
    'only texts count: %j is a miss',
    (email) => {
      expect(read({ body: { email } })).toMatchObject({ rows: [{ work_email: { kind: 'miss' } }] });
    },
  );
  const checked = {
    gives: ['work_email', 'email_status', 'employment'],
    map: { email: 'email', title: 'job', company_name: 'company' },
    status: 'verdict',
    statuses: { good: 'valid', bad: 'invalid', all: 'catch_all' },
    accept: { work_email: ['valid', 'catch_all'] },
    confidence: 'score / `100`',
    observedOn: 'seen',
  };
  const wanted = [['work_email', 'email_status', 'employment']] as const;
  const row = { email: ' a@x.example ', job: 'CEO', verdict: 'good', score: 93 };
  test('each field has its own values, with status, day and confidence', () => {
    const body = { ...row, seen: '2026-03-04T05:06:07Z' };
    const shared = { observedOn: '2026-03-04', confidence: 0.93 };
    expect(read({ operation: checked, body, wanted })).toEqual({
      kind: 'answered',
      costCredits: null,
      rows: [
        {
          work_email: { kind: 'hit', values: { email: 'a@x.example' }, status: 'valid', ...shared },
          email_status: { kind: 'hit', values: {}, status: 'valid', ...shared },
          employment: { kind: 'hit', values: { title: 'CEO' }, ...shared },
        },
      ],
    });
  });
  test('only wanted fields are answered', () => {
    const found = read({ operation: checked, body: row, wanted: [['employment']] });
    expect(found).toMatchObject({ rows: [{ employment: { kind: 'hit' } }] });
    expect(JSON.stringify(found)).not.toContain('a@x.example');
  });
  test.each([
    ['bad', 'miss', 'invalid'],
    ['all', 'hit', 'catch_all'],
    ['who knows', 'miss', 'unknown'],
    ['toString', 'miss', 'unknown'],
  ])('an email with the status %s is a %s', (verdict, kind, status) => {
    const body = { ...row, verdict };
    expect(read({ operation: checked, body, wanted })).toMatchObject({
      rows: [{ work_email: { kind }, email_status: { kind: 'hit', status } }],
    });
  });
  test('without a status, the status is a miss, and an email that needs one too', () => {
    const body = { ...row, verdict: null };
    expect(read({ operation: checked, body, wanted })).toMatchObject({
      rows: [{ work_email: { kind: 'miss' }, email_status: { kind: 'miss' } }],
    });
  });
  test.each([
    [{ seen: 'yesterday' }, { observedOn: null }],
    [{ seen: '2026-13-40' }, { observedOn: null }],
    [{ score: 250 }, { confidence: 1 }],
    [{ score: -5 }, { confidence: 0 }],
    [{ score: 'high' }, { confidence: null }],
  ])('%j is read as %j', (changes, part) => {
    const found = read({ operation: checked, body: { ...row, ...changes }, wanted });
    expect(found).toMatchObject({ rows: [{ employment: part }] });
  });
});

describe('reported costs', () => {
  const cost = (reported: object, refund?: string) => ({
    cost: { max: { row: 1 }, reported, ...(refund && { refund }) },
  });
  test.each([
    [cost({ body: 'used' }), { used: 2.5 }, {}, 2.5],
    [cost({ body: 'used' }), { used: '3' }, {}, 3],
    [cost({ body: 'used' }), {}, {}, null],
    [cost({ body: 'used' }), { used: true }, {}, null],
    [cost({ body: 'used' }), { used: -1 }, {}, null],
    [cost({ body: 'used' }, 'back'), { used: 3, back: 1 }, {}, 2],
    [cost({ body: 'used' }, 'back'), { used: 3 }, {}, 3],
    [cost({ header: 'X-Spent' }), {}, { 'x-spent': '4' }, 4],
    [cost({ header: 'X-Spent' }), {}, { 'x-spent': '' }, null],
    [cost({ header: 'X-Spent' }), {}, {}, null],
  ])('%j of %j and %j are %j', (operation, body, headers, costCredits) => {
    expect(read({ operation, body, headers })).toMatchObject({ kind: 'answered', costCredits });
  });
  test('a miss can cost', () => {
    const operation = { ...cost({ header: 'x-spent' }), rules: [{ status: 404, means: 'miss' }] };
    const given = { operation, status: 404, headers: { 'x-spent': '1' } };
    expect(read(given)).toEqual({ kind: 'answered', rows: [{}], costCredits: 1 });
  });
});

test.each([
  ['<!DOCTYPE html><title> Sign in\n</title>', 200, ' with a web page (Sign in) instead of data.'],
  ['\n<html><p>Maintenance', 503, ' with a web page instead of data.'],
  ['Bad gateway', 503, '.'],
  ['{"email":"a', 200, ', but the answer is not complete JSON.'],
])('an answer %j with %i is named by what it is', (text, status, what) => {
  expect(read({ status, text })).toMatchObject({ detail: `It answered ${status}${what}` });
});

test.each([
  [{ message: 'No credits left' }, 'It answered 402: No credits left'],
  [{ error: { message: 'Bad\nkey\u0000' } }, 'It answered 402: Bad key '],
  [{ errors: [{ details: 'Too many' }] }, 'It answered 402: Too many'],
  [{}, 'It answered 402.'],
])('the message of %j is quoted', (body, detail) => {
  expect(read({ status: 402, body })).toMatchObject({ detail });
});

test.each([
  [undefined, null],
  ['', null],
  ['soon', null],
  ['0', 0],
  ['30', 30_000],
  ['-5', 0],
  ['999999999', 86_400_000],
  ['Mon, 23 Nov 2099 00:00:00 GMT', 86_400_000],
  ['Mon, 23 Nov 2026 00:01:00 GMT', 60_000],
  ['Mon, 23 Nov 2025 00:01:00 GMT', 0],
])('Retry-After %j is a wait of %j ms', (header, ms) => {
  expect(readRetryAfter(header, Date.parse('2026-11-23T00:00:00Z'))).toBe(ms);
});

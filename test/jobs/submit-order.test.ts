// The order of errors in submit and estimate: each error precedes the later ones.
import { expect, test } from 'vitest';
import type { ErrorCode } from '../../engine/contract/errors.ts';
import { csv, expectRefusal, shareApiDesk } from '../http/open-api-desk.ts';

const openDesk = shareApiDesk();
const row = { email: 'a@b.example' };
const longKey = { 'idempotency-key': 'k'.repeat(256) };

/** Every error of a body at once, and their repairs one by one. */
const bodySteps: readonly (readonly [repair: object, code: ErrorCode, detail: RegExp])[] = [
  [{}, 'bad_layers', /./],
  [{ selected_layers: 5 }, 'bad_rows', /./],
  [{ rows: 5 }, 'validation_error', /^selected_layers: /],
  [{ selected_layers: ['L9'] }, 'validation_error', /Unknown layer "L9"/],
  [{ selected_layers: ['L1'] }, 'validation_error', /^title: /],
  [{ title: 'A list' }, 'validation_error', /^rows: /],
];

test.each(['submit/', 'estimate/'])('a body of %s is checked in one order', async (path) => {
  const desk = await openDesk();
  let json: object = { title: 5 };
  for (const [repair, code, detail] of bodySteps) {
    json = { ...json, ...repair };
    expectRefusal(await desk.call('POST', path, { json, headers: longKey }), code, detail);
  }
  expect(desk.listLeftovers()).toEqual([]);
});

const pdf = new Blob(['%PDF-1.7\n%\xe2\xe3\n']);

/** The same for a form. */
const formSteps: readonly (readonly [
  repair: Record<string, string | Blob>,
  code: ErrorCode,
  detail: RegExp,
])[] = [
  [{}, 'bad_meta', /./],
  [{ meta: '{}' }, 'bad_layers', /./],
  [{ meta: '{' }, 'bad_rows', /./],
  [{ file: pdf }, 'validation_error', /PDF/],
  [{ file: csv('email', 'a@b.example') }, 'validation_error', /^meta: /],
  [{ meta: '{"selected_layers": 5}' }, 'validation_error', /^selected_layers: /],
  [{ meta: '{"selected_layers": ["L9"]}' }, 'validation_error', /Unknown layer "L9"/],
  [{ meta: '{"selected_layers": ["L1"]}' }, 'validation_error', /^title: /],
  [{ title: 'A list' }, 'validation_error', /^mapping: /],
];

test.each(['submit/', 'estimate/'])('a form of %s is checked in one order', async (path) => {
  const desk = await openDesk();
  let form: Record<string, string | Blob> = { title: 'x'.repeat(201), mapping: '{' };
  for (const [repair, code, detail] of formSteps) {
    form = { ...form, ...repair };
    expectRefusal(await desk.call('POST', path, { form, headers: longKey }), code, detail);
  }
  expect(desk.listLeftovers()).toEqual([]);
});

test('an Idempotency-Key that is too long is refused after all errors of the list', async () => {
  const desk = await openDesk();
  const answers = [
    { json: { selected_layers: ['L1'], rows: [row] } },
    { form: { selected_layers: 'L1', file: csv('email', 'a@b.example') } },
  ];
  for (const answer of answers)
    expectRefusal(
      await desk.call('POST', 'submit/', { ...answer, headers: longKey }),
      'validation_error',
      /^Idempotency-Key: /,
    );
  expect(desk.listLeftovers()).toEqual([]);
});

test('a layer that is switched off is refused after all errors of the list', async () => {
  const desk = await openDesk();
  await desk.app('PUT', 'rates/L2', { json: { active: false } });
  for (const path of ['submit/', 'estimate/']) {
    const json = { selected_layers: ['L1', 'L2'], title: 5, rows: [row] };
    expectRefusal(await desk.call('POST', path, { json }), 'validation_error', /^title: /);
    const named = { ...json, title: 'A list' };
    const wrong = { ...named, rows: [{ email: 5 }] };
    expectRefusal(
      await desk.call('POST', path, { json: wrong }),
      'validation_error',
      /^rows\[0\]\.email/,
    );
    expectRefusal(
      await desk.call('POST', path, { json: named }),
      'validation_error',
      /L2 is switched off/,
    );
  }
  expect(desk.listLeftovers()).toEqual([]);
});

// Refusals of POST /submit/ in the documented order: missing parts, then invalid ones, then
// credits.
import { expect, test } from 'vitest';
import { jsonBodyBytesMax } from '../../engine/contract/limits/http.ts';
import { jsonRowsMax, titleCharactersMax } from '../../engine/contract/limits/jobs.ts';
import { csv, expectRefusal, shareApiDesk } from '../http/open-api-desk.ts';

const openDesk = shareApiDesk();

const row = { email: 'a@b.example' };
const file = csv('email', 'a@b.example');

test.each([
  ['an empty object', {}, 'bad_layers'],
  ['no layers', { rows: [row] }, 'bad_layers'],
  ['null for layers', { selected_layers: null, rows: [row] }, 'bad_layers'],
  ['an empty list of layers', { selected_layers: [], rows: [row] }, 'bad_layers'],
  ['no rows', { selected_layers: ['L1'] }, 'bad_rows'],
  ['an empty list of rows', { selected_layers: ['L1'], rows: [] }, 'bad_rows'],
] as const)('%s is refused for the part that is missing first', async (_what, json, code) => {
  const desk = await openDesk();
  expectRefusal(await desk.call('POST', 'submit/', { json }), code);
});

const lots = Array.from({ length: jsonRowsMax + 1 }, () => row);

test.each([
  ['a list', [row], /JSON object/],
  ['layers that are not a list', { selected_layers: 5, rows: [row] }, /^selected_layers: /],
  ['one code without a list', { selected_layers: 'L1', rows: [row] }, /^selected_layers: /],
  [
    'a code that is not a string',
    { selected_layers: ['L1', 2], rows: [row] },
    /^selected_layers\[1\]: /,
  ],
  ['an unknown layer', { selected_layers: ['L9'], rows: [row] }, /Unknown layer "L9"/],
  ['a code in lower case', { selected_layers: ['l1'], rows: [row] }, /Unknown layer "l1"/],
  ['a later layer alone', { selected_layers: ['L2'], rows: [row] }, /L2 needs L1/],
  ['a gap in the order', { selected_layers: ['L1', 'L3'], rows: [row] }, /L3 needs L2/],
  ['MPA alone', { selected_layers: ['MPA'], rows: [row] }, /MPA cannot be the only layer/],
  [
    'full with another code',
    { selected_layers: ['full', 'L1'], rows: [row] },
    /"full" must be the only code/,
  ],
  ['a title that is not a string', { selected_layers: ['L1'], title: 5, rows: [row] }, /^title: /],
  [
    'a title over 200 characters',
    { selected_layers: ['L1'], title: 'x'.repeat(titleCharactersMax + 1), rows: [row] },
    /^title: at most 200/,
  ],
  ['rows that are not a list', { selected_layers: ['L1'], rows: row }, /^rows: /],
  ['10,001 rows', { selected_layers: ['L1'], rows: lots }, /10001 rows .*multipart/],
  ['a row that is not an object', { selected_layers: ['L1'], rows: [row, 'x'] }, /^rows\[1\]: /],
  ['a row that is a list', { selected_layers: ['L1'], rows: [[row]] }, /^rows\[0\]: /],
  [
    'a field that is not a string',
    { selected_layers: ['L1'], rows: [row, row, row, { email: 5 }] },
    /^rows\[3\]\.email: /,
  ],
  [
    'a custom field that is not a string',
    { selected_layers: ['L1'], rows: [{ 'My team': {} }] },
    /^rows\[0\]\["My team"\]: /,
  ],
  [
    'a cell over 1,048,576 characters',
    { selected_layers: ['L1'], rows: [{ title: 'x'.repeat(1_048_577) }] },
    /^rows\[0\]\.title: at most 1048576/,
  ],
  ['NUL in a cell', { selected_layers: ['L1'], rows: [{ email: 'a\0b' }] }, /^rows\[0\]\.email: /],
  ['half a pair', { selected_layers: ['L1'], rows: [{ email: '\ud800' }] }, /^rows\[0\]\.email: /],
  [
    'more than 1,000 different fields',
    { selected_layers: ['L1'], rows: [Object.fromEntries(lots.map((_, at) => [`c${at}`, '']))] },
    /^rows\[0\]: .*1000 different fields/,
  ],
] as const)('%s is a validation_error at its place', async (_what, json, detail) => {
  const desk = await openDesk();
  expectRefusal(await desk.call('POST', 'submit/', { json }), 'validation_error', detail);
  expect(desk.listLeftovers()).toEqual([]);
  expect((await desk.call('GET', 'jobs/')).data.count).toBe(0);
});

test.each([
  ['broken JSON', 'application/json', '{"selected_layers": [', /not valid JSON/],
  ['JSON that is not UTF-8', 'application/json', Buffer.from([0x22, 0xff, 0x22]), /UTF-8/],
  ['another content type', 'text/csv', 'email\na@b.example', /Content-Type/],
  ['a form field body', 'application/x-www-form-urlencoded', 'a=b', /Content-Type/],
  ['a form without a boundary', 'multipart/form-data', 'x', /multipart form/],
  [
    'a form that breaks off',
    'multipart/form-data; boundary=b',
    '--b\r\nContent-',
    /multipart form/,
  ],
  ['more than 32 MiB', 'application/json', ' '.repeat(jsonBodyBytesMax + 1), /32 MiB/],
] as const)('%s is a validation_error, never 413 or 415', async (_what, type, body, detail) => {
  const desk = await openDesk();
  const headers = { 'content-type': type };
  const answer = await desk.call('POST', 'submit/', { headers, body });
  expectRefusal(answer, 'validation_error', detail);
  expect(desk.listLeftovers()).toEqual([]);
});

const meta = JSON.stringify({ selected_layers: ['L1'] });

test.each([
  ['a form with only a file', { file }, 'bad_meta', /meta/],
  ['an empty meta', { meta: '', file }, 'bad_meta', /meta/],
  ['an empty form', { x: 'y' }, 'bad_meta', /meta/],
  ['a meta without layers', { meta: '{"title": "x"}', file }, 'bad_layers', /selected_layers/],
  ['an empty selected_layers', { selected_layers: '', file }, 'bad_layers', /selected_layers/],
  ['an empty JSON list', { selected_layers: '[]', file }, 'bad_layers', /selected_layers/],
  ['only commas', { selected_layers: ' , ', file }, 'bad_layers', /selected_layers/],
  ['no file', { meta }, 'bad_rows', /./],
  ['an empty file', { meta, file: new Blob([]) }, 'bad_rows', /./],
  ['a header without rows', { meta, file: csv('email') }, 'bad_rows', /./],
  ['a broken meta', { meta: '{', file }, 'validation_error', /^meta: /],
  ['a meta that is not an object', { meta: '[]', file }, 'validation_error', /^meta: /],
  [
    'a broken list of layers',
    { selected_layers: '["L1"', file },
    'validation_error',
    /^selected_l/,
  ],
  [
    'an unknown layer',
    { selected_layers: 'L1,L9', file },
    'validation_error',
    /Unknown layer "L9"/,
  ],
  ['a broken mapping', { meta, mapping: '{', file }, 'validation_error', /^mapping: /],
  [
    'a mapping of an unknown field',
    { meta, mapping: '{"x": "email"}', file },
    'validation_error',
    /^mapping/,
  ],
  [
    'a mapping to a column that is not there',
    { meta, mapping: '{"email": "E-mail"}', file },
    'validation_error',
    /^mapping\.email: .*"E-mail"/,
  ],
  [
    'a title over 200 characters',
    { meta, title: 'x'.repeat(201), file },
    'validation_error',
    /^title: /,
  ],
  ['broken CSV', { meta, file: csv('email', '"never closed') }, 'validation_error', /ine 2/],
  ['a PDF', { meta, file: new Blob(['%PDF-1.7\n%\xe2\xe3\n']) }, 'validation_error', /PDF/],
] as const)('%s is refused with its code', async (_what, form, code, detail) => {
  const desk = await openDesk();
  expectRefusal(await desk.call('POST', 'submit/', { form }), code, detail);
  expect(desk.listLeftovers()).toEqual([]);
});

test('a part that is sent twice is refused', async () => {
  const desk = await openDesk();
  const form = new FormData();
  form.append('selected_layers', 'L1');
  for (const name of ['a.csv', 'b.csv']) form.append('file', file, name);
  expectRefusal(await desk.call('POST', 'submit/', { body: form }), 'validation_error', /^file: /);
  expect(desk.listLeftovers()).toEqual([]);
});

test('a layer that is switched off is refused, and so is one that needs it', async () => {
  const desk = await openDesk();
  await desk.app('PUT', 'rates/L2', { json: { active: false } });
  for (const selected_layers of [
    ['L1', 'L2'],
    ['L1', 'L2', 'L3'],
  ]) {
    const json = { selected_layers, rows: [row] };
    const answer = await desk.call('POST', 'submit/', { json });
    expectRefusal(answer, 'validation_error', /^selected_layers: L2 is switched off/);
  }
  const json = { selected_layers: 'full', rows: [row] };
  const { data } = await desk.call('POST', 'submit/', { json });
  expect(data.selected_layers).toEqual(['L1', 'MPA', 'CP']);
});

test('a wallet that does not cover the hold is insufficient_credits, after all other errors', async () => {
  const desk = await openDesk();
  const poor = await desk.environment.writer['accounts.create']({ name: 'Poor' });
  const headers = { 'x-desk-account': poor.id };
  const { key } = (await desk.app('POST', 'keys', { json: { label: 'poor' }, headers })).data;
  const json = { selected_layers: ['L1'], rows: [row] };
  const answer = await desk.call('POST', 'submit/', { key, json });
  expectRefusal(answer, 'insufficient_credits', /needs 1 credit /);
  const wrong = { ...json, title: 5 };
  expectRefusal(await desk.call('POST', 'submit/', { key, json: wrong }), 'validation_error');
  expectRefusal(
    await desk.call('POST', 'submit/', { key, form: { selected_layers: 'L1', file } }),
    'insufficient_credits',
  );
  expect(desk.listLeftovers()).toEqual([]);
});

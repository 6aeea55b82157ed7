// Templates: what a placeholder inserts, and what is left out.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  buildOperationRequest,
  buildPlainRequest,
  RequestUnbuildable,
} from '../../../engine/providers/definitions/build-request.ts';
import { fillTemplate, type Json } from '../../../engine/providers/definitions/template.ts';
import { finderOperation, makeDefinition } from './make-definition.ts';

const values = {
  row: { first_name: 'Ann', company_name: 'A & B', title: '{{row.first_name}}' },
  rowKey: '7',
  requestId: 'r-1',
  wants: new Set(['phone'] as const),
};

test.each<[Json, Json | undefined]>([
  ['{{row.first_name}}', 'Ann'],
  ['{{ row.first_name }}', 'Ann'],
  ['Dear {{row.first_name}}', 'Dear Ann'],
  ['{{row.first_name}} {{row.last_name}}', undefined],
  ['{{row.last_name}}', undefined],
  ['{{row_key}}', '7'],
  ['{{request_id}}', 'r-1'],
  ['{{wants.phone}}', true],
  ['{{wants.work_email}}', false],
  ['{{wants.phone ? contact.phones}}', 'contact.phones'],
  ['{{wants.work_email ? contact.emails}}', undefined],
  ['{{row.title}}', '{{row.first_name}}'],
  [
    { a: '{{row.last_name}}', b: 1, c: null },
    { b: 1, c: null },
  ],
  [{ a: { b: '{{row.last_name}}' } }, undefined],
  [{ a: {} }, { a: {} }],
  [['{{wants.work_email ? e}}', '{{wants.phone ? p}}'], ['p']],
  [3, 3],
])('the template %j becomes %j', (template, filled) => {
  expect(fillTemplate(template, values)).toEqual(filled);
});

const definition = makeDefinition();
const [operation] = definition.ops;
const build = (row: object) => {
  if (!operation) throw new Error('no operation');
  const rows = [{ row, fields: ['work_email'] as const }];
  return buildOperationRequest(definition, operation, { id: 'r', rows }, 'the-key');
};

test('a request has the key where the definition says, and the values of the row', () => {
  const { url, headers, method, body } = build({ first_name: 'Ann', company_domain: 'a/b?c#d' });
  expect(url.href).toBe('https://api.finder.example/v1/find/a%2Fb%3Fc%23d?first=Ann');
  expect([method, body]).toEqual(['GET', null]);
  expect(headers).toEqual({ accept: 'application/json', 'x-key': 'the-key' });
  const placed = (auth: object) =>
    buildPlainRequest(makeDefinition({ auth }), finderOperation.request as never, 'the key');
  expect(() => placed({ in: 'bearer' })).toThrow(RequestUnbuildable);
  const request = { method: 'GET', url: 'https://api.finder.example/me' } as const;
  const plain = (auth: object) => buildPlainRequest(makeDefinition({ auth }), request, 'the key');
  expect(plain({ in: 'bearer' }).headers.authorization).toBe('Bearer the key');
  expect(plain({ in: 'query', name: 'api_key' }).url.search).toBe('?api_key=the+key');
});

test('no value of a row can change the path or the host of an address', () => {
  expect(() => build({ company_domain: '..' })).toThrow(RequestUnbuildable);
  expect(() => build({ company_domain: '.' })).toThrow(RequestUnbuildable);
  expect(() => build({ first_name: 'Ann' })).toThrow(RequestUnbuildable);
  fc.assert(
    fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), (domain) => {
      fc.pre(!/^\.{1,2}$/.test(domain) && domain.isWellFormed());
      const { url } = build({ company_domain: domain });
      expect(url.host).toBe('api.finder.example');
      expect(url.pathname.split('/').slice(0, 3)).toEqual(['', 'v1', 'find']);
      expect(decodeURIComponent(url.pathname.slice('/v1/find/'.length))).toBe(domain);
    }),
  );
});

test('the rows of a batch become an array in the body, with their keys and wanted fields', () => {
  const batch = makeDefinition({
    ops: [
      {
        ...finderOperation,
        gives: ['work_email', 'phone'],
        map: { email: 'email', mobile_phone: 'mobile' },
        batch: { max: 10, wrap: 'people', rowKey: 'ref' },
        request: {
          method: 'POST',
          url: 'https://api.finder.example/v1/bulk',
          body: { name: '{{request_id}}', phones: '{{wants.phone}}' },
          each: {
            ref: '{{row_key}}',
            first: '{{row.first_name}}',
            get: ['{{wants.work_email ? email}}', '{{wants.phone ? phone}}'],
          },
        },
      },
    ],
  });
  const [bulk] = batch.ops;
  if (!bulk) throw new Error('no operation');
  const rows = [
    { row: { first_name: 'Ann' }, fields: ['work_email'] as const },
    { row: { first_name: 'Bob' }, fields: ['work_email', 'phone'] as const },
  ];
  const { body, headers } = buildOperationRequest(batch, bulk, { id: 'r-9', rows }, 'k');
  expect(headers['content-type']).toBe('application/json');
  expect(JSON.parse(body ?? '')).toEqual({
    name: 'r-9',
    phones: true,
    people: [
      { ref: '0', first: 'Ann', get: ['email'] },
      { ref: '1', first: 'Bob', get: ['email', 'phone'] },
    ],
  });
});

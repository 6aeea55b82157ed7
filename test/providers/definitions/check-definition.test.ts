// The check of a definition file: each fault with its line and what to do.
import { expect, test } from 'vitest';
import { checkDefinition } from '../../../engine/providers/definitions/check-definition.ts';
import { definitionFile, finderOperation } from './make-definition.ts';

const format = (value: object): string => JSON.stringify(value, null, 2);
const check = (changes: object = {}, isShipped = false) =>
  checkDefinition(format(definitionFile(changes)), 'finder', isShipped);
const withOperation = (changes: object) => check({ ops: [{ ...finderOperation, ...changes }] });

/** The faults, each with the text of its line. */
function faultsOf(changes: object, isShipped = false) {
  const lines = format(definitionFile(changes)).split('\n');
  return check(changes, isShipped).faults.map(({ line, what }) => [lines[line - 1]?.trim(), what]);
}

test('a file may begin with a byte order mark, as Windows editors write it', () => {
  const text = format(definitionFile());
  expect(checkDefinition(`\uFEFF${text}`, 'finder').faults).toEqual([]);
});

test('a host of a private network needs "local", which a shipped definition cannot have', () => {
  const url = 'https://10.1.2.3/find/{{row.company_domain}}';
  const changes = {
    local: true,
    hosts: ['10.1.2.3'],
    ops: [{ ...finderOperation, request: { method: 'GET', url } }],
  };
  expect(check(changes).faults).toEqual([]);
  expect(faultsOf(changes, true)).toEqual([
    ['"local": true', 'local: a shipped definition cannot have "local"'],
  ]);
});

test('a complete definition has no fault, and its defaults', () => {
  const { definition, faults } = check();
  expect(faults).toEqual([]);
  expect(definition).toMatchObject({
    deadlineSec: 30,
    limits: { concurrency: 1, count: 'request', retryAfterHeader: 'retry-after' },
    ops: [{ batch: { max: 1 }, records: '@', rules: [], cost: { max: { row: 1, fields: {} } } }],
  });
});

test.each([
  ['{"id": "finder",\n "title": }', 2, /not JSON: unexpected "}"/],
  ['{"id": "finder",\n "title": "A",\n}', 3, /not JSON: unexpected "}"/],
  ['{"id": "finder"\n', 1, /not JSON: it ends too early/],
  ['{"id": "finder",\n "id": "finder"}', 2, /id is there twice/],
  ['{\n// a comment\n}', 2, /not JSON/],
  ['', 1, /not JSON/],
  ['[]', 1, /must be one JSON object.*expected object/],
  [' '.repeat(262_145), 1, /larger than 262144 bytes/],
])('the text %j is refused at its line', (text, line, what) => {
  const { definition, faults } = checkDefinition(text, 'finder');
  expect(definition).toBeNull();
  expect(faults[0]).toMatchObject({ line, what: expect.stringMatching(what) });
});

test.each<[object, string, RegExp]>([
  [{ id: 'other' }, '"id": "other",', /the id must be the name of the file: finder/],
  [{ title: '' }, '"title": "",', /title: Too small/],
  [{ colour: 'red' }, '"colour": "red"', /colour: colour is not a key; the keys are id, title/],
  [{ docs: 'http://finder.example' }, '"docs": "http://finder.example",', /begins with https/],
  [{ docs: undefined }, '{', /docs: is missing/],
  [{ auth: { in: 'body' } }, '"in": "body"', /'header' \| 'query' \| 'bearer'/],
  [
    { hosts: ['api.other.example'] },
    '"url": "https://api.finder.example/v1/find/{{row.company_domain}}",',
    /api.finder.example is not in "hosts"/,
  ],
  [{ hosts: ['api.finder.example', 'a/b'] }, '"a/b"', /a\/b is not a host name/],
  [{ hosts: ['api.finder.example', 'localhost'] }, '"localhost"', /this machine/],
  [{ hosts: ['api.finder.example', '127.0.0.1:80'] }, '"127.0.0.1:80"', /this machine/],
  [{ hosts: ['api.finder.example', '10.1.2.3'] }, '"10.1.2.3"', /private network.*"local": true/],
  [{ hosts: ['api.finder.example', '[fd00::1]'] }, '"[fd00::1]"', /private network/],
  [
    { hosts: ['api.finder.example', '169.254.169.254'], local: true },
    '"169.254.169.254"',
    /cannot be used/,
  ],
  [{ rules: [{ means: 'slow' }] }, '{', /needs "status" or "match"/],
  [{ rules: [{ status: 600, means: 'slow' }] }, '"status": 600,', /Too big/],
  [{ rules: [{ status: '6xx', means: 'slow' }] }, '"status": "6xx",', /such as 404 or a class/],
  [{ rules: [{ status: 429, means: 'wait' }] }, '"means": "wait"', /"slow"/],
  [{ rules: [{ status: 202, means: 'pending' }] }, '"means": "pending"', /needs "async"/],
  [{ rules: [{ match: 'a ==', means: 'miss' }] }, '"match": "a ==",', /expression "a ==" is wrong/],
  [
    { sandbox: [{ op: 'none', row: {}, expect: {} }] },
    '"op": "none",',
    /no operation has the id none/,
  ],
  [
    { health: { request: { method: 'GET', url: 'https://evil.example/' } } },
    '"url": "https://evil.example/"',
    /evil.example is not in "hosts"/,
  ],
  [
    { health: { request: { method: 'GET', url: 'https://api.finder.example/' }, balance: '(' } },
    '"balance": "("',
    /balance/,
  ],
])('a fault is shown at the line of its value: %j', (changes, line, what) => {
  const [[shown, said] = []] = faultsOf(changes);
  expect(shown).toBe(line);
  expect(said).toMatch(what);
});

const request = finderOperation.request;
test.each<[object, string, RegExp]>([
  [{ gives: ['work_email', 'mail'] }, '"mail"', /gives\[1\]: Invalid option/],
  [
    { gives: ['work_email', 'phone'] },
    '"phone"',
    /phone needs at least one of these in "map": mobile_phone/,
  ],
  [{ gives: ['work_email', 'email_status'] }, '"email_status"', /email_status needs "status"/],
  [
    { map: { email: 'email', title: 'title' } },
    '"title": "title"',
    /title is not a value of a field in "gives"/,
  ],
  [{ map: { email: 'a.__proto__' } }, '"email": "a.__proto__"', /__proto__ is not allowed/],
  [{ map: { email: `a${'.a'.repeat(250)}` } }, `"email": "a${'.a'.repeat(250)}"`, /500 characters/],
  [{ accept: { phone: ['valid'] } }, '"phone": [', /phone is not in "gives"/],
  [{ cost: { max: { fields: { phone: 3 } } } }, '"phone": 3', /phone is not in "gives"/],
  [{ cost: { max: {}, reported: { body: 'cost +' } } }, '"body": "cost +"', /reported\.body/],
  [
    { cost: { max: {}, reported: {} } },
    '"reported": {}',
    /reported: body is missing, or header is missing/,
  ],
  [{ map: { email: 'email', mail: 'mail' } }, '"mail": "mail"', /mail is not a key; .* title/],
  [{ map: { email: 'join(email)' } }, '"email": "join(email)"', /join\(\) takes/],
  [
    { request: { ...request, headers: { 'X-Trace': 'a\r\nX-Other: b' } } },
    '"X-Trace": "a\\r\\nX-Other: b"',
    /printable ASCII/,
  ],
  [
    { request: { ...request, headers: { 'X Trace': 'a' } } },
    '"X Trace": "a"',
    /must be the name of an HTTP header/,
  ],
  [{ needs: [['first_name', 'surname']] }, '"surname"', /needs\[0\]\[1\]: Invalid option/],
  [{ batch: { max: 10 } }, '"batch": {', /needs "wrap"/],
  [{ batch: { max: 10, wrap: 'rows' } }, '"batch": {', /needs either "rowKey" or "byIndex"/],
  [
    { batch: { max: 10, wrap: 'rows', byIndex: true } },
    '"request": {',
    /"each" and "batch.wrap" belong together/,
  ],
  [{ request: { ...request, each: {} } }, '"request": {', /belong together/],
  [
    { request: { ...request, url: 'http://api.finder.example/' } },
    '"url": "http://api.finder.example/",',
    /must begin with https/,
  ],
  [
    { request: { ...request, url: 'https://{{row.company_domain}}/' } },
    '"url": "https://{{row.company_domain}}/",',
    /the host cannot have a placeholder/,
  ],
  [
    { request: { ...request, url: 'https://me:pw@api.finder.example/' } },
    '"url": "https://me:pw@api.finder.example/",',
    /user name or a password/,
  ],
  [{ request: { ...request, url: 'nowhere' } }, '"url": "nowhere",', /is not an address/],
  [{ request: { ...request, body: {} } }, '"body": {}', /a GET request has no body/],
  [
    { request: { ...request, headers: { 'x-key': 'mine' } } },
    '"x-key": "mine"',
    /is set by the product/,
  ],
  [
    { request: { ...request, query: { a: '{{row.salary}}' } } },
    '"a": "{{row.salary}}"',
    /is not a field; use first_name/,
  ],
  [
    { request: { ...request, query: { a: '{{ticket}}' } } },
    '"a": "{{ticket}}"',
    /cannot be used here/,
  ],
  [
    { request: { ...request, query: { a: '{{row.email ? x}}' } } },
    '"a": "{{row.email ? x}}"',
    /only wants/,
  ],
  [
    { request: { ...request, query: { a: '{{ROW.email}}' } } },
    '"a": "{{ROW.email}}"',
    /cannot be read/,
  ],
  [
    { request: { ...request, query: { a: '{{wants.salary}}' } } },
    '"a": "{{wants.salary}}"',
    /is not a field; use work_email/,
  ],
])('a fault of an operation is shown at the line of its value: %j', (changes, line, what) => {
  const [[shown, said] = []] = faultsOf({ ops: [{ ...finderOperation, ...changes }] });
  expect(shown).toBe(line);
  expect(said).toMatch(what);
});
test('a batch is sent by POST, and its rows have their own placeholders', () => {
  const batch = { max: 10, wrap: 'rows', rowKey: 'id' };
  const url = 'https://api.finder.example/v1/bulk';
  const each = { id: '{{row_key}}', name: '{{row.first_name}}' };
  expect(withOperation({ batch, request: { method: 'POST', url, each } }).faults).toEqual([]);
  expect(withOperation({ batch, request: { method: 'GET', url, each } }).faults).toEqual([
    expect.objectContaining({ what: expect.stringContaining('a batch is sent by POST') }),
  ]);
  const body = { name: '{{row.first_name}}' };
  expect(withOperation({ batch, request: { method: 'POST', url, each, body } }).faults).toEqual([
    expect.objectContaining({ what: expect.stringContaining('cannot be used here') }),
  ]);
});

test('an asynchronous operation is the only one', () => {
  const poll = { method: 'GET', url: 'https://api.finder.example/v1/find/{{ticket}}' };
  const later = { ticket: 'id', poll, everySec: 5, deadlineSec: 60 };
  expect(withOperation({ async: later }).faults).toEqual([]);
  const ops = [
    { ...finderOperation, async: later },
    { ...finderOperation, id: 'second' },
  ];
  expect(check({ ops }).faults[0]?.what).toContain('must be the only one');
  expect(check({ ops: [finderOperation, finderOperation] }).faults[0]?.what).toContain(
    'another operation has the id find-email',
  );
});

test('a host of this machine needs "dev", which a shipped definition cannot have', () => {
  const url = 'http://127.0.0.1:8080/find/{{row.company_domain}}';
  const own = {
    dev: true,
    hosts: ['127.0.0.1:8080'],
    ops: [{ ...finderOperation, request: { method: 'GET', url } }],
  };
  expect(check(own).faults).toEqual([]);
  expect(faultsOf(own, true)).toEqual([['"dev": true', expect.stringContaining('cannot have')]]);
  expect(check({ ...own, hosts: ['127.0.0.1:8081'] }).faults).toHaveLength(1);
});

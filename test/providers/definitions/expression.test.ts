// Expressions of definitions: what may be compiled, and what a hostile one can reach.
import { afterAll, expect, test } from 'vitest';
import {
  AnswerUnreadable,
  openAnswerReader,
} from '../../../engine/providers/definitions/answer-reader.ts';
import {
  compileExpression,
  ExpressionError,
  evaluate,
  isTrue,
  parsePayload,
} from '../../../engine/providers/definitions/expression.ts';
import { makeOperation } from './make-definition.ts';

const run = (expression: string, text: string): unknown =>
  evaluate(compileExpression(expression), parsePayload(text));

test.each([
  ['data.email', '{"data":{"email":"a@b.example"}}', 'a@b.example'],
  ['data.email', '{"data":null}', null],
  ['[0].name', '[{"name":"Ann"}]', 'Ann'],
  ["emails[?kind=='work'] | [0].value", '{"emails":[{"kind":"work","value":"w"}]}', 'w'],
  ['score / `100`', '{"score":93}', 0.93],
  ['a || b', '{"b":"second"}', 'second'],
  ["join(' ', [first, last])", '{"first":"Ann","last":"Lee"}', 'Ann Lee'],
  ["a == 'x' && 'yes' || 'no'", '{"a":"x"}', 'yes'],
  ['id', '{"id":9007199254740993}', '9007199254740993'],
  ['id', '{"id":-9007199254740993}', '-9007199254740993'],
  ['id', '{"id":42}', 42],
])('the expression %s reads %s', (expression, text, value) => {
  expect(run(expression, text)).toEqual(value);
});

test.each([
  ['a ||', /EOF/],
  ['a b', /unexpected token/],
  ['nope(a)', /there is no function nope/],
  ['toString(@)', /there is no function toString/],
  ['length()', /length\(\) takes 1 argument but received 0/],
  ['a[?contains(@)]', /contains\(\) takes at least 2 arguments/],
  ["people[*].{n: join(' ', a, b)}", /join\(\) takes/],
  ['constructor(@)', /constructor is not allowed/],
  ['a.__proto__', /__proto__ is not allowed/],
  ['"__proto__"', /__proto__ is not allowed/],
  ['"\\u005f_proto__"', /__proto__ is not allowed/],
  ['a.constructor.name', /constructor is not allowed/],
  ['{prototype: a}', /prototype is not allowed/],
  ["from_items([['__proto__', a]])", /__proto__ is not allowed/],
  ['`{"__proto__": {"x": 1}}`', /__proto__ is not allowed/],
  ['`["constructor"]`', /constructor is not allowed/],
  ["trim(a, '(x+x+)+y')", /trim is not allowed/],
  ['trim_left(a)', /trim_left is not allowed/],
  ['pad_left(a, `1000000000`)', /pad_left is not allowed/],
  [`a${'.a'.repeat(250)}`, /more than 500 characters/],
])('the expression %s is refused', (expression, reason) => {
  expect(() => compileExpression(expression)).toThrow(ExpressionError);
  expect(() => compileExpression(expression)).toThrow(reason);
});

test('an answer cannot reach a prototype, and cannot be changed', () => {
  const payload = parsePayload('{"__proto__":{"polluted":true},"a":{"b":[1]}}') as {
    a: { b: number[] };
  };
  expect(Object.getPrototypeOf(payload)).toBeNull();
  expect(({} as { polluted?: true }).polluted).toBeUndefined();
  expect(Object.isFrozen(payload.a.b)).toBe(true);
  expect(run('toString', '{}')).toBeNull();
  expect(run('a.hasOwnProperty', '{"a":{}}')).toBeNull();
});

test('an expression that meets an unexpected value is null', () => {
  expect(run('sum(a)', '{"a":["x"]}')).toBeNull();
  expect(run('a / b', '{"a":1,"b":0}')).toBeNull();
  expect(run('a.b.c', '[]')).toBeNull();
  expect(run('length(a)', '{"a":null}')).toBeNull();
});

test.each([
  [true, true],
  ['x', true],
  [0, true],
  [[1], true],
  [{ a: 1 }, true],
  [false, false],
  [null, false],
  ['', false],
  [[], false],
  [{}, false],
])('%j counts as %s', (value, truth) => {
  expect(isTrue(value)).toBe(truth);
});

const reader = openAnswerReader(1_000);
afterAll(() => reader.stop());

const read = (expression: string) =>
  reader.readAnswer({
    answer: { status: 200, headers: {}, text: '{"a":"aaaaaaaa","b":[1,2,3,4,5,6,7,8,9]}' },
    phase: 'submit',
    operation: makeOperation({ map: { email: expression } }),
    rules: [],
    wanted: [['work_email']],
  });

// Each is short and needs 2^30 steps or more.
const twice = 'b|[@,@]|'.concat('[@,@]|'.repeat(28), '@');
test.each([
  ['lists', 'b|'.concat('[@,@][]|'.repeat(45), 'length(@)')],
  ['comparisons', `{l:(${twice}),r:(${twice})}|l==r`],
  ['texts', 'a|'.concat("join('',[@,@])|".repeat(30), '@')],
  ['filters', '$.b[].['.repeat(14).concat('@', ']'.repeat(14))],
])(
  'an expression that takes too long by %s ends its thread, and the next is read',
  async (_name, expression) => {
    expect(expression.length).toBeLessThanOrEqual(500);
    await expect(read(expression)).rejects.toThrow(AnswerUnreadable);
    const next = await read('a');
    expect(next).toMatchObject({ rows: [{ work_email: { values: { email: 'aaaaaaaa' } } }] });
  },
);

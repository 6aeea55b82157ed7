// Expressions of provider definitions (JMESPath) over answers of a service. Both come from outside:
// an expression may be hostile, so it is checked before it is compiled, and it is evaluated only on
// the thread of `read-answer.worker.ts`, which is ended if it takes too long (decision 039).
import {
  compile,
  getRegisteredFunctions,
  type JSONValue,
  TreeInterpreter,
  tokenize,
} from '@jmespath-community/jmespath';
import { expressionCharactersMax } from '../../contract/limits/provider-definitions.ts';

export type Expression = ReturnType<typeof compile>;

/** Names that could reach the prototype of an object. */
const forbiddenNames = new Set(['__proto__', 'constructor', 'prototype']);

/** Functions that build a regular expression, or a text of any length, from their arguments. */
const forbiddenFunctions = /^(trim|pad)(_|$)/;

const allowedFunctions = new Set(
  getRegisteredFunctions().filter((name) => !forbiddenFunctions.test(name)),
);

export class ExpressionError extends Error {
  override name = 'ExpressionError';
}

const listTexts = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...listTexts(inner)]);
};

/** Checks the decoded tokens, so that an escape in a quoted name hides nothing. */
function checkTokens(text: string): void {
  const tokens = tokenize(text);
  for (const [at, { type, value }] of tokens.entries()) {
    const name = listTexts(value).find((one) => forbiddenNames.has(one));
    if (name !== undefined) throw new ExpressionError(`the name ${name} is not allowed`);
    const isCall = String(type) === 'UnquotedIdentifier' && tokens[at + 1]?.value === '(';
    if (isCall && !allowedFunctions.has(String(value)))
      throw new ExpressionError(
        forbiddenFunctions.test(String(value))
          ? `the function ${value} is not allowed`
          : `there is no function ${value}`,
      );
  }
}

function* listCalls(node: unknown): Generator<{ name: string; children: readonly unknown[] }> {
  if (node === null || typeof node !== 'object') return;
  const { type, name, children } = node as Record<string, unknown>;
  if (type === 'Literal') return;
  if (type === 'Function' && Array.isArray(children)) yield { name: String(name), children };
  for (const inner of Object.values(node)) yield* listCalls(inner);
}

/** Checks how many arguments each call has, by calling the function with as many nulls. */
function checkCalls(expression: Expression): void {
  for (const { name, children } of listCalls(expression)) {
    const nothing = { type: 'Literal', value: null } as const;
    try {
      TreeInterpreter.search({ type: 'Function', name, children: children.map(() => nothing) }, {});
    } catch (error) {
      const [, what] = /^Invalid arity: (.*)$/.exec((error as Error).message) ?? [];
      if (what !== undefined) throw new ExpressionError(what);
    }
  }
}

/** Compiles an expression. Throws ExpressionError with what is wrong. */
export function compileExpression(text: string): Expression {
  if (text.length > expressionCharactersMax)
    throw new ExpressionError(`it has more than ${expressionCharactersMax} characters`);
  try {
    checkTokens(text);
    const expression = compile(text);
    checkCalls(expression);
    return expression;
  } catch (error) {
    if (error instanceof ExpressionError) throw error;
    throw new ExpressionError(error instanceof Error ? error.message : 'it does not compile');
  }
}

/** Freezes a value, takes the prototype from an object, and keeps long integers as text. */
function harden(_key: string, value: unknown, context?: { source?: string }): unknown {
  // A number would lose the last digits of a 64-bit id.
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value))
    return context?.source ?? value;
  if (value === null || typeof value !== 'object') return value;
  return Object.freeze(
    Array.isArray(value) ? value : Object.assign(Object.create(null), value as object),
  );
}

/**
 * Parses the JSON text of an answer into frozen objects without a prototype. Integers of more than
 * 53 bits become strings. Throws an error if the text is not JSON.
 */
export const parsePayload = (text: string): JSONValue => JSON.parse(text, harden) as JSONValue;

/**
 * Evaluates an expression. A function that receives a value of the wrong type makes the result
 * null, as a field that is absent does: an answer of a service can have any form.
 */
export function evaluate(expression: Expression, value: JSONValue): unknown {
  try {
    return TreeInterpreter.search(expression, value) ?? null;
  } catch {
    return null;
  }
}

/** Whether a result is true: anything except null, false, and an empty text, list or object. */
export function isTrue(value: unknown): boolean {
  if (value === null || value === undefined || value === false || value === '') return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}

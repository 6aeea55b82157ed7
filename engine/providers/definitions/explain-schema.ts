/** Words for what the schema of a definition, or the parser of JSON, says about a file. */
import type { z } from 'zod';
import type { JsonPath } from './locate-json.ts';

/** A fault at a path of the definition. */
export type Fault = readonly [path: JsonPath, what: string];

/** The keys that an object or a record may have. */
function listKeys(inst: z.core.$ZodRawIssue['inst']): readonly unknown[] {
  const { shape, keyType } = (inst?._zod.def ?? {}) as {
    shape?: object;
    keyType?: z.core.$ZodType;
  };
  return shape ? Object.keys(shape) : [...(keyType?._zod.values ?? [])];
}

/** Lists the allowed keys if an object has an unknown one. Zod explains everything else. */
export const explainIssue: z.core.$ZodErrorMap = (issue) => {
  if (issue.code === 'unrecognized_keys') {
    const allowed = listKeys(issue.inst).join(', ');
    return `${(issue.keys as string[]).join(', ')} is not a key; the keys are ${allowed}`;
  }
  return issue.input === undefined && issue.code === 'invalid_type' ? 'is missing' : undefined;
};

const isOfType = (issues: readonly z.core.$ZodIssue[]): boolean =>
  !issues.some(({ code, path }) => code === 'invalid_type' && path.length === 0);

/** What is wrong with each alternative that the value may have been meant for. */
function describeUnion({ errors, message }: z.core.$ZodIssueInvalidUnion): string {
  const alternatives = errors.filter((issues) => issues.length > 0);
  const meant = alternatives.filter(isOfType);
  const texts = (meant.length > 0 ? meant : alternatives).map((issues) =>
    issues.map(({ path, message: what }) => [...path, what].join(' ')).join(' and '),
  );
  return [...new Set(texts)].join(', or ') || message;
}

/** The fault of an issue, at the place that the user has to change. */
export function explainFault(issue: z.core.$ZodIssue): Fault {
  const { path } = issue;
  switch (issue.code) {
    case 'unrecognized_keys':
      return [[...path, ...issue.keys.slice(0, 1)], issue.message];
    case 'invalid_key':
      return [path, issue.issues[0]?.message ?? issue.message];
    case 'invalid_union':
      return [path, issue.errors.length > 0 ? describeUnion(issue) : issue.message];
    default:
      return path.length === 0 && issue.code === 'invalid_type'
        ? [path, `the file must be one JSON object, which begins with {. ${issue.message}`]
        : [path, issue.message];
  }
}

/** Names of the parser for the characters that it reads. */
const tokens: Readonly<Record<string, string>> = {
  LBrace: '"{"',
  RBrace: '"}"',
  LBracket: '"["',
  RBracket: '"]"',
  Colon: '":"',
  Comma: '","',
  String: 'text',
  Number: 'number',
  Boolean: 'true or false',
  Null: 'null',
};

/** What the parser of JSON says, in the words of the file. */
export const explainSyntax = (message: string): string =>
  message
    .replace(
      /^Unexpected token (\w+) found\./,
      (_all, name) => `unexpected ${tokens[name] ?? name}`,
    )
    .replace(/^Unexpected end of input found\./, 'it ends too early')
    .replace(/^Unexpected character (.*) found\./, 'unexpected character $1');

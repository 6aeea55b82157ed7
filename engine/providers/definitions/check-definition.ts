// Checks the text of a definition file: JSON, the schema, and what the schema cannot express. Each
// fault has its line and says what to do.
import { isIP } from 'node:net';
import type { z } from 'zod';
import { definitionBytesMax } from '../../contract/limits/provider-definitions.ts';
import { providerFields } from '../../contract/provider.ts';
import {
  DeskFileSchema,
  type OutcomeRule,
  type ProviderDefinition,
  ProviderDefinitionSchema,
  type ProviderOperation,
  type ProviderRequestTemplate,
} from '../../contract/provider-definition.ts';
import {
  isLoopbackHost,
  isPrivateNetworkAddress,
  isPublicAddress,
  withoutPort,
} from '../../platform/net/public-address.ts';
import { defineDesk, findAddressFault } from '../desk/desk-definition.ts';
import { compileExpression, ExpressionError } from './expression.ts';
import { type JsonPath, JsonTextError, type LocatedJson, locateJson } from './locate-json.ts';
import { findPlaceholderFaults, type Json, type TemplatePlace } from './template.ts';

type Fault = readonly [path: JsonPath, what: string];

function listKeys(inst: z.core.$ZodRawIssue['inst']): readonly unknown[] {
  const { shape, keyType } = (inst?._zod.def ?? {}) as {
    shape?: object;
    keyType?: z.core.$ZodType;
  };
  return shape ? Object.keys(shape) : [...(keyType?._zod.values ?? [])];
}

/** Lists the allowed keys if an object has an unknown one. Zod explains everything else. */
const explainIssue: z.core.$ZodErrorMap = (issue) => {
  if (issue.code === 'unrecognized_keys') {
    const allowed = listKeys(issue.inst).join(', ');
    return `${(issue.keys as string[]).join(', ')} is not a key; the keys are ${allowed}`;
  }
  return issue.input === undefined && issue.code === 'invalid_type' ? 'is missing' : undefined;
};

const isOfType = (issues: readonly z.core.$ZodIssue[]): boolean =>
  !issues.some(({ code, path }) => code === 'invalid_type' && path.length === 0);

function describeUnion({ errors, message }: z.core.$ZodIssueInvalidUnion): string {
  const alternatives = errors.filter((issues) => issues.length > 0);
  const meant = alternatives.filter(isOfType);
  const texts = (meant.length > 0 ? meant : alternatives).map((issues) =>
    issues.map(({ path, message: what }) => [...path, what].join(' ')).join(' and '),
  );
  return [...new Set(texts)].join(', or ') || message;
}

function explainFault(issue: z.core.$ZodIssue): Fault {
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
const explainSyntax = (message: string): string =>
  message
    .replace(
      /^Unexpected token (\w+) found\./,
      (_all, name) => `unexpected ${tokens[name] ?? name}`,
    )
    .replace(/^Unexpected end of input found\./, 'it ends too early')
    .replace(/^Unexpected character (.*) found\./, 'unexpected character $1');

export interface DefinitionFault {
  /** From 1. */
  readonly line: number;
  readonly what: string;
}

export type CheckedDefinition =
  | { readonly definition: ProviderDefinition; readonly faults: readonly [] }
  | { readonly definition: null; readonly faults: readonly DefinitionFault[] };

const checkExpression = (path: JsonPath, text: string | undefined): Fault[] => {
  if (text === undefined) return [];
  try {
    compileExpression(text);
    return [];
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return [[path, `the expression ${JSON.stringify(text)} is wrong: ${error.message}`]];
  }
};

function checkTemplate(path: JsonPath, template: unknown, place: TemplatePlace): Fault[] {
  if (typeof template === 'string')
    return findPlaceholderFaults(template, place).map((what) => [path, what]);
  if (template === null || typeof template !== 'object') return [];
  return Object.entries(template as Record<string, Json>).flatMap(([key, one]) =>
    checkTemplate([...path, Array.isArray(template) ? Number(key) : key], one, place),
  );
}

/** Checks the host of an address: it must be literal, https, and one of the definition's hosts. */
function checkUrl(path: JsonPath, text: string, definition: ProviderDefinition): Fault[] {
  const origin = /^[a-z]+:\/\/[^/?#]*/.exec(text)?.[0] ?? '';
  if (origin.includes('{{')) return [[path, 'the host cannot have a placeholder']];
  if (!URL.canParse(origin)) return [[path, `${text} is not an address such as https://host/path`]];
  const { protocol, host, username, password } = new URL(origin);
  if (username || password) return [[path, 'the address cannot have a user name or a password']];
  if (protocol !== 'https:' && !(definition.dev && protocol === 'http:'))
    return [[path, `the address must begin with https://, not ${protocol}//`]];
  return definition.hosts.includes(host)
    ? []
    : [[path, `the host ${host} is not in "hosts"; add it there or change the address`]];
}

function checkRequest(
  path: JsonPath,
  request: ProviderRequestTemplate,
  definition: ProviderDefinition,
  place: 'row' | 'shared' | 'poll',
): Fault[] {
  const auth = definition.auth;
  const own = auth.in === 'bearer' ? 'authorization' : auth.in === 'header' ? auth.name : null;
  const reserved = Object.keys(request.headers ?? {}).filter((name) =>
    [own?.toLowerCase(), 'host', 'content-length', 'content-type'].includes(name.toLowerCase()),
  );
  return [
    ...checkUrl([...path, 'url'], request.url, definition),
    ...checkTemplate([...path, 'url'], request.url, place),
    ...checkTemplate([...path, 'query'], request.query, place),
    ...checkTemplate([...path, 'body'], request.body, place),
    ...checkTemplate([...path, 'each'], request.each, 'row'),
    ...(request.method === 'GET' && request.body !== undefined
      ? [[[...path, 'body'], 'a GET request has no body; use POST or "query"'] as const]
      : []),
    ...reserved.map(
      (name) => [[...path, 'headers', name], `the header ${name} is set by the product`] as const,
    ),
  ];
}

const checkRules = (path: JsonPath, rules: readonly OutcomeRule[], isAsync: boolean): Fault[] =>
  rules.flatMap((rule, at) => [
    ...checkExpression([...path, at, 'match'], rule.match),
    ...(rule.means === 'pending' && !isAsync
      ? [[[...path, at, 'means'], '"pending" needs "async" in the operation'] as const]
      : []),
  ]);

/** The fields that an operation gives must have values, and every value must be of such a field. */
function checkGiven(path: JsonPath, operation: ProviderOperation): Fault[] {
  const faults: Fault[] = [];
  const mapped = Object.keys(operation.map);
  for (const [at, field] of operation.gives.entries()) {
    const names: readonly string[] = providerFields[field];
    if (field === 'email_status' && operation.status === undefined)
      faults.push([[...path, 'gives', at], 'email_status needs "status"']);
    if (names.length > 0 && !names.some((name) => mapped.includes(name)))
      faults.push([
        [...path, 'gives', at],
        `${field} needs at least one of these in "map": ${names.join(', ')}`,
      ]);
  }
  const given: readonly string[] = operation.gives.flatMap((field) => [...providerFields[field]]);
  for (const name of mapped.filter((one) => !given.includes(one)))
    faults.push([[...path, 'map', name], `${name} is not a value of a field in "gives"`]);
  for (const key of ['accept', 'cost'] as const) {
    const record = key === 'accept' ? operation.accept : operation.cost.max.fields;
    const inner = key === 'accept' ? [] : ['max', 'fields'];
    for (const field of Object.keys(record))
      if (!(operation.gives as readonly string[]).includes(field))
        faults.push([[...path, key, ...inner, field], `${field} is not in "gives"`]);
  }
  return faults;
}

function checkOperation(definition: ProviderDefinition, at: number): Fault[] {
  const operation = definition.ops[at] as ProviderOperation;
  const path: JsonPath = ['ops', at];
  const { batch, request, cost, confidence } = operation;
  const isBatch = batch.wrap !== undefined;
  const faults: Fault[] = [
    ...checkGiven(path, operation),
    ...checkRequest([...path, 'request'], request, definition, isBatch ? 'shared' : 'row'),
    ...checkRules([...path, 'rules'], operation.rules, operation.async !== undefined),
    ...checkExpression([...path, 'records'], operation.records),
    ...checkExpression([...path, 'batch', 'rowKey'], batch.rowKey),
    ...checkExpression([...path, 'status'], operation.status),
    ...checkExpression([...path, 'observedOn'], operation.observedOn),
    ...checkExpression(
      [...path, 'confidence'],
      typeof confidence === 'string' ? confidence : undefined,
    ),
    ...checkExpression([...path, 'cost', 'refund'], cost.refund),
    ...Object.entries(operation.map).flatMap(([name, text]) =>
      checkExpression([...path, 'map', name], text),
    ),
    ...operation.recordRules.flatMap(({ match }, nth) =>
      checkExpression([...path, 'recordRules', nth, 'match'], match),
    ),
  ];
  if (cost.reported && 'body' in cost.reported)
    faults.push(...checkExpression([...path, 'cost', 'reported', 'body'], cost.reported.body));
  if (isBatch !== (request.each !== undefined))
    faults.push([
      [...path, 'request'],
      '"each" and "batch.wrap" belong together: set both or none',
    ]);
  if (isBatch && request.method !== 'POST')
    faults.push([[...path, 'request', 'method'], 'a batch is sent by POST']);
  if (operation.async) {
    const poll: JsonPath = [...path, 'async', 'poll'];
    faults.push(...checkExpression([...path, 'async', 'ticket'], operation.async.ticket));
    faults.push(...checkRequest(poll, operation.async.poll, definition, 'poll'));
  }
  return faults;
}

/** What is wrong with a host; null if nothing is. */
function findHostFault(host: string, { dev, local }: ProviderDefinition): string | null {
  if (!URL.canParse(`https://${host}`) || new URL(`https://${host}`).host !== host)
    return `${host} is not a host name such as api.example.com`;
  if (isLoopbackHost(host))
    return dev ? null : `${host} is this machine; only a definition with "dev": true may use it`;
  const address = withoutPort(host);
  if (isIP(address) === 0 || isPublicAddress(address)) return null;
  if (!isPrivateNetworkAddress(address)) return `the address ${host} cannot be used`;
  return local
    ? null
    : `${host} is in a private network; only a definition with "local": true may use it`;
}

function checkRest(definition: ProviderDefinition, isShipped: boolean): Fault[] {
  const { health, ops, hosts, sandbox } = definition;
  const ids = ops.map(({ id }) => id);
  const ownKeys = (['dev', 'local'] as const).filter((key) => isShipped && definition[key]);
  return [
    ...ownKeys.map((key): Fault => [[key], `a shipped definition cannot have "${key}"`]),
    ...hosts.flatMap((host, at): Fault[] => {
      const what = findHostFault(host, definition);
      return what === null ? [] : [[['hosts', at], what]];
    }),
    ...ids.flatMap((id, at): Fault[] =>
      ids.indexOf(id) < at ? [[['ops', at, 'id'], `another operation has the id ${id}`]] : [],
    ),
    ...checkRules(
      ['rules'],
      definition.rules,
      ops.some((op) => op.async !== undefined),
    ),
    ...(health
      ? [
          ...checkRequest(['health', 'request'], health.request, definition, 'shared'),
          ...checkRules(['health', 'rules'], health.rules, false),
          ...checkExpression(['health', 'balance'], health.balance),
          ...health.assumptions.flatMap(({ match }, at) =>
            checkExpression(['health', 'assumptions', at, 'match'], match),
          ),
        ]
      : []),
    ...sandbox.flatMap(({ op, url }, at): Fault[] => [
      ...(ids.includes(op)
        ? []
        : [[['sandbox', at, 'op'], `no operation has the id ${op}`] as const]),
      ...(url === undefined ? [] : checkUrl(['sandbox', at, 'url'], url, definition)),
    ]),
  ];
}

const describePath = (path: JsonPath): string =>
  path.reduce<string>(
    (text, step) =>
      typeof step === 'number' ? `${text}[${step}]` : `${text}${text && '.'}${String(step)}`,
    '',
  );

function toFaults(json: LocatedJson, faults: readonly Fault[]): DefinitionFault[] {
  return faults
    .map(([path, what]) => ({
      line: json.lineAt(path),
      what: path.length > 0 ? `${describePath(path)}: ${what}` : what,
    }))
    .sort((a, b) => a.line - b.line);
}

interface Checked {
  readonly definition: ProviderDefinition | null;
  readonly faults: readonly Fault[];
}

const toChecked = (error: z.ZodError): Checked => ({
  definition: null,
  faults: error.issues.map(explainFault),
});

const isDeskFile = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'client' in value;

function checkDesk(value: unknown): Checked {
  const parsed = DeskFileSchema.safeParse(value, { error: explainIssue });
  if (!parsed.success) return toChecked(parsed.error);
  const { address } = parsed.data;
  const fault = address === undefined ? null : findAddressFault(address);
  return fault
    ? { definition: null, faults: [[['address'], fault]] }
    : { definition: defineDesk(parsed.data), faults: [] };
}

function checkDeclaration(value: unknown, isShipped: boolean): Checked {
  const parsed = ProviderDefinitionSchema.safeParse(value, { error: explainIssue });
  if (!parsed.success) return toChecked(parsed.error);
  const definition = parsed.data;
  const faults = [
    ...checkRest(definition, isShipped),
    ...definition.ops.flatMap((_op, at) => checkOperation(definition, at)),
  ];
  return { definition, faults };
}

/**
 * Checks the text of a definition file.
 * @param id the name of the file without `.json`, which must be the definition's id; null for any
 * @param isShipped whether the file is part of the product
 */
export function checkDefinition(
  text: string,
  id: string | null,
  isShipped = false,
): CheckedDefinition {
  // Editors on Windows write a byte order mark.
  if (text.startsWith('\uFEFF')) return checkDefinition(text.slice(1), id, isShipped);
  const fail = (faults: readonly DefinitionFault[]): CheckedDefinition => ({
    definition: null,
    faults,
  });
  if (Buffer.byteLength(text) > definitionBytesMax)
    return fail([{ line: 1, what: `the file is larger than ${definitionBytesMax} bytes` }]);
  let json: LocatedJson;
  try {
    json = locateJson(text);
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    return fail([{ line: error.line, what: `this is not JSON: ${explainSyntax(error.message)}` }]);
  }
  if (json.duplicates.length > 0)
    return fail(json.duplicates.map(({ key, line }) => ({ line, what: `${key} is there twice` })));
  const value: unknown = JSON.parse(text);
  const { definition, faults } = isDeskFile(value)
    ? checkDesk(value)
    : checkDeclaration(value, isShipped);
  const all = [
    ...faults,
    ...(definition === null || id === null || definition.id === id
      ? []
      : [[['id'], `the id must be the name of the file: ${id}`] as const]),
  ];
  return definition === null || all.length > 0
    ? fail(toFaults(json, all))
    : { definition, faults: [] };
}

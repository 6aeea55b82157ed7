// Validates requests and responses against a server's own description, with a validator that shares
// no code with the server.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

export type Described = Record<string, ReturnType<typeof JSON.parse>>;

/** One request and its response, as sent over the wire. */
export interface Exchange {
  readonly method: string;
  readonly path: string;
  /** The sent JSON; undefined for any other body. */
  readonly json?: unknown;
  readonly status: number;
  readonly contentType: string | null;
  readonly text: string;
}

export interface DescribedApi {
  readonly document: Described;
  /** How an exchange violates the description; null if it matches. */
  findOffence(exchange: Exchange): string | null;
  /** How a value violates the schema at a place of the description; null if it matches. */
  validate(steps: readonly string[], value: unknown): string | null;
  /** The operation of a request; null if none is described. */
  findOperation(method: string, path: string): Described | null;
}

const escapePointer = (step: string) =>
  encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'));

/** Any other address, and its possible responses. */
const unknownStatuses = [403, 404];
const unknownForms: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^\/(staging\/)?(phone|email)(\/|$)/, ['code', 'message', 'status']],
  // The tool server uses JSON-RPC and has its own description.
  [/^\/(staging\/)?api(\/(?!v1\/mcp)|$)/, ['detail', 'error', 'success']],
];

function findUnknownOffence({ status, path, text }: Exchange): string | null {
  const form = unknownForms.find(([paths]) => paths.test(path))?.[1];
  if (!form) return null;
  if (!unknownStatuses.includes(status)) return `answers ${status}, and is not described`;
  const keys = Object.keys(JSON.parse(text)).sort();
  return keys.join() === form.join() ? null : `refuses with ${keys.join()}, not in its area's form`;
}

function describeApi(document: Described): DescribedApi {
  const ajv = new Ajv2020({ strict: false, validateSchema: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema(document, 'api');
  const validators = new Map<string, ValidateFunction>();
  const validate = (steps: readonly string[], value: unknown): string | null => {
    const pointer = `api#/${steps.map(escapePointer).join('/')}`;
    const found = validators.get(pointer) ?? ajv.compile({ $ref: pointer });
    validators.set(pointer, found);
    return found(value) ? null : ajv.errorsText(found.errors, { dataVar: 'body' });
  };
  const templates = Object.keys(document.paths).map((template) => ({
    template,
    pattern: new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]*').replace(/\/$/, '')}/*$`),
  }));
  const findTemplate = (method: string, path: string) => {
    const plain = (path.split('?', 1)[0] ?? '').replace(/^\/staging\//, '/');
    // A path that ends in two slashes may be a list's, or that of an entry whose id is empty.
    const fitting = templates.filter(({ pattern }) => pattern.test(plain));
    const own = fitting.find(({ template }) => method.toLowerCase() in document.paths[template]);
    return (own ?? fitting[0])?.template ?? null;
  };
  const findOperation = (method: string, path: string): Described | null =>
    document.paths[findTemplate(method, path) ?? '']?.[method.toLowerCase()] ?? null;
  return {
    document,
    validate,
    findOperation,
    findOffence(exchange) {
      const { method, path, status, json } = exchange;
      const operation = findOperation(method, path);
      if (!operation) return findUnknownOffence(exchange);
      const steps = ['paths', findTemplate(method, path) ?? '', method.toLowerCase()];
      const response = operation.responses[status];
      if (!response) return `answers ${status}, which is not described`;
      const parts = response.$ref?.slice(2).split('/') ?? [...steps, 'responses', `${status}`];
      const { content } = parts.reduce((part: Described, step: string) => part[step], document);
      const type = exchange.contentType?.split(';', 1)[0] ?? '';
      if (!content[type])
        return `answers ${status} as ${type || 'nothing'}, which is not described`;
      const isJson = type === 'application/json';
      const body = isJson ? JSON.parse(exchange.text) : exchange.text;
      const offence = validate([...parts, 'content', type, 'schema'], body);
      if (offence) return `answers ${status} against its schema: ${offence}`;
      if (status >= 300 || json === undefined || !operation.requestBody) return null;
      const asked = [...steps, 'requestBody', 'content', 'application/json', 'schema'];
      const accepted = validate(asked, json);
      return accepted && `accepts what is not described: ${accepted}`;
    },
  };
}

async function readDescription(origin: string): Promise<DescribedApi> {
  const response = await fetch(`${origin}/openapi.json`);
  const text = await response.text();
  return describeApi(JSON.parse(text.replaceAll(origin, 'http://127.0.0.1')));
}

type ServerKind = 'live' | 'live and staging';

const kinds = new Map<string, ServerKind>();
const descriptions = new Map<string, Promise<DescribedApi>>();

/**
 * Notes the kind of a server. The description of another one of its kind, which has the same
 * routes, is used for it: writing a description takes longer than most tests.
 */
export const noteKind = (origin: string, kind: ServerKind): void => {
  kinds.set(origin, kind);
};

export function describedBy(origin: string): Promise<DescribedApi> {
  const name = kinds.get(origin) ?? origin;
  const found = descriptions.get(name) ?? readDescription(origin);
  descriptions.set(name, found);
  return found;
}

/** Throws if an exchange does not match the server's description. */
export async function requireDescribed(origin: string, exchange: Exchange): Promise<void> {
  let offence = (await describedBy(origin)).findOffence(exchange);
  if (offence && kinds.delete(origin)) {
    // The port may be that of an earlier server, of another kind.
    descriptions.delete(origin);
    offence = (await describedBy(origin)).findOffence(exchange);
  }
  if (offence) throw new Error(`${exchange.method} ${exchange.path} ${offence}`);
}

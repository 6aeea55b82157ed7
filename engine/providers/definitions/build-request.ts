// Builds the HTTP requests of a definition: address, headers and body.
import type { ProviderField, RequestedRow } from '../../contract/provider.ts';
import type {
  ProviderDefinition,
  ProviderOperation,
  ProviderRequestTemplate,
} from '../../contract/provider-definition.ts';
import { isAllowedUrl } from './allowed-hosts.ts';
import { fillTemplate, fillText, type Json, type TemplateValues } from './template.ts';

/** A request, ready to be sent. It contains the key: never log it. */
export interface OutgoingRequest {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** A request that cannot be built from the values of its rows. Nothing was sent. */
export class RequestUnbuildable extends Error {
  override name = 'RequestUnbuildable';
}

/** A path segment of one or two dots would change the address. */
function encodeSegment(text: string): string {
  if (/^\.{1,2}$/.test(text)) throw new RequestUnbuildable(`The value ${text} cannot be sent.`);
  return encodeURIComponent(text);
}

function buildUrl(template: ProviderRequestTemplate, values: TemplateValues): URL {
  const address = fillText(template.url, values, encodeSegment);
  if (address === undefined)
    throw new RequestUnbuildable('The row lacks a value that the address needs.');
  const url = new URL(address);
  for (const [name, value] of Object.entries(template.query ?? {})) {
    const filled = fillTemplate(value, values);
    if (filled !== undefined) url.searchParams.append(name, String(filled));
  }
  return url;
}

/**
 * Builds one request. Throws RequestUnbuildable if a value that the address needs is absent.
 * @param rows in a batch, the filled templates of its rows
 * @param key the user's key at the service
 */
function build(
  definition: ProviderDefinition,
  template: ProviderRequestTemplate,
  values: TemplateValues,
  key: string,
  rows?: { readonly wrap: string; readonly items: readonly Json[] },
): OutgoingRequest {
  const { auth } = definition;
  const url = buildUrl(template, values);
  if (!isAllowedUrl(definition, url))
    throw new RequestUnbuildable(`The host ${url.host} is not one of the definition's.`);
  const headers: Record<string, string> = { accept: 'application/json' };
  for (const [name, value] of Object.entries(template.headers ?? {}))
    headers[name.toLowerCase()] = value;
  if (auth.in === 'query') url.searchParams.append(auth.name, key);
  else if (auth.in === 'bearer') headers.authorization = `Bearer ${key}`;
  else headers[auth.name.toLowerCase()] = key;
  const shared =
    template.body === undefined ? undefined : fillTemplate(template.body as Json, values);
  let body = shared;
  if (rows)
    body = { ...(shared as Record<string, Json> | undefined), [rows.wrap]: [...rows.items] };
  if (body !== undefined) headers['content-type'] = 'application/json';
  return {
    method: template.method,
    url,
    headers,
    body: body === undefined ? null : JSON.stringify(body),
  };
}

/** Builds the request of an operation for rows. Throws RequestUnbuildable. */
export function buildOperationRequest(
  definition: ProviderDefinition,
  operation: ProviderOperation,
  request: { readonly id: string; readonly rows: readonly RequestedRow[] },
  key: string,
): OutgoingRequest {
  const template = operation.request;
  const wants = new Set<ProviderField>(request.rows.flatMap(({ fields }) => fields));
  const { wrap } = operation.batch;
  if (wrap === undefined) {
    const row = request.rows[0]?.row ?? {};
    const values = { row, rowKey: '0', requestId: request.id, wants };
    return build(definition, template, values, key);
  }
  const items = request.rows.map(({ row, fields }, at) => {
    const values = { row, rowKey: String(at), requestId: request.id, wants: new Set(fields) };
    const item = fillTemplate((template.each ?? null) as Json, values);
    if (item === undefined) throw new RequestUnbuildable('A row has no value that can be sent.');
    return item;
  });
  return build(definition, template, { requestId: request.id, wants }, key, { wrap, items });
}

/** Builds a request without rows: a poll, with its ticket, or the health request. */
export const buildPlainRequest = (
  definition: ProviderDefinition,
  template: ProviderRequestTemplate,
  key: string,
  ticket?: string,
): OutgoingRequest =>
  build(definition, template, { wants: new Set(), ...(ticket !== undefined && { ticket }) }, key);

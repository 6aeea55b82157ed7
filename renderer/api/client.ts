// The HTTP client: relative addresses, envelope, session, and answers parsed by schema.
import { z } from 'zod';
import {
  type AnswerOf,
  type AppEndpoint,
  type Arguments,
  writeRequest,
} from '../../engine/contract/endpoints.ts';
import { FailureSchema, successOf } from '../../engine/contract/envelope.ts';
import { type EnvironmentName, environmentPaths } from '../../engine/contract/ids.ts';
import { accountHeaders } from './account.ts';
import { forgetSession, readSession } from './session.ts';
import { type EarlyRequest, sendEarly, takeEarly } from './transport/early.ts';
import { countInFlight } from './transport/quiet.ts';

/** An error to display. `detail` says what happened and what to do next. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly code: string;
  /** HTTP status; 0 without a response. */
  readonly status: number;
  constructor(code: string, detail: string, status: number) {
    super(detail);
    this.code = code;
    this.status = status;
  }
}

export function describeError(error: unknown): string {
  if (error instanceof ApiError) return error.message;
  return error instanceof Error ? `Unexpected error: ${error.message}` : String(error);
}

const unreachable = () =>
  new ApiError(
    'unreachable',
    'The engine is not responding. No data is lost, and running jobs continue when it restarts. ' +
      'Try again.',
    0,
  );

/** Headers of every request: the session, which main adds in the desktop shell, and the account. */
export function sessionHeaders(): Record<string, string> {
  const token = readSession();
  return { ...(token ? { 'x-desk-session': token } : {}), ...accountHeaders() };
}

/** Throws ApiError, also for an invalid response. @param token that the request was sent with */
function openEnvelope<T>(
  schema: z.ZodType<T>,
  status: number,
  body: unknown,
  token: string | null,
): T {
  const failure = FailureSchema.safeParse(body);
  if (failure.success) {
    if (status === 401) forgetSession(token);
    throw new ApiError(failure.data.error, failure.data.detail, status);
  }
  const success = successOf(z.unknown()).safeParse(body);
  const data = success.success ? schema.safeParse(success.data.data) : null;
  if (data?.success) return data.data;
  const fault = data?.error?.issues[0];
  const place = fault ? ` (${fault.path.join('.')}: ${fault.message})` : '';
  throw new ApiError(
    'internal_error',
    `The engine sent a response that this page does not understand${place}. Reload the page.`,
    status,
  );
}

export interface AskOptions {
  readonly signal?: AbortSignal;
  /** In staging the first account is used. */
  readonly environment?: EnvironmentName;
  /** Uses the first account instead of the selected one. */
  readonly isForFirst?: boolean;
  /** A repeat with the same key has no further effect. */
  readonly idempotencyKey?: string;
}

interface Sent extends Pick<AskOptions, 'signal' | 'idempotencyKey'> {
  readonly method: string;
  readonly body: unknown;
  readonly isForFirst: boolean;
}

function send(path: string, { method, body, signal, isForFirst, idempotencyKey }: Sent) {
  const { 'x-desk-account': account, ...session } = sessionHeaders();
  return fetch(path, {
    method,
    headers: {
      ...session,
      ...(account && !isForFirst ? { 'x-desk-account': account } : {}),
      ...(idempotencyKey ? { 'idempotency-key': idempotencyKey } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
    cache: 'no-store',
  });
}

/** Sends requests of a screen that is about to load; `ask` takes their responses. */
export const callEarly = (requests: readonly EarlyRequest[]): void =>
  sendEarly(requests, sessionHeaders(), (path, options) =>
    send(path, { ...options, isForFirst: false }),
  );

/** `ask(webhooks.pause, { id, paused: true })`. Throws ApiError; aborts reject as fetch does. */
export async function ask<Call extends AppEndpoint>(
  endpoint: Call,
  ...[input, options = {}]: Arguments<Call, AskOptions>
): Promise<AnswerOf<Call>> {
  const { environment = 'live', isForFirst = environment === 'staging', ...rest } = options;
  const { method, path: live, body } = writeRequest(endpoint, input);
  const path = environmentPaths[environment] + live;
  const token = readSession();
  const early = isForFirst ? undefined : takeEarly(method, path, body, sessionHeaders());
  const request = early ?? send(path, { ...rest, method, body, isForFirst });
  const response = await countInFlight(request).catch((error: unknown) => {
    throw options.signal?.aborted ? error : unreachable();
  });
  const answer: unknown = await response.json().catch(() => null);
  return openEnvelope(endpoint.answer, response.status, answer, token) as AnswerOf<Call>;
}

/** Sends a form. Like `ask`, with XMLHttpRequest: fetch reports no upload progress (0 to 1). */
export function sendForm<Call extends AppEndpoint>(
  { app, answer }: Call,
  form: FormData,
  onProgress: (share: number) => void,
  signal?: AbortSignal,
): Promise<AnswerOf<Call>> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', app.slice('POST '.length));
    request.responseType = 'json';
    const headers = sessionHeaders();
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = (event) =>
      onProgress(event.total > 0 ? event.loaded / event.total : 0);
    request.onerror = () => reject(unreachable());
    request.onabort = () => reject(new DOMException('The upload was stopped.', 'AbortError'));
    request.onload = () => {
      try {
        const token = headers['x-desk-session'] ?? null;
        resolve(openEnvelope(answer, request.status, request.response, token) as never);
      } catch (error) {
        reject(error);
      }
    };
    signal?.addEventListener('abort', () => request.abort(), { once: true });
    request.send(form);
  });
}

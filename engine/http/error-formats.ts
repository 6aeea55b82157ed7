// Error forms of the API by area: the envelope of /api/v1, the form of direct lookups, the JSON-RPC
// errors of the tool server, and the errors of OAuth.
import type { FastifyRequest } from 'fastify';
import type { ToolFailure } from '../contract/assistants/tools/tool-failure.ts';
import type { Failure } from '../contract/envelope.ts';
import { type EngineError, type ErrorCode, errorTable } from '../contract/errors.ts';
import type { LookupFailure } from '../contract/lookup.ts';
import type { OauthFailure } from '../contract/oauth.ts';
import { pathOf, withoutEnvironment } from './guards.ts';

export interface ErrorForm {
  readonly statusOf: (code: ErrorCode) => number;
  readonly write: (error: EngineError) => Failure | LookupFailure | ToolFailure | OauthFailure;
  /** Messages by Fastify's error code, for bodies that cannot be read. */
  readonly sentences: Readonly<Record<string, string>>;
}

/** {success: false, error, detail}, with the approval if one is needed. */
const failure = ({ code, detail, approval }: EngineError): Failure => ({
  success: false,
  error: code,
  detail,
  ...(approval && { approval }),
});

const envelope: ErrorForm = {
  statusOf: (code) => errorTable[code].status,
  write: failure,
  sentences: {
    FST_ERR_CTP_BODY_TOO_LARGE:
      'The body is larger than 32 MiB. Send longer lists as a CSV file in multipart/form-data.',
    FST_ERR_CTP_INVALID_MEDIA_TYPE:
      'This Content-Type is not supported. Send application/json or multipart/form-data.',
    FST_INVALID_JSON_FIELD_ERROR: 'A part of type application/json is not valid JSON.',
  },
};

/** For errors that the caller did not cause, lookups use only 500 (docs/api.md). */
const lookupStatusOf = (code: ErrorCode): number => Math.min(errorTable[code].status, 500);

const lookupForm: ErrorForm = {
  statusOf: lookupStatusOf,
  write: ({ code, detail, approval }) => ({
    status: 'error',
    message: detail,
    code: lookupStatusOf(code),
    ...(approval && { approval }),
  }),
  sentences: {
    FST_ERR_CTP_BODY_TOO_LARGE: 'The body is larger than 32 MiB. Send only a profile_url.',
    FST_ERR_CTP_INVALID_MEDIA_TYPE:
      'This Content-Type is not supported. Send application/json with a profile_url.',
  },
};

/** JSON-RPC codes. All other refusals use the first code reserved for server errors. */
const rpcCodeOf: Partial<Record<ErrorCode, number>> = {
  validation_error: -32600,
  not_found: -32601,
  internal_error: -32603,
};

const rpcForm: ErrorForm = {
  statusOf: envelope.statusOf,
  write: ({ code, detail }) => ({
    jsonrpc: '2.0',
    error: { code: rpcCodeOf[code] ?? -32000, message: detail, data: { error: code } },
    id: null,
  }),
  sentences: { FST_ERR_CTP_BODY_TOO_LARGE: 'The body is larger than 32 MiB.' },
};

/** Error codes of RFC 6749 and 7591. */
const oauthCodeOf: Partial<Record<ErrorCode, string>> = {
  validation_error: 'invalid_request',
  forbidden: 'access_denied',
  not_found: 'invalid_request',
  internal_error: 'server_error',
};

const oauthForm: ErrorForm = {
  statusOf: envelope.statusOf,
  write: ({ code, detail }) => ({
    error: oauthCodeOf[code] ?? 'temporarily_unavailable',
    error_description: detail,
  }),
  sentences: {
    FST_ERR_CTP_BODY_TOO_LARGE: 'The body is larger than 16 KiB.',
    FST_ERR_CTP_INVALID_MEDIA_TYPE:
      'This Content-Type is not supported. Register clients with application/json; send all ' +
      'other requests as application/x-www-form-urlencoded.',
  },
};

/** Areas with their own error form, by path in the live environment. */
const formsByArea: readonly (readonly [paths: RegExp, form: ErrorForm])[] = [
  [/^\/(phone|email)(\/|$)/, lookupForm],
  [/^\/api\/v1\/mcp(\/|$)/, rpcForm],
  [/^\/oauth(\/|$)/, oauthForm],
];

/** The error form of a path of the live environment: that of its area, otherwise the envelope. */
export const errorFormAt = (path: string): ErrorForm =>
  formsByArea.find(([paths]) => paths.test(path))?.[1] ?? envelope;

export const errorFormOf = (request: FastifyRequest): ErrorForm =>
  errorFormAt(withoutEnvironment(pathOf(request)));

/**
 * What the API's description says of each operation beyond its schemas: name, words, refusals,
 * files.
 */
import type { z } from 'zod';
import type { ErrorCode } from '../../contract/errors.ts';
import { resultFileExample } from '../../contract/examples.ts';
import { ListFormSchema } from '../../contract/jobs/submission.ts';
import { MonitorFormSchema } from '../../contract/monitors/career-monitor.ts';

/** The words of one operation. */
export interface OperationDocs {
  /** operationId: verb and noun. */
  readonly id: string;
  readonly tag: keyof typeof tags;
  readonly summary: string;
  readonly description?: string;
  /** The codes that this operation alone refuses with, beside those of its whole area. */
  readonly refusals?: readonly ErrorCode[];
  /** The body as multipart/form-data, where it can be sent so too. */
  readonly form?: z.ZodType;
  /** Whether the body may be left out. */
  readonly bodyOptional?: boolean;
  /** What a status of success means, where it is not plain. */
  readonly answers?: Readonly<Record<number, string>>;
  /** A CSV file that the operation may answer instead of JSON. */
  readonly file?: { readonly when: string; readonly example: string };
  /** Request headers: name → what they do. */
  readonly headers?: Readonly<Record<string, { description: string; maxLength: number }>>;
}

/** The areas of the API, in the order in which they are shown. */
export const tags = {
  'Data enrichment': 'Asynchronous jobs over a list: estimate, submit, poll, read, retry.',
  'Direct lookup': 'One email or phone number for one profile URL; the token is in the query.',
  'Career Monitor': 'Re-checks where a list of contacts works now.',
  Pipelines:
    'Lists of contacts that are looked up, unlocked and verified in the background; at their end ' +
    'webhooks are told.',
  Webhooks: 'Addresses that are told, signed, when a pipeline has ended.',
  Wallet: 'Credits of the account that owns the key.',
  Engine: 'The engine itself.',
  'Data enrichment (older paths)': 'The same operations under /api/v1/enrichment.',
} as const;

const area = '/api/v1/data-enrichment';
const monitors = '/api/v1/career-monitor/jobs';
const pipelines = '/api/v1/pipeline';
const webhooks = '/api/v1/webhooks';
const idempotencyKey = {
  'Idempotency-Key': {
    description:
      'Kept 24 hours for this API key: the same request again answers 200 with the same job.',
    maxLength: 255,
  },
};

/** Where a key only names the request that a person is asked about. */
const approvalKey = {
  'Idempotency-Key': {
    description:
      'Names this request where a person has to allow what it costs (409 approval_required): the ' +
      'same request again under the same key goes on with their answer.',
    maxLength: 255,
  },
};
/** How a request is refused that its key may not make, or may not make unasked. */
const keyRefusals = ['spending_cap_reached', 'approval_required'] as const;

const lookupRefusals = [...keyRefusals, 'upstream_insufficient_credits', 'upstream_error'] as const;
/** How a job, or what was given for it, keeps its result from being shown. */
const resultRefusals = [
  'not_ready',
  'job_cancelled',
  'input_damaged',
  'upstream_error',
  'upstream_insufficient_credits',
] as const;

/** METHOD and path (with its last slash) → words. */
export const operations: Readonly<Record<string, OperationDocs>> = {
  [`GET ${area}/layers/`]: {
    id: 'listLayers',
    tag: 'Data enrichment',
    summary: 'List layers and the account’s current rate card',
  },
  [`POST ${area}/estimate/`]: {
    id: 'estimateJob',
    tag: 'Data enrichment',
    summary: 'Estimate a job',
    description: 'Nothing is charged, held or kept.',
    refusals: ['bad_meta', 'bad_layers', 'bad_rows'],
    form: ListFormSchema,
  },
  [`POST ${area}/submit/`]: {
    id: 'submitJob',
    tag: 'Data enrichment',
    summary: 'Create a job',
    description:
      'Holds rows × price; only enriched rows are charged, at the end. Refusals are checked in ' +
      'the order bad_meta, bad_layers, bad_rows, validation_error, insufficient_credits, ' +
      'spending_cap_reached, approval_required.',
    refusals: [
      'bad_meta',
      'bad_layers',
      'bad_rows',
      'insufficient_credits',
      ...keyRefusals,
      'idempotency_conflict',
    ],
    form: ListFormSchema,
    headers: idempotencyKey,
    answers: {
      200: 'The same request under the same Idempotency-Key: the job that it made.',
      202: 'The job was made.',
    },
  },
  [`GET ${area}/status/{job_id}/`]: {
    id: 'getJobStatus',
    tag: 'Data enrichment',
    summary: 'Job status',
    description: 'Poll it until `ready` is true, which it is in every end state.',
  },
  [`GET ${area}/result/{job_id}/`]: {
    id: 'getJobResult',
    tag: 'Data enrichment',
    summary: 'Enriched rows, as a page or as one CSV file',
    refusals: resultRefusals,
    file: {
      when: 'With format=csv: the whole enriched set as one file, without pages.',
      example: resultFileExample,
    },
  },
  [`GET ${area}/review/{job_id}/`]: {
    id: 'listReview',
    tag: 'Data enrichment',
    summary: 'Rows that a person has to decide about, with candidates and evidence',
    refusals: resultRefusals,
  },
  [`POST ${area}/review/{job_id}/`]: {
    id: 'decideReview',
    tag: 'Data enrichment',
    summary: 'Choose a candidate for each row, none of them, or undo',
    description:
      'All decisions are applied, or none. A chosen candidate enriches its row and is charged as ' +
      'an enriched row; none of them and undo return the charge.',
    refusals: [...resultRefusals, 'insufficient_credits', ...keyRefusals],
    headers: approvalKey,
  },
  [`POST ${area}/cancel/{job_id}/`]: {
    id: 'cancelJob',
    tag: 'Data enrichment',
    summary: 'Cancel a job and release its whole hold',
    refusals: ['already_finished'],
  },
  [`POST ${area}/retry/{job_id}/`]: {
    id: 'retryJob',
    tag: 'Data enrichment',
    summary: 'Take a failed job up again, or enrich the failed rows of a completed one',
    refusals: ['nothing_to_retry', 'input_damaged', 'insufficient_credits', ...keyRefusals],
    headers: approvalKey,
  },
  [`GET ${area}/jobs/`]: {
    id: 'listJobs',
    tag: 'Data enrichment',
    summary: 'List jobs, newest first',
  },
  'POST /phone/enrichment/': {
    id: 'lookUpPhone',
    tag: 'Direct lookup',
    summary: 'The phone number of the person with a profile URL',
    description: '5 credits where it is found; free where the account owns it already.',
    refusals: lookupRefusals,
    headers: approvalKey,
  },
  'POST /email/enrichment/': {
    id: 'lookUpEmail',
    tag: 'Direct lookup',
    summary: 'The email of the person with a profile URL',
    description: '1 credit where it is found; free where the account owns it already.',
    refusals: lookupRefusals,
    headers: approvalKey,
  },
  [`GET ${monitors}/`]: {
    id: 'listMonitorJobs',
    tag: 'Career Monitor',
    summary: "List the account's Career Monitor jobs, most recent first",
  },
  [`POST ${monitors}/`]: {
    id: 'startMonitorJob',
    tag: 'Career Monitor',
    summary: 'Check a list of contacts again',
    description:
      "Nothing is held. At its end L1's price is charged per record for which an answer was " +
      'found. The price of all records is what the limits of the key for one request are held ' +
      'against.',
    refusals: ['bad_rows', ...keyRefusals, 'idempotency_conflict'],
    form: MonitorFormSchema,
    headers: idempotencyKey,
    answers: {
      200: 'The same request under the same Idempotency-Key: the job that it made.',
      202: 'The job was made.',
    },
  },
  [`GET ${monitors}/{id}/`]: {
    id: 'getMonitorJob',
    tag: 'Career Monitor',
    summary: 'One Career Monitor job',
  },
  [`GET ${monitors}/{id}/result/`]: {
    id: 'getMonitorJobResult',
    tag: 'Career Monitor',
    summary: 'What a Career Monitor job found: who changed, who left',
    description: 'Locked, with 402, while its charge has failed and is not paid.',
    refusals: [...resultRefusals, 'insufficient_credits'],
  },
  [`POST ${monitors}/{id}/pay/`]: {
    id: 'payMonitorJob',
    tag: 'Career Monitor',
    summary: 'Pay for findings that are locked, once',
    refusals: ['not_ready', 'already_finished', 'insufficient_credits', ...keyRefusals],
    bodyOptional: true,
    headers: approvalKey,
  },
  [`POST ${pipelines}/`]: {
    id: 'startPipeline',
    tag: 'Pipelines',
    summary: 'Start a pipeline over a search, UUIDs or row inputs',
    description:
      'Costs 1 credit per email and 5 per phone that is unlocked, and the price of an email ' +
      'validation per verified email; what is owned is free. Once all contacts are looked up, ' +
      'the price of what is known is held, as far as the credits reach; what the hold does not ' +
      'cover stays locked. Settled at the end; the rest is released. The most that it can cost ' +
      'is what the limits of the key for one request are held against.',
    refusals: ['not_ready', ...keyRefusals, 'idempotency_conflict'],
    headers: idempotencyKey,
    answers: {
      200: 'The same request under the same Idempotency-Key: the pipeline that it started.',
      202: 'The pipeline was started.',
    },
  },
  [`GET ${pipelines}/`]: {
    id: 'listPipelines',
    tag: 'Pipelines',
    summary: 'List pipelines, newest first',
  },
  [`GET ${pipelines}/{id}/`]: {
    id: 'getPipeline',
    tag: 'Pipelines',
    summary: 'How a pipeline stands',
    description: 'Poll it until `ready` is true. The events of webhooks carry the same record.',
  },
  [`GET ${pipelines}/{id}/result/`]: {
    id: 'getPipelineResult',
    tag: 'Pipelines',
    summary: 'The contacts of a completed pipeline',
    refusals: resultRefusals,
  },
  [`POST ${pipelines}/{id}/cancel/`]: {
    id: 'cancelPipeline',
    tag: 'Pipelines',
    summary: 'Cancel a pipeline',
    description:
      'What it had unlocked stays owned and is charged; the rest of its hold is released. No ' +
      'webhook is told.',
    refusals: ['already_finished'],
  },
  [`POST ${webhooks}/`]: {
    id: 'registerWebhook',
    tag: 'Webhooks',
    summary: 'Register a webhook',
    description: 'The answer is the only place where its secret is shown.',
    refusals: ['secrets_unavailable'],
  },
  [`GET ${webhooks}/`]: {
    id: 'listWebhooks',
    tag: 'Webhooks',
    summary: 'List webhooks, newest first',
  },
  [`GET ${webhooks}/{id}/`]: {
    id: 'getWebhook',
    tag: 'Webhooks',
    summary: 'One webhook: whether it is paused or switched off, and what keeps it from delivering',
  },
  [`PATCH ${webhooks}/{id}/`]: {
    id: 'changeWebhook',
    tag: 'Webhooks',
    summary: 'Pause a webhook, or resume it',
    description:
      'While it is paused events are gathered. One that its receiver switched off with 410 is ' +
      'resumed in the same way.',
  },
  [`POST ${webhooks}/{id}/rotate/`]: {
    id: 'rotateWebhookSecret',
    tag: 'Webhooks',
    summary: 'Give a webhook a new secret, which is shown this once',
    description:
      'For 24 hours `webhook-signature` carries a signature by each secret. ' +
      '`X-Service-Signature` has room for one, which is by the new secret at once.',
    refusals: ['secrets_unavailable'],
  },
  [`POST ${webhooks}/{id}/test/`]: {
    id: 'sendTestEvent',
    tag: 'Webhooks',
    summary: 'Send a test event, whatever the webhook is registered for',
    description: 'It is attempted once. A webhook that is paused or switched off refuses it.',
    answers: { 202: 'It will be sent; read the delivery for how it went.' },
  },
  [`GET ${webhooks}/{id}/deliveries/`]: {
    id: 'listWebhookDeliveries',
    tag: 'Webhooks',
    summary: 'The log of a webhook: each delivery with its attempts, newest first',
    description:
      'Pages are asked for by `before`, since new deliveries come in at the front all the time. ' +
      'A delivery is kept for 30 days after its end.',
  },
  [`GET ${webhooks}/{id}/deliveries/{delivery}/`]: {
    id: 'getWebhookDelivery',
    tag: 'Webhooks',
    summary: 'One delivery with its attempts',
  },
  [`POST ${webhooks}/{id}/deliveries/{delivery}/send-again/`]: {
    id: 'sendDeliveryAgain',
    tag: 'Webhooks',
    summary: 'Begin another round of attempts of a delivery, with the same webhook-id',
    description: 'A webhook that is paused or switched off refuses it.',
    answers: { 202: 'It will be sent; read the delivery for how it goes.' },
  },
  [`DELETE ${webhooks}/{id}/`]: {
    id: 'deleteWebhook',
    tag: 'Webhooks',
    summary: 'Delete a webhook with what it has still to send',
  },
  'POST /api/v1/wallet/top-up/': {
    id: 'topUpWallet',
    tag: 'Wallet',
    summary: 'Add credits to the staging account; live answers 404',
  },
  'GET /healthz': {
    id: 'getHealth',
    tag: 'Engine',
    summary: 'Whether the engine answers, and all of its threads run',
    description: 'Without a key, outside the rate limit.',
    refusals: ['unavailable'],
  },
};

// The requests to another engine, and how their answers are read.
import { z } from 'zod';
import { rowStatuses } from '../../contract/jobs/job.ts';
import type { LayerCode } from '../../contract/jobs/layers.ts';
import { type RowInputField, rowInputFields } from '../../contract/jobs/row-input.ts';
import type { ProviderRow } from '../../contract/provider.ts';
import type { OutgoingRequest } from '../definitions/build-request.ts';
import type { HttpAnswer } from '../definitions/read-answer.ts';

export const sentColumns: readonly RowInputField[] = rowInputFields.filter(
  (name) => name !== 'client_reference_id',
);

/** The header that names the requests by which engines passed rows on, oldest first. */
export const viaHeader = 'x-desk-via';

const base = '/api/v1/data-enrichment';

function request(
  address: string,
  path: string,
  key: string,
  post?: { readonly body: unknown; readonly headers?: Readonly<Record<string, string>> },
): OutgoingRequest {
  return {
    method: post ? 'POST' : 'GET',
    url: new URL(`${address}${base}${path}`),
    headers: {
      accept: 'application/json',
      authorization: `Token ${key}`,
      ...(post && { 'content-type': 'application/json', ...post.headers }),
    },
    body: post ? JSON.stringify(post.body) : null,
  };
}

export interface SubmittedList {
  readonly layers: readonly LayerCode[];
  readonly rows: readonly ProviderRow[];
  readonly name: string;
  /** The requests by which engines passed the rows on, this one last. */
  readonly via: readonly string[];
}

/** Submits a job. A repeat with the same rows and key is answered like the first. */
export const buildSubmit = (address: string, list: SubmittedList, key: string): OutgoingRequest =>
  request(address, '/submit/', key, {
    body: {
      selected_layers: list.layers,
      title: 'Rows of another Enrichment Desk',
      rows: list.rows.map((row) =>
        Object.fromEntries(sentColumns.flatMap((name) => (row[name] ? [[name, row[name]]] : []))),
      ),
    },
    headers: { 'idempotency-key': list.name, [viaHeader]: list.via.join(',') },
  });

export const buildResult = (
  address: string,
  job: string,
  page: { readonly limit: number; readonly offset: number },
  key: string,
): OutgoingRequest =>
  request(
    address,
    `/result/${encodeURIComponent(job)}/?limit=${page.limit}&offset=${page.offset}`,
    key,
  );

export const buildLayers = (address: string, key: string): OutgoingRequest =>
  request(address, '/layers/', key);

/** Estimates one row, whose answer has the credits that are left. */
export const buildEstimate = (address: string, key: string): OutgoingRequest =>
  request(address, '/estimate/', key, { body: { selected_layers: ['L1'], row_count: 1 } });

const EnvelopeSchema = z.object({
  success: z.boolean().optional(),
  error: z.string().optional().catch(undefined),
  detail: z.string().optional().catch(undefined),
  data: z.unknown().optional(),
});
export type Envelope = z.infer<typeof EnvelopeSchema>;

export function readEnvelope({ text }: HttpAnswer): Envelope | null {
  try {
    return EnvelopeSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

export const SubmittedSchema = z.object({ job_id: z.string().min(1).max(100) });

export const DeskPageSchema = z.object({
  count: z.int().min(0),
  results: z.array(
    z.object({
      row_index: z.int().min(0),
      status: z.enum(rowStatuses),
      enriched_fields: z.record(z.string(), z.string()),
      error_message: z.string().optional().catch(undefined),
      credits_charged: z.string().optional().catch(undefined),
      provenance: z
        .record(
          z.string(),
          z.object({
            source: z.string().optional(),
            observed_at: z.string().optional(),
            confidence: z.number().min(0).max(1).optional(),
          }),
        )
        .optional()
        .catch(undefined),
    }),
  ),
});

export const DeskLayersSchema = z.object({
  layers: z.array(z.object({ code: z.string(), price: z.string().regex(/^\d{1,9}(\.\d{1,4})?$/) })),
});

export const DeskEstimateSchema = z.object({
  available_credits: z.string().regex(/^\d{1,12}(\.\d{1,4})?$/),
});

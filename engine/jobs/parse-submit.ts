/** Parses requests to submit or estimate, as JSON or a form, and calls the environment. */
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { EstimateData } from '../contract/jobs/job.ts';
import type { ColumnMapping } from '../contract/jobs/row-input.ts';
import { estimateRowCountMax } from '../contract/limits/ledger.ts';
import { idempotencyOf, spenderOf, spendingOf } from '../http/approval-origin.ts';
import { parseWith } from '../http/bodies/parse-with.ts';
import { withSpreadsheet } from '../http/bodies/receive-spreadsheet.ts';
import { takeTable } from '../http/bodies/received-body.ts';
import { callerOf } from '../http/credentials.ts';
import { estimate, resolveLayers } from '../ledger/price-job.ts';
import { viaHeader } from '../providers/desk/desk-requests.ts';
import type { PreparedInput } from '../spreadsheet/prepared-input.ts';
import { resolveMapping } from '../spreadsheet/recognize-input.ts';
import type { SubmitAnswer } from './jobs.commands.ts';
import { hasRows, parseSubmit, readSubmitBody, readSubmitForm } from './read-submission.ts';
import type { JobRouteDeps } from './route-deps.ts';

/** A received and checked list, with its layers. */
interface Submission {
  readonly input: PreparedInput;
  readonly selection: readonly string[];
  readonly title: string;
  readonly mapping: ColumnMapping;
  readonly fileName: string | null;
}

/**
 * Receives the list of a request, passes it to `use`, and removes its table. Throws, in this order,
 * `bad_meta`, `bad_layers`, `bad_rows`, and `validation_error` for the content of the parts.
 */
async function withSubmission<Result>(
  context: JobRouteDeps,
  request: FastifyRequest,
  use: (submission: Submission) => Promise<Result>,
): Promise<Result> {
  if (request.isMultipart())
    return withSpreadsheet(context, request, readSubmitForm, async (parts, input) => {
      const { selection, title, mapping } = parseSubmit(parts);
      const { fileName } = parts.file;
      return use({
        input,
        selection,
        title,
        fileName,
        mapping: resolveMapping(input.headers, mapping),
      });
    });
  const body = readSubmitBody(request.body);
  const { selection, title } = parseSubmit(body);
  const { mapping, ...table } = takeTable(body.rows, 'rows');
  return context.uploads.withRows(table, (input) =>
    use({ input, selection, title, mapping, fileName: null }),
  );
}

/** The requests by which other engines passed the rows on. The header is not documented. */
function readVia({ headers }: FastifyRequest): { readonly via?: readonly string[] } {
  const text = headers[viaHeader]?.toString() ?? '';
  const via = text.split(',').filter((id) => id !== '');
  return via.length === 0 ? {} : { via };
}

/**
 * Creates a job from a request's list. Throws what `withSubmission` throws, `validation_error` for
 * the Idempotency-Key, and last what the writer refuses: `idempotency_conflict`,
 * `insufficient_credits`, `spending_cap_reached` and `approval_required`.
 */
export const submitRequest = (
  context: JobRouteDeps,
  request: FastifyRequest,
): Promise<SubmitAnswer> =>
  withSubmission(context, request, (submission) =>
    context.environment.writer.submitJob({
      ...spendingOf(request, 'POST /api/v1/data-enrichment/submit/', {}),
      ...submission,
      ...readVia(request),
      showsLayers: true,
      idempotency: idempotencyOf(request),
    }),
  );

const CountSchema = z.object({
  row_count: z.int().min(1).max(estimateRowCountMax),
});

/** The price of a number of rows, without a preview. */
function estimateCount(
  context: JobRouteDeps,
  request: FastifyRequest,
): Omit<EstimateData, 'preview'> {
  const body = readSubmitBody(request.body, 'row_count');
  const { selection } = parseSubmit(body);
  const { row_count: rowCount } = parseWith(CountSchema, { row_count: body.rowCount });
  const { database } = context.environment;
  const accountId = callerOf(request).account.id;
  const layers = resolveLayers(database, accountId, selection);
  return estimate(database, spenderOf(request), layers, rowCount);
}

/** The price and preview of a request's list. Charges, holds and stores nothing. */
export async function answerEstimate(
  context: JobRouteDeps,
  request: FastifyRequest,
): Promise<EstimateData> {
  if (!request.isMultipart() && !hasRows(request.body)) return estimateCount(context, request);
  const accountId = callerOf(request).account.id;
  const { database, reader } = context.environment;
  return withSubmission(context, request, async ({ input, selection, mapping }) => {
    const layers = resolveLayers(database, accountId, selection);
    const { codes } = layers;
    const at = new Date(context.now()).toISOString();
    return {
      ...estimate(database, spenderOf(request), layers, input.rowCount),
      preview: await reader.previewRows({ accountId, dir: input.dir, mapping, codes, at }),
    };
  });
}

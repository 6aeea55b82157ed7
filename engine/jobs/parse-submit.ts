/** Turns a request of submit or estimate, JSON or form, into what the environment is asked for. */
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { EstimateData } from '../contract/jobs/job.ts';
import type { ColumnMapping } from '../contract/jobs/row-input.ts';
import { estimateRowCountMax } from '../contract/limits/ledger.ts';
import { spendingOf } from '../http/approval-origin.ts';
import { parseWith } from '../http/bodies/parse-with.ts';
import { withSpreadsheet } from '../http/bodies/receive-spreadsheet.ts';
import { callerOf } from '../http/credentials.ts';
import { readIdempotencyKey } from '../http/idempotency-key.ts';
import { estimate, resolveLayers } from '../ledger/price-job.ts';
import type { PreparedInput } from '../spreadsheet/prepared-input.ts';
import { resolveMapping } from '../spreadsheet/recognize-input.ts';
import type { SubmitAnswer } from './jobs.commands.ts';
import { readFormSubmission, readJsonSubmission } from './read-submission.ts';
import type { JobRouteDeps } from './route-deps.ts';

/** A list to be enriched or priced: where it lies, and what is asked for it. */
interface Wanted {
  readonly input: PreparedInput;
  readonly selection: readonly string[];
  readonly title: string;
  readonly mapping: ColumnMapping;
  readonly fileName: string | null;
}

/** Receives the form of a request and hands on what it asks for; its table is then removed. */
const withFormList = <Result>(
  context: JobRouteDeps,
  request: FastifyRequest,
  use: (wanted: Wanted) => Promise<Result>,
): Promise<Result> =>
  withSpreadsheet(context, request, readFormSubmission, async (asked, input) => {
    const selection = asked.selection();
    const title = asked.title();
    const mapping = resolveMapping(input.headers, asked.mapping());
    return use({ input, selection, title, mapping, fileName: asked.file.fileName });
  });

/**
 * Makes a job of a request's list. Throws every refusal of POST /submit/, in the promised order.
 */
export async function submitRequest(
  context: JobRouteDeps,
  request: FastifyRequest,
): Promise<SubmitAnswer> {
  const { account, keyScope } = callerOf(request);
  const { database, writer } = context.environment;
  const submit = (wanted: Wanted) => {
    const key = readIdempotencyKey(request.headers['idempotency-key']);
    const { title, selection, fileName } = wanted;
    const shown = { title, selected_layers: selection, rows: wanted.input.rowCount };
    return writer.submitJob({
      ...spendingOf(request, 'POST /api/v1/data-enrichment/submit/', {
        ...shown,
        ...(fileName !== null && { file: fileName }),
      }),
      codes: resolveLayers(database, account.id, selection),
      ...{ title, fileName },
      input: wanted.input,
      mapping: wanted.mapping,
      idempotency: key === null ? null : { keyScope, key },
    });
  };
  if (request.isMultipart()) return withFormList(context, request, submit);
  const asked = readJsonSubmission(request.body);
  asked.requireRows();
  const selection = asked.selection();
  resolveLayers(database, account.id, selection);
  const title = asked.title();
  const { mapping, ...table } = asked.table();
  return context.uploads.withRows(table, (input) =>
    submit({ input, selection, title, mapping, fileName: null }),
  );
}

const CountSchema = z.object({
  row_count: z.int().min(1).max(estimateRowCountMax),
});

/** What a request's list would cost and bring. Charges, holds and keeps nothing. */
export async function answerEstimate(
  context: JobRouteDeps,
  request: FastifyRequest,
): Promise<EstimateData> {
  const accountId = callerOf(request).account.id;
  const { database, reader } = context.environment;
  const price = async ({ input, selection, mapping }: Wanted): Promise<EstimateData> => {
    const codes = resolveLayers(database, accountId, selection);
    return {
      ...estimate(database, accountId, codes, input.rowCount),
      preview: await reader.previewRows({ accountId, dir: input.dir, mapping, codes }),
    };
  };
  if (request.isMultipart()) return withFormList(context, request, price);
  const asked = readJsonSubmission(request.body);
  if (asked.body.row_count == null) asked.requireRows();
  const selection = asked.selection();
  if (!asked.hasRows) {
    const { row_count: rowCount } = parseWith(CountSchema, asked.body);
    return estimate(database, accountId, resolveLayers(database, accountId, selection), rowCount);
  }
  const { mapping, ...table } = asked.table();
  return context.uploads.withRows(table, (input) =>
    price({ input, selection, title: '', mapping, fileName: null }),
  );
}

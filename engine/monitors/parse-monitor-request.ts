/** Parses requests for a Career Monitor job, as JSON or a form, and calls the environment. */
import type { FastifyRequest } from 'fastify';
import type { ColumnMapping } from '../contract/jobs/row-input.ts';
import { idempotencyOf, spendingOf } from '../http/approval-origin.ts';
import { withSpreadsheet } from '../http/bodies/receive-spreadsheet.ts';
import { takeTable } from '../http/bodies/received-body.ts';
import { parseList, readMonitorBody, readMonitorForm } from '../jobs/read-submission.ts';
import type { PreparedInput } from '../spreadsheet/prepared-input.ts';
import { resolveMapping } from '../spreadsheet/recognize-input.ts';
import type { MonitorJobAnswer } from './monitors.commands.ts';
import type { MonitorRouteDeps } from './route-deps.ts';

/** A received list and its title. */
interface MonitorInput {
  readonly input: PreparedInput;
  readonly title: string;
  readonly mapping: ColumnMapping;
  readonly fileName: string | null;
}

/**
 * Starts a job from a request's list. Throws every refusal of POST /career-monitor/jobs/:
 * `bad_rows`, then `validation_error`, then `idempotency_conflict`, then those of the key's limits.
 */
export async function startRequestedMonitorJob(
  context: MonitorRouteDeps,
  request: FastifyRequest,
): Promise<MonitorJobAnswer> {
  const start = ({ input, ...rest }: MonitorInput) => {
    const { title, fileName } = rest;
    const shown = { title, rows: input.rowCount, ...(fileName !== null && { file: fileName }) };
    return context.environment.writer.startMonitorJob({
      ...spendingOf(request, 'POST /api/v1/career-monitor/jobs/', shown),
      idempotency: idempotencyOf(request),
      ...input,
      ...rest,
    });
  };
  if (request.isMultipart())
    return withSpreadsheet(context, request, readMonitorForm, async (parts, input) => {
      const { title, mapping: named } = parseList(parts);
      const mapping = resolveMapping(input.headers, named);
      return start({ input, title, mapping, fileName: parts.file.fileName });
    });
  const body = readMonitorBody(request.body);
  const { title } = parseList(body);
  const { mapping, ...rows } = takeTable(body.rows, 'rows');
  return context.uploads.withRows(rows, (input) =>
    start({ input, title, mapping, fileName: null }),
  );
}

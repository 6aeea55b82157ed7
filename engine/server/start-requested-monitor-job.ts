/** Turns a request for a Career Monitor job, JSON or form, into what the world is asked for. */
import type { FastifyRequest } from 'fastify';
import type { ColumnMapping } from '../contract/row-input.ts';
import type { MonitorJobAnswer } from '../domain/monitor-commands.ts';
import { resolveMapping } from '../domain/recognize-input.ts';
import type { PreparedInput } from '../domain/world.ts';
import { spendingOf } from './asking-of.ts';
import { callerOf } from './credentials.ts';
import { readIdempotencyKey, readMonitorForm, readMonitorSubmission } from './read-submission.ts';
import { withSpreadsheet } from './receive-spreadsheet.ts';
import type { ServerContext } from './server-context.ts';

/** A list to be checked: where it lies, and what it is called. */
interface Wanted {
  readonly input: PreparedInput;
  readonly title: string;
  readonly mapping: ColumnMapping;
  readonly fileName: string | null;
}

/**
 * Starts a job of a request's list. Throws every refusal of POST /career-monitor/jobs/: `bad_rows`,
 * then `validation_error`, then `idempotency_conflict`, then those of the key's limits.
 */
export async function startRequestedMonitorJob(
  context: ServerContext,
  request: FastifyRequest,
): Promise<MonitorJobAnswer> {
  const { keyScope } = callerOf(request);
  const start = ({ input, ...wanted }: Wanted) => {
    const key = readIdempotencyKey(request.headers['idempotency-key']);
    const { title, fileName } = wanted;
    const shown = { title, rows: input.rowCount, ...(fileName !== null && { file: fileName }) };
    return context.world.writer.startMonitorJob({
      ...spendingOf(request, 'POST /api/v1/career-monitor/jobs/', shown),
      idempotency: key === null ? null : { keyScope, key },
      ...input,
      ...wanted,
    });
  };
  if (request.isMultipart())
    return withSpreadsheet(context, request, readMonitorForm, async (asked, input) => {
      const title = asked.title();
      const mapping = resolveMapping(input.headers, asked.mapping());
      return start({ input, title, mapping, fileName: asked.file.fileName });
    });
  const { title, table } = readMonitorSubmission(request.body);
  const { mapping, ...rows } = table;
  return context.uploads.lendRows(rows, (input) =>
    start({ input, title, mapping, fileName: null }),
  );
}

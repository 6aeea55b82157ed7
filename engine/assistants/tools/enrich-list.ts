// enrich_list and check_enrich_list: a list as an ordinary data-enrichment job, with its hold and
// result. Rows come in the call, or from a file in an allowed folder; the file's own cells are
// never returned.
import type { EnrichList, listTools } from '../../contract/assistants/tools/enrich-list.ts';
import type { ToolInput, ToolOutput } from '../../contract/assistants/tools.ts';
import { creditUnits, formatCredits } from '../../contract/credits.ts';
import { invalid } from '../../contract/errors.ts';
import type { ResultRow } from '../../contract/jobs/job.ts';
import { explainIdleLayers } from '../../contract/jobs/layers.ts';
import { type ColumnMapping, type Mapping, rowInputFields } from '../../contract/jobs/row-input.ts';
import { presentJob } from '../../jobs/present-job.ts';
import { countRows, readResultPage, requireJob } from '../../jobs/results/read-result.ts';
import { checkSelection, estimate, resolveLayers } from '../../ledger/price-job.ts';
import type { PreparedInput } from '../../spreadsheet/prepared-input.ts';
import { resolveMapping } from '../../spreadsheet/recognize-input.ts';
import { openListFile } from '../open-list-file.ts';
import type { ToolCall } from './tool-call.ts';
import { countCredits, countOf, sayAtMost, sayCharged, type ToolHandlers } from './tool-handler.ts';

/** The rows as a table of the fields that at least one row has. */
function makeTable(rows: NonNullable<EnrichList['rows']>) {
  const used = rowInputFields.filter((field) => rows.some((row) => row[field]));
  // A table without columns cannot be written, but such rows are valid, and skipped.
  const headers = used.length > 0 ? used : (['email'] as const);
  return {
    headers,
    rows: rows.map((row) => headers.map((field) => row[field] ?? '')),
    mapping: Object.fromEntries(headers.map((field, column) => [field, column])),
  };
}

interface List {
  readonly rowCount: number;
  /** Null if the rows came in the call. */
  readonly fileName: string | null;
  /** Passes the table to `use`. The table is removed afterwards. */
  withInput<Result>(
    use: (input: PreparedInput, mapping: ColumnMapping) => Promise<Result>,
  ): Promise<Result>;
}

const nothing = formatCredits(creditUnits(0));

/** The price of a list: at most, and as its rows are expected to be answered. */
async function priceList(
  { environment, caller, now }: ToolCall,
  selection: readonly string[],
  { rowCount, withInput }: List,
): Promise<ToolOutput<'enrich_list'>> {
  const { database, reader } = environment;
  const { accountId } = caller;
  const layers = resolveLayers(database, accountId, selection);
  const price = estimate(database, caller, layers, rowCount);
  const at = now().toISOString();
  const { preview, note } = await withInput(async ({ dir }, mapping) => ({
    preview: await reader.previewRows({ accountId, dir, mapping, codes: layers.codes, at }),
    note: explainIdleLayers(layers.codes, mapping),
  }));
  return {
    status: 'not_started',
    total_rows: rowCount,
    dry_run: true,
    price_per_row: price.price_per_row,
    credits_held: nothing,
    credits_charged: nothing,
    credits_at_most: price.credits_needed,
    credits_expected: preview.expected_credits,
    ...(preview.has_team && { has_team: true }),
    ...(note !== null && { note }),
  };
}

/** Holds the price of a list and creates the job, or only returns the price. */
async function startList(
  call: ToolCall,
  args: ToolInput<'enrich_list'>,
  selection: readonly string[],
  list: List,
): Promise<ToolOutput<'enrich_list'>> {
  if (args.dry_run) return priceList(call, selection, list);
  const { environment, caller } = call;
  const { accountId, keyId, keyScope } = caller;
  const { fileName, withInput } = list;
  const key = args.idempotency_key;
  const { data, note } = await withInput(async (input, mapping) => {
    const submitted = await call.spendAllowed((asking) =>
      environment.writer.submitJob({
        accountId,
        keyId,
        asking,
        selection,
        input,
        mapping,
        fileName,
        title: args.title ?? '',
        idempotency: key === undefined ? null : { keyScope, key },
      }),
    );
    return { ...submitted, note: explainIdleLayers(submitted.data.selected_layers, mapping) };
  });
  return {
    job_id: data.job_id,
    status: data.status,
    total_rows: data.total_rows,
    price_per_row: data.price_per_row,
    credits_held: data.credits_held,
    credits_charged: nothing,
    ...(note !== null && { note }),
  };
}

/** The columns of the fields in a file. Throws `validation_error`, without quoting headers. */
function findColumns(headers: readonly string[], named: Mapping | undefined): ColumnMapping {
  for (const [field, header] of Object.entries(named ?? {}))
    if (!headers.includes(header))
      throw invalid(
        `mapping.${field}: the file has no column ${JSON.stringify(header)}. Ask the user what ` +
          'its columns are called.',
      );
  const mapping = resolveMapping(headers, named);
  if (Object.keys(mapping).length > 0) return mapping;
  throw invalid(
    'No column header of the file is recognised. Ask the user what the columns are called, ' +
      'and send a mapping.',
  );
}

/**
 * Creates a job from a list. Throws `validation_error` for an invalid selection of layers or a file
 * that is not a list, `forbidden` for a path that is not allowed, `insufficient_credits`,
 * `spending_cap_reached`, `approval_required` and `idempotency_conflict`.
 */
async function enrichList(
  call: ToolCall,
  args: ToolInput<'enrich_list'>,
): Promise<ToolOutput<'enrich_list'>> {
  const { environment, caller } = call;
  const selection = checkSelection(args.selected_layers);
  if (args.path === undefined) {
    const { mapping, ...table } = makeTable(args.rows ?? []);
    return startList(call, args, selection, {
      rowCount: table.rows.length,
      fileName: null,
      withInput: (use) => call.withRows(table, (input) => use(input, mapping)),
    });
  }
  const file = await openListFile(environment, caller.accountId, args.path);
  return call.withFile(file, async (input) => {
    const mapping = findColumns(input.headers, args.mapping);
    return startList(call, args, selection, {
      rowCount: input.rowCount,
      fileName: file.fileName,
      withInput: (use) => use(input, mapping),
    });
  });
}

/** A row for an assistant: an inferred email is a text that names it as one. */
const describeRow = ({ inferred_email: inferred, ...row }: ResultRow) => ({
  ...row,
  inferred_email: inferred
    ? `${inferred.email} (inferred, probability ${inferred.probability})`
    : '',
});

/** The progress of a job, and a page of its rows once it has completed. Throws `not_found`. */
function checkList(
  { environment, caller }: ToolCall,
  args: ToolInput<'check_enrich_list'>,
): ToolOutput<'check_enrich_list'> {
  const job = requireJob(environment, caller.accountId, args.job_id);
  const isDone = job.status === 'completed';
  // A client_reference_id is one of the caller's cells, and a mapping can point it at any column of
  // a file.
  const shown = job.fileName === null ? job : { ...job, mapping: {} };
  const rows = isDone
    ? readResultPage(environment, shown, args).map((text) => describeRow(JSON.parse(text)))
    : [];
  const next = args.offset + rows.length;
  const hasMore = rows.length > 0 && next < countRows(job, args.status);
  return { ...presentJob(job), results: rows, next_offset: hasMore ? next : null };
}

const summarizeStarted = (answer: ToolOutput<'enrich_list'>): string =>
  (answer.dry_run
    ? `Enriching ${countOf(answer.total_rows, 'row')} would cost ${sayAtMost(answer)}, and about ` +
      `${countCredits(answer.credits_expected)} as the directory answers them.`
    : `Job ${answer.job_id} of ${countOf(answer.total_rows, 'row')} has started, ` +
      `${countCredits(answer.credits_held)} held. Call check_enrich_list.`) +
  (answer.note === undefined ? '' : ` Note: ${answer.note}`);

export const listHandlers: ToolHandlers<keyof typeof listTools> = {
  enrich_list: { handle: enrichList, summarize: summarizeStarted },
  check_enrich_list: {
    handle: async (call, args) => checkList(call, args),
    summarize: (job) =>
      `The job is ${job.status}: ${job.processed_rows} of ` +
      `${countOf(job.total_rows, 'row')} done, ${job.enriched_rows} enriched. ` +
      `In this answer: ${job.results.length}. ${sayCharged(job)}`,
  },
};

// Pages of a completed pipeline's contacts: unlocked values are shown, locked values are listed.
import { formatCredits } from '../../contract/credits.ts';
import { EngineError } from '../../contract/errors.ts';
import type {
  PipelineContact,
  pipelineContactStatuses,
} from '../../contract/pipelines/pipeline.ts';
import { statusOfReason } from '../../contract/validations.ts';
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import { openInput } from '../../spreadsheet/input-folders.ts';
import { blankCells, type HiddenRows, readHiddenRows } from '../../suppression/hidden-rows.ts';
import { findHiddenContacts } from '../hidden-contacts.ts';
import { type PipelineRow, requireWholePipeline } from '../pipeline.table.ts';
import { type PipelineContactRow, readPipelineContacts } from '../pipeline-contact.table.ts';
import { presentPipeline, requirePipeline } from '../present-pipeline.ts';

interface Page {
  readonly limit: number;
  readonly offset: number;
}

/**
 * The account's pipeline if its contacts can be read. Throws `not_found`, `not_ready` before its
 * end, `job_cancelled`, and its own error if it failed.
 */
export function requireCompletedPipeline(
  database: ReadableDatabase,
  accountId: number,
  uuid: string,
): PipelineRow {
  const pipeline = requirePipeline(database, accountId, uuid);
  if (pipeline.error !== null)
    throw new EngineError(pipeline.error, pipeline.errorDetail ?? undefined);
  if (pipeline.status === 'cancelled')
    throw new EngineError(
      'job_cancelled',
      'The pipeline was cancelled and has no result. Values that it unlocked are owned: another ' +
        'pipeline shows them for free.',
    );
  if (!presentPipeline(pipeline).ready)
    throw new EngineError(
      'not_ready',
      'The pipeline has not finished. Poll it until ready is true.',
    );
  return requireWholePipeline(pipeline);
}

/** The caller's ids on a page, if the contacts are row inputs with ids. */
function readReferences(folder: string, pipeline: PipelineRow, page: Page): readonly string[] {
  const column = pipeline.mapping.client_reference_id;
  if (pipeline.source !== 'contacts' || column === undefined) return [];
  const rows = openInput(folder, pipeline.uuid, pipeline.total);
  try {
    return rows.readRange(page.offset, page.limit).map((cells) => cells[column] ?? '');
  } finally {
    rows.close();
  }
}

function statusOf(
  { reason }: PipelineContactRow,
  isShown: boolean,
  locked: readonly unknown[],
): (typeof pipelineContactStatuses)[number] {
  if (isShown) return 'unlocked';
  if (locked.length > 0) return 'locked';
  return reason === 'source_error' ? 'failed' : 'not_found';
}

const isPaid = (state: PipelineContactRow['emailState']) =>
  state === 'owned' || state === 'charged';

function describeContact(row: PipelineContactRow, reference: string): PipelineContact {
  const email = isPaid(row.emailState) ? row.email : null;
  const phone = isPaid(row.phoneState) ? row.phone : null;
  const locked = [
    ...(row.emailState === 'locked' ? (['email'] as const) : []),
    ...(row.phoneState === 'locked' ? (['phone'] as const) : []),
  ];
  return {
    row_index: row.position,
    uuid: row.personUuid ?? '',
    client_reference_id: reference,
    status: statusOf(row, email !== null || phone !== null, locked),
    reason: row.reason,
    error_message: row.error ?? '',
    first_name: row.facts?.firstName ?? '',
    last_name: row.facts?.lastName ?? '',
    title: row.facts?.title ?? null,
    company_name: row.facts?.companyName ?? null,
    email,
    email_status: email === null ? null : row.emailStatus,
    phone,
    locked,
    verification:
      row.verdict === null ? null : { status: statusOfReason(row.verdict), reason: row.verdict },
    credits_charged: formatCredits(row.chargedUnits),
  };
}

/** A person who was suppressed later: values are withheld even if they were paid for. */
const withhold = (row: PipelineContactRow): PipelineContactRow => ({
  ...row,
  personUuid: null,
  reason: 'suppressed',
  facts: null,
  email: null,
  emailStatus: null,
  phone: null,
  emailState: null,
  phoneState: null,
  verdict: null,
});

/** The caller's cells of a contact, without those of a suppressed one. */
export const showCells = (
  hidden: HiddenRows,
  { mapping }: PipelineRow,
  { reason }: PipelineContact,
  cells: readonly string[],
): string[] => (reason === 'suppressed' ? blankCells(hidden, cells, mapping) : [...cells]);

export function readPipelinePage(
  database: ReadableDatabase,
  directory: ReadableDatabase,
  folder: string,
  pipeline: PipelineRow,
  page: Page,
): PipelineContact[] {
  const rows = readPipelineContacts(database, pipeline.id, page);
  if (rows.length === 0) return [];
  const references = readReferences(folder, pipeline, page);
  const filter = readHiddenRows(database, directory);
  const hidden = findHiddenContacts(filter, folder, pipeline, rows);
  return rows.map((row, nth) => {
    const reference = references[nth] ?? '';
    // A contact that ended as suppressed, or was deleted, has no values.
    const isHidden = hidden.has(row.position) || row.reason === 'suppressed';
    if (!isHidden) return describeContact(row, reference);
    const isShown = !filter.list.namesAny({}, [reference]);
    return describeContact(withhold(row), isShown ? reference : '');
  });
}

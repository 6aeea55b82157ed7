// `desk enrich`: enriches a list, from the estimate to the CSV.
import type { z } from 'zod';
import { creditUnits, formatCredits, parseCredits, showCredits } from '../../contract/credits.ts';
import { EngineError } from '../../contract/errors.ts';
import { jobExports } from '../../contract/exports/job-exports.ts';
import { newJobs } from '../../contract/jobs/app-jobs.ts';
import { type EstimateData, jobs } from '../../contract/jobs/job.ts';
import { layerCodes } from '../../contract/jobs/layers.ts';
import { providerCalls } from '../../contract/providers.ts';
import type { Upload } from '../../contract/uploads.ts';
import { readColumnRules } from '../../jobs/overwrite/column-rules.ts';
import { describeDiff, summarizeDiff } from '../enrich/describe-diff.ts';
import {
  type EnrichOrder,
  newJobOptions,
  readEnrichOrder,
  readResultFile,
  readResume,
  readWhenOffline,
} from '../enrich/enrich-order.ts';
import { followJob, resumeLine } from '../enrich/follow-job.ts';
import { readOverwriteRules } from '../enrich/read-overwrite-rules.ts';
import {
  type Call,
  type Command,
  groupOptions,
  type Outcome,
  repeatOptions,
} from '../kit/command.ts';
import { confirmPrice } from '../kit/confirm-price.ts';
import { describeEstimate, describeQuote, describeUpload } from '../kit/describe-order.ts';
import type { EngineClient } from '../kit/engine-client.ts';
import { formatAmount, formatCreditCount } from '../kit/format-text.ts';
import { readReading } from '../kit/reading-options.ts';
import { badUsage } from '../kit/refusal.ts';
import { stopOnInterrupt } from '../kit/stop-on-interrupt.ts';
import { showTasks } from '../kit/task-progress.ts';
import { chooseColumns, refuseWideLines, withUpload } from '../kit/upload-list.ts';

/** Throws `insufficient_credits` with the missing amount and how to add it. */
function refuseShortfall(call: Call, estimate: EstimateData): void {
  if (estimate.sufficient) return;
  const needed = parseCredits(estimate.credits_needed) ?? 0;
  const available = parseCredits(estimate.available_credits) ?? 0;
  const shortUnits = creditUnits(needed - available);
  throw new EngineError(
    'insufficient_credits',
    `The wallet is short by ${formatCreditCount(formatCredits(shortUnits))}: the job needs ` +
      `${formatAmount(estimate.credits_needed)}, ${formatAmount(estimate.available_credits)} are ` +
      `available. Nothing was submitted. Run "desk wallet grant ${showCredits(shortUnits)}` +
      `${repeatOptions(call)}", choose fewer layers, or split the list.`,
  );
}

/**
 * The job of the same order whose result is still to be written: one that had not ended when the
 * command began, such as after Ctrl+C, or one that a stopped command paid for and never saved. Null
 * without one. Another one is named, because the order pays again.
 */
function findUnwritten(
  call: Call,
  order: EnrichOrder,
  beganAt: string,
  { job, is_unsaved: isUnsaved }: z.output<typeof newJobs.findSame.answer>,
): string | null {
  if (job === null || 'again' in call.values) return null;
  const isUnfinished = job.completed_at === null || job.completed_at >= beganAt;
  if (isUnfinished || isUnsaved) {
    const state = isUnfinished ? 'was not finished' : 'is paid for and was never saved';
    call.terminal.note(
      `Job ${job.job_id} of the same rows and layers ${state}: its result is written, ` +
        'and nothing is submitted. To submit a second job, add --again.',
    );
    return job.job_id;
  }
  call.terminal.note(
    `Job ${job.job_id} enriched the same rows with the same layers on ` +
      `${job.created_at.slice(0, 10)}. To write its file without paying again: ` +
      resumeLine(call, job.job_id, order.file),
  );
  return null;
}

async function submitUpload(
  call: Call,
  engine: EngineClient,
  order: EnrichOrder,
  upload: Upload,
  beganAt: string,
): Promise<string> {
  refuseWideLines(call, upload);
  const mapping = chooseColumns(upload, order.mapping);
  for (const line of describeUpload(upload, mapping)) call.terminal.note(line);
  const body = {
    upload_id: upload.upload_id,
    selected_layers: [...order.selection],
    mapping,
    new_since: order.options.new_since,
  };
  const submission = { ...body, title: order.title, ...order.options };
  const preset = order.file.preset ?? undefined;
  const same = await engine.ask(newJobs.findSame, { ...submission, preset });
  const unwritten = findUnwritten(call, order, beganAt, same);
  if (unwritten !== null) return unwritten;
  const estimate = await engine.ask(newJobs.estimate, body);
  // Rules that do not fit the list are refused before anything is paid for.
  const codes = layerCodes.filter((code) => estimate.selected_layers.includes(code));
  if (order.file.overwrite)
    readColumnRules({ codes, headers: upload.headers, mapping }, order.file.overwrite);
  for (const line of describeEstimate(estimate, mapping)) call.terminal.note(line);
  if (order.options.use_providers) {
    const rows = {
      rows: estimate.row_count,
      selected_layers: estimate.selected_layers,
      open_fields: estimate.preview?.open_fields ?? {},
    };
    const quote = await engine.ask(providerCalls.quote, rows);
    for (const line of describeQuote(quote)) call.terminal.note(line);
  }
  refuseShortfall(call, estimate);
  const count = estimate.row_count.toLocaleString('en-US');
  const price = formatCreditCount(estimate.credits_needed);
  await confirmPrice(call, `Enrich ${count} rows for at most ${price}?`);
  const job = await engine.ask(newJobs.submit, submission);
  return job.job_id;
}

async function previewRules(call: Call, jobId: string): Promise<Outcome> {
  const overwrite = readOverwriteRules(call);
  if (overwrite === null) throw badUsage('--dry-run needs rules: give --overwrite RULES.json.');
  if ('out' in call.values) throw badUsage('--dry-run writes no file: leave out --out.');
  const engine = await call.openEngine();
  const diff = await stopOnInterrupt(call, 'Nothing was written.', (signal) =>
    showTasks(call.terminal, engine, { export: 'Comparing' }, () =>
      engine.ask(jobExports.preview, { job_id: jobId, overwrite }, signal),
    ),
  );
  return { json: diff, lines: [...describeDiff(diff), `Dry run: ${summarizeDiff(diff)}.`] };
}

async function runEnrich(call: Call): Promise<Outcome> {
  const resumed = readResume(call);
  if (resumed !== null && 'dry-run' in call.values) return previewRules(call, resumed);
  if (resumed !== null) {
    const file = readResultFile(call);
    const choice = readWhenOffline(call);
    const engine = await call.openEngine();
    const { preset, overwrite } = file;
    await engine.ask(jobExports.check, {
      job_id: resumed,
      preset: preset ?? undefined,
      overwrite: overwrite ?? undefined,
    });
    if (choice !== undefined)
      await engine.ask(jobs.setWhenOffline, { job_id: resumed, when_offline: choice });
    return followJob(call, engine, resumed, file);
  }
  const order = readEnrichOrder(call);
  const beganAt = new Date().toISOString();
  const engine = await call.openEngine();
  const submit = (upload: Upload) => submitUpload(call, engine, order, upload, beganAt);
  // Lines with extra cells are listed before they are refused.
  const reading = { ...readReading(call), extra_cells: 'leave_out' as const };
  const jobId = await withUpload(call, engine, order.inPath, submit, reading);
  return followJob(call, engine, jobId, order.file);
}

export const enrich: Command = {
  name: 'enrich',
  summary: 'Enrich a spreadsheet',
  args: '[IN]',
  options: {
    ...newJobOptions,
    ...groupOptions('Where the result goes', {
      out: {
        value: 'OUT',
        summary:
          'the .csv, .xlsx, .jsonl or .parquet to write; replaced when the new one is complete',
        isRequired: true,
      },
      overwrite: { value: 'RULES.json', summary: 'update your own columns by these rules' },
      'own-lists': { summary: 'add the ids and the kept columns of your own lists' },
      sources: { summary: 'add the source, the day and the confidence of each found value' },
    }),
    ...groupOptions('A file for a CRM', {
      preset: { value: 'CRM', summary: 'only what this CRM imports, under its column names' },
      'record-id': { value: 'COLUMN', summary: 'the column of the record id' },
      'id-list': {
        value: 'SOURCE',
        summary: 'the imported list, as it is now, that gives the ids (default: all of this CRM)',
      },
      'new-people': {
        value: 'FILE',
        summary:
          'write people without an id to this second file; leave-out writes them to none ' +
          '(default: the same file)',
      },
      'list-columns': { summary: 'add the columns of IN for which the CRM has none' },
    }),
    ...groupOptions('A job that exists', {
      resume: {
        value: 'JOB_ID',
        summary: 'wait for this job and write its file, with the options of the file',
      },
      'dry-run': { summary: 'show what the rules of --overwrite change, and write nothing' },
    }),
  },
  notes: [
    'IN is a .csv, .xlsx or .json. Its columns and rows stay unchanged; found values are added.',
    'With --overwrite, OUT has your own columns with found values by the rules, and no others.',
    'A row with the id of a record in an imported list is matched by it (docs/matching.md).',
    'With --preset, OUT begins with the record id: that of the row, or of the matched person in',
    'the list that you imported. CRM is salesforce, salesforce-leads, hubspot or pipedrive; for',
    'companies salesforce-accounts, hubspot-companies or pipedrive-organizations.',
    'Ctrl+C asks whether to cancel the job or let it continue. The same command continues it.',
  ],
  run: runEnrich,
};

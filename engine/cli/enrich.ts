/** `desk enrich`: the main job without a window: estimate, question, progress, CSV, summary. */
import { basename } from 'node:path';
import { z } from 'zod';
import { type Upload, UploadSchema } from '../contract/app.ts';
import { creditUnits, formatCredits, parseCredits } from '../contract/credits.ts';
import { EngineError } from '../contract/errors.ts';
import { type EstimateData, EstimateDataSchema, SubmitDataSchema } from '../contract/job.ts';
import type { ColumnMapping, Mapping } from '../contract/row-input.ts';
import { resolveMapping } from '../domain/recognize-input.ts';
import { type Call, type Command, type Outcome, repeatOptions } from './command.ts';
import { describeEstimate, describeUpload } from './describe-order.ts';
import type { EngineClient } from './engine-client.ts';
import { type EnrichOrder, readEnrichOrder, readOutPath, readResume } from './enrich-order.ts';
import { followJob } from './follow-job.ts';
import { formatAmount } from './format-text.ts';
import { badUsage, CommandError, exitCodes } from './refusal.ts';
import { showTasks } from './task-progress.ts';

function chooseColumns(upload: Upload, mapping: Mapping | undefined): ColumnMapping {
  if (mapping === undefined) return upload.mapping;
  try {
    return resolveMapping(upload.headers, mapping);
  } catch (error) {
    if (error instanceof EngineError) throw badUsage(`--mapping: ${error.detail}`);
    throw error;
  }
}

/** Throws `insufficient_credits` with what is missing and how to come by it. */
function refuseShortfall(call: Call, estimate: EstimateData): void {
  if (estimate.sufficient) return;
  const needed = parseCredits(estimate.credits_needed) ?? 0;
  const available = parseCredits(estimate.available_credits) ?? 0;
  const short = formatCredits(creditUnits(needed - available));
  throw new EngineError(
    'insufficient_credits',
    `The wallet is short of ${formatAmount(short)} credits: the job needs ` +
      `${formatAmount(estimate.credits_needed)}, ${formatAmount(estimate.available_credits)} are ` +
      `available. Nothing was submitted. Run "desk wallet grant ${short.replace(/\.0+$/, '')}` +
      `${repeatOptions(call)}", choose fewer layers, or split the list.`,
  );
}

async function confirm(call: Call, order: EnrichOrder, estimate: EstimateData): Promise<void> {
  if (order.isConfirmed) return;
  if (!call.terminal.isInteractive)
    throw badUsage(
      'There is no terminal to ask on, and nothing was submitted. Add --yes to accept the price.',
    );
  const rows = estimate.row_count.toLocaleString('en-US');
  const price = formatAmount(estimate.credits_needed);
  if (await call.terminal.ask(`Enrich ${rows} rows for at most ${price} credits?`)) return;
  throw new CommandError('declined', exitCodes.failed, 'Nothing was submitted or charged.');
}

/** Shows an upload and its price, asks, and submits it; answers the job's id. */
async function submitUpload(
  call: Call,
  engine: EngineClient,
  order: EnrichOrder,
  upload: Upload,
): Promise<string> {
  const mapping = chooseColumns(upload, order.mapping);
  for (const line of describeUpload(upload, mapping)) call.terminal.note(line);
  const body = { upload_id: upload.upload_id, selected_layers: order.selection, mapping };
  const estimate = await engine.request(EstimateDataSchema, 'POST', 'estimate', body);
  for (const line of describeEstimate(estimate)) call.terminal.note(line);
  refuseShortfall(call, estimate);
  await confirm(call, order, estimate);
  const job = await engine.request(SubmitDataSchema, 'POST', 'jobs', {
    ...body,
    ...(order.title === undefined ? {} : { title: order.title }),
  });
  return job.job_id;
}

async function runEnrich(call: Call): Promise<Outcome> {
  const resumed = readResume(call);
  if (resumed !== null) {
    const outPath = readOutPath(call);
    return followJob(call, await call.openEngine(), resumed, outPath);
  }
  const order = readEnrichOrder(call);
  const engine = await call.openEngine();
  const upload = await showTasks(
    call.terminal,
    engine,
    { upload: `Reading ${basename(order.inPath)}` },
    () => engine.request(UploadSchema, 'POST', 'uploads', { path: order.inPath }),
  );
  let jobId: string;
  try {
    jobId = await submitUpload(call, engine, order, upload);
  } finally {
    // The job has rows of its own; an upload that came to nothing is not kept either.
    await engine.request(z.unknown(), 'DELETE', `uploads/${upload.upload_id}`).catch(() => {});
  }
  return followJob(call, engine, jobId, order.outPath);
}

/** The main job. */
export const enrich: Command = {
  name: 'enrich',
  summary: 'Enrich a spreadsheet: estimate, question, progress, CSV',
  usage: 'IN --layers L1,L2|full --out OUT.csv [--title T] [--mapping FILE] [--yes]',
  positionals: [0, 1],
  options: {
    layers: { value: 'CODES', summary: 'the layers, such as L1,L2,MPA, or full' },
    out: { value: 'OUT.csv', summary: 'where the CSV goes; replaced once the new one is whole' },
    title: { value: 'T', summary: "the job's title" },
    mapping: { value: 'FILE', summary: 'JSON of field and header where names are not usual ones' },
    yes: { summary: 'accept the price without a question' },
    resume: { value: 'JOB_ID', summary: 'wait for a job that is there already; with --out alone' },
  },
  notes: [
    'IN is a .csv or .xlsx; its columns and rows come back unchanged, the found ones beside them.',
    'Ctrl+C leaves the job as it is, or cancels it: it asks.',
  ],
  run: runEnrich,
};

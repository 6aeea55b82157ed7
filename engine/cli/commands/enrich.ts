/** `desk enrich`: enriches a list, from the estimate to the CSV. */

import { creditUnits, formatCredits, parseCredits } from '../../contract/credits.ts';
import { EngineError } from '../../contract/errors.ts';
import {
  type EstimateData,
  EstimateDataSchema,
  SubmitDataSchema,
} from '../../contract/jobs/job.ts';
import { ProviderQuoteSchema } from '../../contract/providers.ts';
import type { Upload } from '../../contract/uploads.ts';
import { type Call, type Command, type Outcome, repeatOptions } from '../kit/command.ts';
import { confirmPrice } from '../kit/confirm-price.ts';
import { describeEstimate, describeQuote, describeUpload } from '../kit/describe-order.ts';
import type { EngineClient } from '../kit/engine-client.ts';
import { type EnrichOrder, readEnrichOrder, readResume } from '../kit/enrich-order.ts';
import { followJob } from '../kit/follow-job.ts';
import { formatAmount } from '../kit/format-text.ts';
import { readOutPath } from '../kit/read-paths.ts';
import { chooseColumns, withUpload } from '../kit/upload-list.ts';

/** Throws `insufficient_credits` with the missing amount and how to add it. */
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

/** Shows an upload and its price, asks, and submits it. Resolves with the job's id. */
async function submitUpload(
  call: Call,
  engine: EngineClient,
  order: EnrichOrder,
  upload: Upload,
): Promise<string> {
  const mapping = chooseColumns(upload, order.mapping);
  for (const line of describeUpload(upload, mapping)) call.terminal.note(line);
  const body = {
    ...{ upload_id: upload.upload_id, selected_layers: order.selection, mapping },
    ...(order.newSince === undefined ? {} : { new_since: order.newSince }),
  };
  const estimate = await engine.request(EstimateDataSchema, 'POST', 'estimate', body);
  for (const line of describeEstimate(estimate)) call.terminal.note(line);
  if (order.usesProviders) {
    const rows = {
      ...{ rows: estimate.row_count, selected_layers: estimate.selected_layers },
      open_fields: estimate.preview?.open_fields ?? {},
    };
    const quote = await engine.request(ProviderQuoteSchema, 'POST', 'provider-quote', rows);
    for (const line of describeQuote(quote)) call.terminal.note(line);
  }
  refuseShortfall(call, estimate);
  const count = estimate.row_count.toLocaleString('en-US');
  const price = formatAmount(estimate.credits_needed);
  await confirmPrice(call, `Enrich ${count} rows for at most ${price} credits?`);
  const job = await engine.request(SubmitDataSchema, 'POST', 'jobs', {
    ...body,
    ...(order.title === undefined ? {} : { title: order.title }),
    use_providers: order.usesProviders,
    when_offline: order.whenOffline,
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
  const jobId = await withUpload(call, engine, order.inPath, (upload) =>
    submitUpload(call, engine, order, upload),
  );
  return followJob(call, engine, jobId, order.outPath);
}

export const enrich: Command = {
  name: 'enrich',
  summary: 'Enrich a spreadsheet',
  args: '[IN]',
  options: {
    layers: { value: 'CODES', summary: 'the layers, such as L1,L2,MPA, or full', isRequired: true },
    out: {
      value: 'OUT.csv',
      summary: 'the CSV to write; replaced when the new one is complete',
      isRequired: true,
    },
    title: { value: 'T', summary: "the job's title" },
    mapping: { value: 'FILE', summary: 'JSON of field and header, for unusual column names' },
    'new-since': { value: 'JOB_ID', summary: 'skip the people of this completed job' },
    'no-providers': { summary: 'ask no data service; answers that are stored are still used' },
    'when-offline': {
      value: 'CHOICE',
      summary: 'without a network, rows wait for the data services (default), or leave-out',
    },
    yes: { summary: 'accept the price without asking' },
    resume: { value: 'JOB_ID', summary: 'wait for an existing job; takes --out and nothing else' },
  },
  notes: [
    'IN is a .csv or .xlsx. Its columns and rows stay unchanged; found values are added to them.',
    'Ctrl+C asks whether to cancel the job or let it continue.',
  ],
  run: runEnrich,
};

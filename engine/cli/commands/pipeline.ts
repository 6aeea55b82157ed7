// `desk pipeline …`: looks up, unlocks and verifies many contacts at once.
import { basename } from 'node:path';
import type { z } from 'zod';
import { parseCredits } from '../../contract/credits.ts';
import type { InputOf } from '../../contract/endpoints.ts';
import { EngineError } from '../../contract/errors.ts';
import { UuidSchema } from '../../contract/ids.ts';
import type { Mapping } from '../../contract/jobs/row-input.ts';
import { type PipelineEstimate, pipelines } from '../../contract/pipelines/app-pipelines.ts';
import {
  NewPipelineSchema,
  type PipelineKind,
  pipelineKinds,
} from '../../contract/pipelines/pipeline.ts';
import { parseWith } from '../../http/bodies/parse-with.ts';
import {
  type Call,
  type Command,
  type Outcome,
  readOption,
  repeatOptions,
  requireOption,
} from '../kit/command.ts';
import { confirmPrice } from '../kit/confirm-price.ts';
import { describeUpload } from '../kit/describe-order.ts';
import type { EngineClient } from '../kit/engine-client.ts';
import {
  cancelPipeline,
  followPipeline,
  presentPipeline,
  readPipeline,
} from '../kit/follow-pipeline.ts';
import {
  formatAmount,
  formatCount,
  formatCreditCount,
  formatNumber,
  formatTable,
} from '../kit/format-text.ts';
import { readRowMapping, readTitle } from '../kit/list-options.ts';
import { limitOption, readLimit } from '../kit/read-limit.ts';
import { readFormat, readInPath, readOutPath } from '../kit/read-paths.ts';
import { badUsage, notAnId } from '../kit/refusal.ts';
import { showTasks } from '../kit/task-progress.ts';
import { chooseColumns, withUpload } from '../kit/upload-list.ts';

const FiltersSchema = NewPipelineSchema.shape.filters.unwrap();

interface PipelineOrder {
  readonly filters: z.output<typeof FiltersSchema> | null;
  readonly inPath: string | null;
  readonly mapping: Mapping | undefined;
  readonly unlock: readonly PipelineKind[];
  readonly verify: boolean;
  readonly title: string | undefined;
}

function readFilters(text: string): PipelineOrder['filters'] {
  const example = `Write a JSON object such as '{"job_level":"Director","limit":500}'`;
  try {
    return parseWith(FiltersSchema, JSON.parse(text));
  } catch (error) {
    if (error instanceof EngineError) throw badUsage(`--filters: ${error.message}`);
    throw badUsage(`--filters is not JSON (${(error as Error).message}). ${example}.`);
  }
}

function readUnlock(call: Call): PipelineKind[] {
  const text = requireOption(call, 'unlock', 'name email, phone, or both as email,phone');
  const words = text.split(/[\s,]+/).flatMap((word) => word.toLowerCase() || []);
  const stray = words.find((word) => !(pipelineKinds as readonly string[]).includes(word));
  if (stray !== undefined || words.length === 0)
    throw badUsage(`--unlock ${text}: name email, phone, or both as email,phone.`);
  return pipelineKinds.filter((kind) => words.includes(kind));
}

function readPipelineOrder(call: Call): PipelineOrder {
  const filters = readOption(call, 'filters');
  const contacts = readOption(call, 'contacts');
  if ((filters === undefined) === (contacts === undefined))
    throw badUsage('Choose the contacts: either --filters JSON or --contacts FILE.csv.');
  const unlock = readUnlock(call);
  const verify = call.values.verify === true;
  if (verify && !unlock.includes('email'))
    throw badUsage('--verify checks the emails that are unlocked: add email to --unlock.');
  const mapping = readRowMapping(call);
  if (mapping !== undefined && contacts === undefined)
    throw badUsage('--mapping names columns of --contacts, which is not given.');
  return {
    unlock,
    verify,
    mapping,
    filters: filters === undefined ? null : readFilters(filters),
    inPath: contacts === undefined ? null : readInPath(call, contacts),
    title: readTitle(call),
  };
}

type Subject = Pick<InputOf<typeof pipelines.estimate>, 'filters' | 'upload_id' | 'mapping'>;

function describeEstimate(estimate: PipelineEstimate): string[] {
  const { preview } = estimate;
  const isWhole = preview.sampled === estimate.contacts;
  const looked = isWhole ? 'them' : `a sample of ${formatCount(preview.sampled)}`;
  return [
    `Price: ${formatNumber(estimate.contacts, 'contact')}, at most ` +
      `${formatCreditCount(estimate.credits_most)}; you pay only for values that are found`,
    ...formatTable(
      estimate.breakdown.map(({ code, price, subtotal }) => [
        `  ${code}`,
        `${formatAmount(price)} each`,
        formatAmount(subtotal),
      ]),
      [1, 2],
    ),
    `Available: ${formatCreditCount(estimate.available_credits)}`,
    `The directory has ${formatCount(preview.matched)} of ${looked}: ` +
      `${formatCount(preview.with_email)} with an email, ` +
      `${formatCount(preview.with_phone)} with a phone, ` +
      `${formatNumber(preview.owned_values, 'value')} already yours; expected ` +
      `${formatCreditCount(preview.expected_credits)}`,
  ];
}

/** Throws `insufficient_credits` if the wallet is empty and a charge is expected. */
function refuseEmptyWallet(
  call: Call,
  { available_credits, sufficient, preview }: PipelineEstimate,
): void {
  const isEmpty = !sufficient && parseCredits(available_credits) === 0;
  if (!isEmpty || parseCredits(preview.expected_credits) === 0) return;
  throw new EngineError(
    'insufficient_credits',
    'The wallet is empty, so nothing new can be unlocked. Nothing was started. Run ' +
      `"desk wallet grant CREDITS${repeatOptions(call)}" first.`,
  );
}

async function startPriced(
  call: Call,
  engine: EngineClient,
  { unlock, verify, title }: PipelineOrder,
  subject: Subject,
): Promise<string> {
  const body = { ...subject, unlock: [...unlock], verify_emails: verify };
  const estimate = await engine.ask(pipelines.estimate, body);
  for (const line of describeEstimate(estimate)) call.terminal.note(line);
  refuseEmptyWallet(call, estimate);
  const { credits_most: most, available_credits: available, sufficient } = estimate;
  if (!sufficient)
    call.terminal.note(
      'Values that the available credits do not cover stay locked and cost nothing.',
    );
  const price = formatCreditCount(sufficient ? most : available);
  const contacts = formatNumber(estimate.contacts, 'contact');
  await confirmPrice(call, `Unlock ${contacts} for at most ${price}?`);
  const started = await engine.ask(pipelines.startHere, { ...body, title });
  return started.pipeline_id;
}

async function runStart(call: Call): Promise<Outcome> {
  const order = readPipelineOrder(call);
  const engine = await call.openEngine();
  const start = (subject: Subject) => startPriced(call, engine, order, subject);
  const { inPath, filters } = order;
  const id =
    inPath === null
      ? await start({ filters: filters ?? undefined })
      : await withUpload(call, engine, inPath, (upload) => {
          const mapping = chooseColumns(upload, order.mapping);
          for (const line of describeUpload(upload, mapping)) call.terminal.note(line);
          return start({ upload_id: upload.upload_id, mapping });
        });
  return followPipeline(call, engine, id);
}

function readId(call: Call): string {
  const [id = ''] = call.positionals;
  if (!UuidSchema.safeParse(id).success) throw notAnId(`"${id}"`, 'a pipeline', 'pipeline list');
  return id.toLowerCase();
}

async function runResult(call: Call): Promise<Outcome> {
  const id = readId(call);
  const path = readOutPath(call);
  const format = readFormat(path);
  const engine = await call.openEngine();
  const labels = { export: `Writing ${basename(path)}` };
  const { rows } = await showTasks(call.terminal, engine, labels, () =>
    engine.ask(pipelines.exportRows, { id, path, format }),
  );
  return {
    json: { pipeline_id: id, rows, out: path },
    lines: [`${formatNumber(rows, 'contact')}: ${path}`],
  };
}

const startCommand: Command = {
  name: 'pipeline start',
  summary: 'Look up contacts, unlock their emails and phones, and verify the emails',
  options: {
    filters: {
      value: 'JSON',
      summary: 'people in the directory, by the filters of search_contacts',
    },
    contacts: { value: 'FILE.csv', summary: 'the rows of a .csv or .xlsx' },
    unlock: { value: 'KINDS', summary: 'email, phone, or both', isRequired: true },
    verify: { summary: 'also validate the unlocked emails' },
    title: { value: 'T', summary: "the pipeline's title" },
    mapping: { value: 'FILE', summary: 'JSON of field and header, for unusual column names' },
    yes: { summary: 'accept the price without asking' },
  },
  notes: [
    'Give either --filters or --contacts.',
    'It never spends more than is available: values that the credits do not cover stay locked.',
    'Ctrl+C asks whether to cancel the pipeline or let it continue.',
  ],
  run: runStart,
};

export const pipelineCommands: readonly Command[] = [
  startCommand,
  {
    name: 'pipeline list',
    summary: 'List the pipelines of an account, newest first',
    options: { limit: limitOption('pipelines') },
    async run(call) {
      const limit = readLimit(call);
      const engine = await call.openEngine();
      const { count, results } = await engine.ask(pipelines.list, { limit });
      const rows = results.map((one) => [
        one.pipeline_id,
        one.created_at,
        one.title || 'Untitled',
        presentPipeline(one),
      ]);
      const lines = [...formatTable(rows), `${results.length} of ${count} pipelines`];
      return { json: { count, results }, lines };
    },
  },
  {
    name: 'pipeline show',
    summary: 'Show the state of a pipeline',
    args: '<ID>',
    async run(call) {
      const id = readId(call);
      const pipeline = await readPipeline(await call.openEngine(), id);
      return { json: pipeline, lines: [presentPipeline(pipeline)] };
    },
  },
  {
    name: 'pipeline cancel',
    summary: 'Cancel a pipeline; unlocked values stay and are charged',
    args: '<ID>',
    async run(call) {
      const id = readId(call);
      return cancelPipeline(await call.openEngine(), id);
    },
  },
  {
    name: 'pipeline result',
    summary: 'Write the contacts of a completed pipeline',
    args: '<ID>',
    options: {
      out: {
        value: 'OUT',
        summary:
          'the .csv, .xlsx, .jsonl or .parquet to write; replaced when the new one is complete',
        isRequired: true,
      },
    },
    run: runResult,
  },
];

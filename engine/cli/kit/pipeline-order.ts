/** Reads the order of `desk pipeline start`; checks what can be checked without the engine. */
import type { z } from 'zod';
import type { Mapping } from '../../contract/jobs/row-input.ts';
import {
  NewPipelineSchema,
  type PipelineKind,
  pipelineKinds,
} from '../../contract/pipelines/pipeline.ts';
import { type Call, readOption, requireOption } from './command.ts';
import { readRowMapping, readTitle } from './list-options.ts';
import { readInPath } from './read-paths.ts';
import { badUsage } from './refusal.ts';

const FiltersSchema = NewPipelineSchema.shape.filters.unwrap();

/** A pipeline to start: over the people that a search finds, or over the rows of a file. */
export interface PipelineOrder {
  readonly filters: z.output<typeof FiltersSchema> | null;
  readonly inPath: string | null;
  readonly mapping: Mapping | undefined;
  readonly unlock: readonly PipelineKind[];
  readonly verify: boolean;
  readonly title: string | undefined;
}

/** Reads --filters. Throws bad usage if it is not a JSON object of filters. */
function readFilters(text: string): PipelineOrder['filters'] {
  const example = `Write a JSON object such as '{"job_level":"Director","limit":500}'`;
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    throw badUsage(`--filters is not JSON (${(error as Error).message}). ${example}.`);
  }
  const found = FiltersSchema.safeParse(parsed);
  if (found.success) return found.data;
  const [issue] = found.error.issues;
  const place = issue?.path.join('.');
  throw badUsage(`--filters${place ? `, ${place}` : ''}: ${issue?.message}. ${example}.`);
}

/** Reads --unlock. Throws bad usage if it names anything but email and phone. */
function readUnlock(call: Call): PipelineKind[] {
  const text = requireOption(call, 'unlock', 'name email, phone, or both as email,phone');
  const words = text.split(/[\s,]+/).flatMap((word) => word.toLowerCase() || []);
  const stray = words.find((word) => !(pipelineKinds as readonly string[]).includes(word));
  if (stray !== undefined || words.length === 0)
    throw badUsage(`--unlock ${text}: name email, phone, or both as email,phone.`);
  return pipelineKinds.filter((kind) => words.includes(kind));
}

/** Reads the arguments of a new pipeline. Throws bad usage. */
export function readPipelineOrder(call: Call): PipelineOrder {
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

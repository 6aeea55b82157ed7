/** What `desk enrich` is asked to do, checked as far as it can be without the engine. */
import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { UuidSchema } from '../../contract/ids.ts';
import { layerCodes, resolveSelection } from '../../contract/jobs/layers.ts';
import { type Mapping, MappingSchema, rowInputFields } from '../../contract/jobs/row-input.ts';
import { titleCharactersMax } from '../../contract/limits/jobs.ts';
import { type Call, readOption, requireOption } from './command.ts';
import { readMappingFile } from './read-mapping.ts';
import { badUsage } from './refusal.ts';

/** A list to be enriched. */
export interface EnrichOrder {
  readonly inPath: string;
  readonly outPath: string;
  readonly selection: readonly string[];
  readonly title: string | undefined;
  readonly mapping: Mapping | undefined;
}

/** The codes of --layers, or ["full"]. Throws bad usage for what breaks their rules. */
function readLayers(text: string): string[] {
  const words = text.split(/[\s,]+/).filter((word) => word !== '');
  const codes = words.map((word) => (/^full$/i.test(word) ? 'full' : word.toUpperCase()));
  if (codes.length === 0) throw badUsage('--layers is empty. Name some, such as L1,L2, or full.');
  // Which layers are switched on is the account's matter, and the engine's answer.
  const answer = resolveSelection(codes, layerCodes);
  if ('problem' in answer) throw badUsage(`--layers ${text}: ${answer.problem}`);
  return codes;
}

/** The real place of a path that need not exist yet. */
const locate = (path: string): string =>
  existsSync(path) ? realpathSync(path) : join(realpathSync(dirname(path)), basename(path));

/** Where the CSV goes. Throws bad usage where nothing can be written there. */
export function readOutPath(call: Call): string {
  const outPath = call.resolvePath(requireOption(call, 'out', 'say where the CSV goes'));
  if (!statSync(dirname(outPath), { throwIfNoEntry: false })?.isDirectory())
    throw badUsage(`--out: there is no folder ${dirname(outPath)}. Make it first.`);
  if (statSync(outPath, { throwIfNoEntry: false })?.isDirectory())
    throw badUsage(`--out: ${outPath} is a folder. Name a file in it.`);
  return locate(outPath);
}

/** A file that a command reads. Throws bad usage where there is none. */
export function readInPath(call: Call, path: string): string {
  const inPath = call.resolvePath(path);
  if (!statSync(inPath, { throwIfNoEntry: false })?.isFile())
    throw badUsage(`There is no file ${inPath}. Check its name and folder.`);
  return realpathSync(inPath);
}

/** Refuses to write over the file that is read. */
export function refuseSameFile(inPath: string, outPath: string): void {
  if (inPath === outPath)
    throw badUsage(
      `--out is the input itself (${inPath}). Name another file: it is never changed.`,
    );
}

/** The mapping of --mapping, by row fields. Throws bad usage where it names another. */
export function readRowMapping(call: Call): Mapping | undefined {
  const given = readMappingFile(call);
  if (given === undefined) return undefined;
  const found = MappingSchema.safeParse(given);
  if (found.success) return found.data;
  const field = Object.keys(given).find(
    (name) => !(rowInputFields as readonly string[]).includes(name),
  );
  throw badUsage(
    `--mapping: there is no field ${JSON.stringify(field)}. ` +
      `Fields are ${rowInputFields.join(', ')}.`,
  );
}

/** The title of --title, undefined without one. Throws bad usage where it is too long. */
export function readTitle(call: Call): string | undefined {
  const title = readOption(call, 'title');
  if (title !== undefined && title.length > titleCharactersMax)
    throw badUsage(`--title is longer than ${titleCharactersMax} characters.`);
  return title;
}

/** Reads the arguments of a new job. Throws bad usage. */
export function readEnrichOrder(call: Call): EnrichOrder {
  const [input] = call.positionals;
  if (input === undefined)
    throw badUsage('Name the list to enrich: desk enrich IN --layers L1,L2 --out OUT.csv');
  const selection = readLayers(
    requireOption(call, 'layers', 'name layers, such as L1,L2, or full'),
  );
  const inPath = readInPath(call, input);
  const outPath = readOutPath(call);
  refuseSameFile(inPath, outPath);
  const title = readTitle(call);
  const mapping = readRowMapping(call);
  return { inPath, outPath, selection, title, mapping };
}

/** The job of --resume, null without one. Throws bad usage where the rest does not fit to it. */
export function readResume(call: Call): string | null {
  const jobId = readOption(call, 'resume');
  if (jobId === undefined) return null;
  const tooMuch = ['layers', 'title', 'mapping', 'yes'].find((name) => name in call.values);
  if (call.positionals.length > 0 || tooMuch !== undefined)
    throw badUsage(
      '--resume takes a job that is there already: give --out beside it, nothing else.',
    );
  if (!UuidSchema.safeParse(jobId).success) throw badUsage(`--resume ${jobId} is no job's id.`);
  return jobId.toLowerCase();
}

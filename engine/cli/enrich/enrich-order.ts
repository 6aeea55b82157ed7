// Reads the order of `desk enrich`, and checks what can be checked without the engine.
import type { CrmExport } from '../../contract/exports/crm-export.ts';
import type { ExportFormat } from '../../contract/exports/export-formats.ts';
import type { Overwrite } from '../../contract/exports/overwrite.ts';
import type { JobOptions } from '../../contract/jobs/app-jobs.ts';
import { layerCodes, resolveSelection } from '../../contract/jobs/layers.ts';
import { type WhenOffline, whenOfflineChoices } from '../../contract/jobs/offline.ts';
import type { Mapping } from '../../contract/jobs/row-input.ts';
import {
  type Call,
  groupOptions,
  type Options,
  readJobId,
  readOption,
  requireOption,
} from '../kit/command.ts';
import { readRowMapping, readTitle } from '../kit/list-options.ts';
import { readFormat, readInPath, readOutPath, refuseSameFile } from '../kit/read-paths.ts';
import { readingOptions } from '../kit/reading-options.ts';
import { badUsage } from '../kit/refusal.ts';
import { readOverwriteRules } from './read-overwrite-rules.ts';
import { readPreset } from './read-preset.ts';

export interface ResultFile {
  readonly outPath: string;
  readonly format: ExportFormat;
  readonly overwrite: Overwrite | null;
  readonly preset: CrmExport | null;
  /** The second file, of people who become new records; null without one. */
  readonly newPeoplePath: string | null;
  /** Whether ids and kept columns of own lists are added; undefined without a choice. */
  readonly ownLists: boolean | undefined;
  readonly hasSources: boolean;
}

export interface EnrichOrder {
  readonly inPath: string;
  readonly file: ResultFile;
  readonly selection: readonly string[];
  readonly title: string | undefined;
  readonly mapping: Mapping | undefined;
  readonly options: JobOptions;
}

const whenOffline = 'when-offline';

export const newJobOptions: Options = {
  ...groupOptions('What to enrich', {
    layers: { value: 'CODES', summary: 'the layers, such as L1,L2,MPA, or full', isRequired: true },
    title: { value: 'T', summary: "the job's title" },
    'new-since': { value: 'JOB_ID', summary: 'skip the people of this completed job' },
    'no-providers': { summary: 'ask no data service; answers that are stored are still used' },
    [whenOffline]: {
      value: 'CHOICE',
      summary:
        'wait (default) if data services or the team’s directory cannot be reached, or leave-out ' +
        'to end without them; also with --resume',
    },
    yes: { summary: 'accept the price without asking' },
    again: { summary: 'submit a second job even if one of the same rows and layers is unfinished' },
  }),
  ...groupOptions('How IN is read', {
    mapping: { value: 'FILE', summary: 'JSON of field and header, for unusual column names' },
    ...readingOptions,
    'split-people': { summary: 'make a row for each of several people in a name cell' },
  }),
};

const readJobOptions = (call: Call): JobOptions => ({
  new_since: readJobId(call, 'new-since'),
  use_providers: call.values['no-providers'] === undefined,
  when_offline: readWhenOffline(call) ?? 'wait',
});

function readLayers(text: string): string[] {
  const words = text.split(/[\s,]+/).filter((word) => word !== '');
  const codes = words.map((word) => (/^full$/i.test(word) ? 'full' : word.toUpperCase()));
  if (codes.length === 0) throw badUsage('--layers is empty. Name some, such as L1,L2, or full.');
  // The engine knows which layers are active for the account.
  const answer = resolveSelection(codes, layerCodes);
  if ('problem' in answer) throw badUsage(`--layers ${text}: ${answer.problem}`);
  return codes;
}

export function readWhenOffline(call: Call): WhenOffline | undefined {
  const text = readOption(call, 'when-offline');
  if (text === undefined) return undefined;
  const choice = whenOfflineChoices.find((one) => one === text.replace('-', '_'));
  if (choice === undefined) throw badUsage(`--when-offline ${text}: choose wait or leave-out.`);
  return choice;
}

/** What --new-people says if they are in no file. */
const leaveOut = 'leave-out';

export function readResultFile(call: Call): ResultFile {
  const outPath = readOutPath(call);
  const preset = readPreset(call);
  const newPeople = readOption(call, 'new-people') ?? leaveOut;
  const newPeoplePath = newPeople === leaveOut ? null : readOutPath(call, 'new-people');
  if (newPeoplePath !== null) {
    if (newPeoplePath === outPath)
      throw badUsage('--new-people and --out are the same file. Name two files.');
    readFormat(newPeoplePath, 'new-people');
  }
  return {
    outPath,
    format: readFormat(outPath),
    overwrite: readOverwriteRules(call),
    preset,
    newPeoplePath,
    ownLists: 'own-lists' in call.values || undefined,
    hasSources: 'sources' in call.values,
  };
}

export function readEnrichOrder(call: Call): EnrichOrder {
  const [input] = call.positionals;
  if (input === undefined)
    throw badUsage('Name the list to enrich: desk enrich IN --layers L1,L2 --out OUT.csv');
  const selection = readLayers(
    requireOption(call, 'layers', 'name layers, such as L1,L2, or full'),
  );
  const inPath = readInPath(call, input);
  if ('dry-run' in call.values)
    throw badUsage('--dry-run shows what rules change in a finished job: give --resume JOB_ID.');
  const file = readResultFile(call);
  refuseSameFile(inPath, file.outPath);
  if (file.newPeoplePath !== null) refuseSameFile(inPath, file.newPeoplePath, 'new-people');
  const title = readTitle(call);
  const mapping = readRowMapping(call);
  return { inPath, file, selection, title, mapping, options: readJobOptions(call) };
}

/** The job of --resume, null without it. Throws bad usage for options that it excludes. */
export function readResume(call: Call): string | null {
  if (readOption(call, 'resume') === undefined) return null;
  const tooMuch = Object.keys(newJobOptions).find(
    (name) => name !== whenOffline && name in call.values,
  );
  const extra = call.positionals.length > 0 ? 'IN' : tooMuch && `--${tooMuch}`;
  if (extra !== undefined)
    throw badUsage(
      `--resume takes a job as it is, without ${extra}. For a new job, leave out --resume.`,
    );
  return readJobId(call, 'resume') ?? null;
}

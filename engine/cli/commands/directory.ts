// `desk directory …`: import people and companies, see them, undo, match companies.
import { z } from 'zod';
import {
  companyImportFields,
  type DirectoryStats,
  describeImportCounts,
  directory,
  type ImportReport,
  importRemarkWords,
  keepRest,
  keptField,
  nameImport,
  personImportFields,
} from '../../contract/directory.ts';
import { imports, toItsEnd } from '../../contract/imports.ts';
import { suppression } from '../../contract/suppression/suppression.ts';
import { parseRecords } from '../../spreadsheet/read-rows.ts';
import { type Call, type Command, type Option, type Outcome, readOption } from '../kit/command.ts';
import { formatCount, formatNumber, formatTable } from '../kit/format-text.ts';
import { readMappingFile } from '../kit/list-options.ts';
import { readFormat, readInPath, readOutPath, refuseSameFile } from '../kit/read-paths.ts';
import {
  describeOtherLines,
  describeRemarks,
  describeUnread,
  hintAtOptions,
  listLines,
  readingHints,
  readingOptions,
  readReading,
} from '../kit/reading-options.ts';
import { badUsage, exitCodes, notAnId } from '../kit/refusal.ts';
import { stopOnInterrupt } from '../kit/stop-on-interrupt.ts';
import { showTasks } from '../kit/task-progress.ts';

const allRemarks = 'run "desk directory stats --json", or see the app';
const importLabels = { import: 'Importing', index: 'Indexing the directory' };
const undoLabels = { undo: 'Undoing', index: 'Indexing the directory' };

function readTrust(call: Call): number | undefined {
  const text = readOption(call, 'trust');
  if (text === undefined) return undefined;
  const trust = text.trim() === '' ? Number.NaN : Number(text);
  if (!(trust >= 0 && trust <= 1)) throw badUsage(`--trust ${text}: give a number from 0 to 1.`);
  return trust;
}

function readDayOrder(call: Call): 'day_first' | 'month_first' | undefined {
  const text = readOption(call, 'dates');
  if (text === undefined) return undefined;
  if (text === 'day-first') return 'day_first';
  if (text === 'month-first') return 'month_first';
  throw badUsage(`--dates ${text}: give day-first or month-first.`);
}

function readKeep(call: Call): string[] | undefined {
  const text = readOption(call, 'keep');
  if (text === undefined) return undefined;
  if (text.trim() === 'all') return [keepRest];
  if (text.trim() === 'none') return [];
  const [cells = []] = parseRecords(Buffer.from(`${text}\n`));
  const headers = cells.map((header) => header.trim());
  if (headers.length === 0 || headers.some((header) => header === ''))
    throw badUsage(`--keep ${text}: name columns, separated by commas, or all or none.`);
  return headers;
}

function readObserved(call: Call): string | undefined {
  const observed = readOption(call, 'observed');
  if (observed === undefined || z.iso.date().safeParse(observed).success) return observed;
  throw badUsage(`--observed ${observed} is not a date. Write it as YYYY-MM-DD.`);
}

const describeCounts = (report: ImportReport): string =>
  describeImportCounts(
    report,
    (count, one, many) => `${formatCount(count)} ${count === 1 ? one : many}`,
  ) || 'nothing imported';

function describeHints({ remarks }: ImportReport): string[] {
  const about = (words: string) => remarks.filter(({ message }) => message.includes(words));
  const [others, days] = [about(importRemarkWords.notARow), about(importRemarkWords.twoDays)];
  const letters = about(importRemarkWords.letters);
  return [
    ...(letters.length === 0 ? [] : [`  letters: ${readingHints.letters}`]),
    ...(others.length === 0
      ? []
      : [`  ${listLines(others)} left out as no rows: ${readingHints.otherLines}`]),
    ...(days.length === 0 ? [] : [`  dates in ${listLines(days)}: ${readingHints.twoDays}`]),
  ];
}

const fieldNotes: Readonly<Record<string, string>> = {
  suppressed: ' (any with yes, a day, or words such as "unsubscribed" and "do not contact")',
  subscription: ' (any with a word such as "unsubscribed")',
  consent: ' (any with no)',
};

const fieldLabels: Readonly<Record<string, string>> = {
  ...companyImportFields,
  ...personImportFields,
};

function describeColumns({ columns }: ImportReport): string[] {
  return [...new Set(columns.map(({ file }) => file))].flatMap((file) => {
    const ofFile = columns.filter((column) => column.file === file);
    const fields = new Set(
      ofFile.flatMap(({ field }) => (field === keptField ? [] : (field ?? []))),
    );
    const read = [...fields].map((name) => {
      const headers = ofFile.flatMap(({ header, field }) => (field === name ? [header] : []));
      const first = headers.length > 1 ? ' (the first that is filled)' : '';
      return `${headers.join(' or ')} → ${fieldLabels[name] ?? name}${fieldNotes[name] ?? first}`;
    });
    const kept = ofFile.flatMap(({ header, field }) => (field === keptField ? [header] : []));
    const left = ofFile.flatMap(({ header, field }) => (field === null ? [header] : []));
    return [
      ...(read.length > 0 ? [`  ${file}: columns read: ${read.join(', ')}`] : []),
      ...(kept.length > 0 ? [`  ${file}: columns kept as they are: ${kept.join(', ')}`] : []),
      ...describeUnread(left, 'import', file),
    ];
  });
}

function describeReport(report: ImportReport): Outcome {
  const name = `Import ${report.import_id} (${nameImport(report)})`;
  if (report.status === 'failed')
    return {
      exitCode: exitCodes.failed,
      json: report,
      lines: [
        ...describeRemarks(report.remarks, allRemarks),
        `${name} failed: ${report.error ?? 'the reason is unknown.'} Nothing was imported.`,
      ],
    };
  const remarks =
    report.status === 'undone'
      ? []
      : [...describeRemarks(report.remarks, allRemarks), ...describeHints(report)];
  const what =
    report.status === 'undone'
      ? 'is undone. It had added'
      : `is done, ${formatNumber(report.rows_read, 'row')}`;
  const columns = report.status === 'undone' ? [] : describeColumns(report);
  return {
    json: report,
    lines: [...columns, ...remarks, `${name} ${what}: ${describeCounts(report)}`],
  };
}

async function runImport(call: Call): Promise<Outcome> {
  const [people] = call.positionals;
  const companies = readOption(call, 'companies');
  if (people === undefined && companies === undefined)
    throw badUsage('Name a file: desk directory import PEOPLE.csv [--companies COMPANIES.csv]');
  const body = {
    people_path: people === undefined ? undefined : readInPath(call, people),
    companies_path: companies === undefined ? undefined : readInPath(call, companies),
    source: readOption(call, 'source'),
    observed: readObserved(call),
    trust: readTrust(call),
    day_order: readDayOrder(call),
    mapping: readMappingFile(call),
    keep: readKeep(call),
    reading: readReading(call),
    began_at: new Date().toISOString(),
  };
  const engine = await call.openEngine();
  const stopped = 'No import is left half done. "desk directory stats" lists the complete ones.';
  const report = await stopOnInterrupt(call, stopped, (signal) =>
    showTasks(call.terminal, engine, importLabels, () =>
      engine.ask(toItsEnd(imports.start), { wait: '1', ...body }, signal),
    ),
  ).catch((error: unknown) => {
    throw hintAtOptions(error, call);
  });
  const outcome = describeReport(report);
  if (report.status !== 'completed' || call.values['suppress-opt-outs'] !== true) return outcome;
  const { added } = await engine.ask(suppression.addOptOuts);
  const line = `Suppression list: ${formatNumber(added, 'value')} of people who opted out added`;
  return { ...outcome, lines: [...outcome.lines, line] };
}

function describeStats(stats: DirectoryStats, isOwn: boolean): string[] {
  const imports = stats.imports.map((one) => [
    `  ${one.import_id}`,
    one.status,
    nameImport(one),
    one.started_at,
    one.error ?? describeCounts(one),
  ]);
  const index = stats.index_error === null ? stats.index : `${stats.index} (${stats.index_error})`;
  return [
    ...(imports.length === 0 ? [] : ['Imports:', ...formatTable(imports)]),
    // The command's own engine has just started and is still loading the index.
    ...(isOwn && stats.index === 'building' ? [] : [`Matching index: ${index}`]),
    `${formatCount(stats.people)} people (${formatCount(stats.people_with_email)} with an email, ` +
      `${formatCount(stats.people_with_phone)} with a phone), ` +
      `${formatCount(stats.companies)} companies`,
  ];
}

async function runStats(call: Call): Promise<Outcome> {
  const engine = await call.openEngine();
  const stats = await engine.ask(directory.read);
  return { json: stats, lines: describeStats(stats, engine.isOwn) };
}

async function runUndo(call: Call): Promise<Outcome> {
  const id = call.positionals[0] ?? '';
  if (!/^\d+$/.test(id)) throw notAnId(`"${id}"`, 'an import', 'directory stats');
  const engine = await call.openEngine();
  const report = await showTasks(call.terminal, engine, undoLabels, () =>
    engine.ask(imports.undo, { import_id: Number(id) }),
  );
  return describeReport(report);
}

async function runMatchCompanies(call: Call): Promise<Outcome> {
  const inPath = readInPath(call, call.positionals[0] ?? '');
  const outPath = readOutPath(call);
  refuseSameFile(inPath, outPath);
  readFormat(outPath, 'out', ['csv']);
  const engine = await call.openEngine();
  const reading = readReading(call);
  const body = { path: inPath, out_path: outPath, mapping: readMappingFile(call), reading };
  const found = await stopOnInterrupt(call, 'Nothing was written.', (signal) =>
    engine.ask(imports.matchCompanies, body, signal),
  ).catch((error: unknown) => {
    throw hintAtOptions(error, call);
  });
  const { rows, matched, not_read: notRead, not_read_count: notReadCount } = found;
  return {
    json: { ...found, out: outPath },
    lines: [
      ...describeUnread(found.columns_not_read, 'mapping'),
      ...describeOtherLines(notRead, notReadCount),
      `${formatCount(matched)} of ${formatNumber(rows, 'row')} matched: ${outPath}`,
    ],
  };
}

const mappingOption: Option = {
  value: 'FILE',
  summary: 'JSON of field and header, for unusual column names',
};

export const directoryCommands: readonly Command[] = [
  {
    name: 'directory import',
    summary: 'Import people and companies into the directory',
    args: '[PEOPLE.csv]',
    options: {
      companies: { value: 'FILE', summary: 'companies, with or without people' },
      source: { value: 'NAME', summary: "the name of the source (default: the file's name)" },
      observed: { value: 'DATE', summary: 'the day of the data, YYYY-MM-DD (default: today)' },
      dates: {
        value: 'ORDER',
        summary: 'order of 05/04/2020 where no date shows it: day-first or month-first',
      },
      'suppress-opt-outs': {
        summary: 'add people who opted out to the suppression list, where they outlast the import',
      },
      trust: { value: 'T', summary: 'how far to trust it, 0 to 1 (default: 0.8)' },
      mapping: mappingOption,
      keep: {
        value: 'COLUMNS',
        summary:
          'columns to keep as they are and to return with every match, separated by commas; all ' +
          'for those that become no field; none (default: owner and lifecycle stage, with ids)',
      },
      ...readingOptions,
    },
    notes: ['An import is complete or has no effect, and can be undone as a whole.'],
    run: runImport,
  },
  {
    name: 'directory stats',
    summary: 'Show what the directory holds, and its imports',
    run: runStats,
  },
  {
    name: 'directory undo',
    summary: 'Undo a whole import',
    args: '<IMPORT_ID>',
    run: runUndo,
  },
  {
    name: 'directory match-companies',
    summary: 'Find the companies of a list in the directory',
    args: '<IN.csv>',
    options: {
      out: {
        value: 'OUT.csv',
        summary: 'the CSV to write: the columns of IN, then id, name and confidence',
        isRequired: true,
      },
      mapping: mappingOption,
      ...readingOptions,
    },
    run: runMatchCompanies,
  },
];

// `desk suppress …`: people and values that are never matched, shown, exported or sent.
import {
  suppressionAddedMax,
  suppressionPage,
} from '../../../contract/limits/privacy/suppression.ts';
import {
  describeHidden,
  type SuppressionEntry,
  type SuppressionKind,
  type SuppressionReport,
  suppression,
  suppressionKinds,
  suppressionReading,
} from '../../../contract/suppression/suppression.ts';
import { uploads } from '../../../contract/uploads.ts';
import { type Call, type Command, type Outcome, readJobId, readOption } from '../../kit/command.ts';
import { formatCount, formatNumber, formatTable } from '../../kit/format-text.ts';
import { readBefore } from '../../kit/read-limit.ts';
import { readInPath } from '../../kit/read-paths.ts';
import { describeRemarks, readingOptions, readReading } from '../../kit/reading-options.ts';
import { badUsage, exitCodes, notAnId } from '../../kit/refusal.ts';

const kindOption = {
  value: 'KIND',
  summary: `${suppressionKinds.join(', ')}; by default recognised from the value`,
} as const;
const reasonOption = { value: 'TEXT', summary: 'why, as the list shows it' } as const;

function readKind(call: Call): SuppressionKind | undefined {
  const text = readOption(call, 'kind');
  if (text === undefined) return undefined;
  const kind = suppressionKinds.find((one) => one === text);
  if (!kind) throw badUsage(`--kind is ${text}, but must be ${suppressionKinds.join(', ')}.`);
  return kind;
}

const readValues = (call: Call) => {
  const kind = readKind(call);
  return call.positionals.map((value) => ({ value, ...(kind && { kind }) }));
};

function describeReport(report: SuppressionReport, of: 'value' | 'line'): Outcome {
  const { added, known, unreadable } = report;
  const remarks = report.remarks.map(({ line, what }) => ({ line, message: what }));
  return {
    exitCode: unreadable > 0 ? exitCodes.failed : exitCodes.done,
    json: report,
    lines: [
      ...describeRemarks(remarks, 'add --json to see all', of),
      `${formatNumber(added, 'value')} added, ${known} known, ${unreadable} unreadable. ` +
        describeHidden(report, formatCount),
    ],
  };
}

const describeEntry = (entry: SuppressionEntry): string[] => [
  String(entry.id),
  entry.kind,
  entry.value,
  entry.added_at.slice(0, 10),
  entry.source,
  entry.author,
  entry.reason,
  ...(entry.job_id === null ? [] : [`job ${entry.job_id}`]),
];

const addCommand: Command = {
  name: 'suppress add',
  summary: 'Suppress people, emails, domains, companies, phones or profile URLs',
  args: '<VALUE...>',
  options: { kind: kindOption, reason: reasonOption },
  notes: [
    'A domain covers its subdomains; *.example.com covers only the subdomains.',
    'A company needs --kind company. A person is a UUID in the directory or "Name | Employer".',
    'The list applies to all accounts and to staging. The exit code is 1 if a value is unreadable.',
  ],
  async run(call) {
    const body = { values: readValues(call), reason: readOption(call, 'reason') ?? '' };
    const engine = await call.openEngine();
    const report = await engine.ask(suppression.add, body);
    return describeReport(report, 'value');
  },
};

const importCommand: Command = {
  name: 'suppress import',
  summary: 'Add the values of a list to the suppression list',
  args: '<FILE>',
  options: {
    ...readingOptions,
    kind: { ...kindOption, summary: 'the kind of values whose column or form does not show it' },
    reason: { ...reasonOption, summary: 'why, for lines without a reason of their own' },
  },
  notes: [
    'Columns such as email, domain, phone, profile URL, company, and kind, value and reason, are ' +
      'recognised. A file without such a header has one value per line.',
    'The exit code is 1 if a line is unreadable; the others are added.',
  ],
  async run(call) {
    const kind = readKind(call);
    const path = readInPath(call, call.positionals[0] ?? '');
    const chosen = readReading(call);
    const reading = {
      ...chosen,
      ...suppressionReading,
      header: chosen.header ?? 'auto',
      extra_cells: chosen.extra_cells === 'leave_out' ? 'leave_out' : 'keep',
    } as const;
    const engine = await call.openEngine();
    const { upload_id } = await engine.ask(uploads.add, { ...reading, path });
    const body = { upload_id, reason: readOption(call, 'reason') ?? '', ...(kind && { kind }) };
    return describeReport(await engine.ask(suppression.importList, body), 'line');
  },
};

const listCommand: Command = {
  name: 'suppress list',
  summary: 'List the entries of the suppression list, newest first',
  options: {
    search: { value: 'TEXT', summary: 'only entries with this text' },
    kind: { ...kindOption, summary: `only entries of this kind: ${suppressionKinds.join(', ')}` },
    before: { value: 'ID', summary: 'only entries before this id' },
  },
  async run(call) {
    const query = {
      limit: suppressionPage.max,
      search: readOption(call, 'search') ?? '',
      kind: readKind(call),
      before: readBefore(call),
    };
    const engine = await call.openEngine();
    const page = await engine.ask(suppression.list, query);
    const more = page.next === null ? [] : [`More: desk suppress list --before ${page.next}`];
    const total = `Entries in the list: ${formatCount(page.total)}.`;
    return { json: page, lines: [...formatTable(page.entries.map(describeEntry)), ...more, total] };
  },
};

async function removeOfJob(call: Call, job: string): Promise<Outcome> {
  const engine = await call.openEngine();
  const report = await engine.ask(suppression.remove, { job_id: job });
  return {
    exitCode: report.removed > 0 ? exitCodes.done : exitCodes.failed,
    json: report,
    lines: [
      report.removed > 0
        ? `Entries removed: ${formatCount(report.removed)}. Run the job again for its rows.`
        : 'No entry is from a refusal in this job. See desk suppress list.',
    ],
  };
}

const removeCommand: Command = {
  name: 'suppress remove',
  summary: 'Remove entries from the suppression list, by their ids or by a job',
  args: '[ID...]',
  options: {
    job: { value: 'JOB_ID', summary: 'all entries that refusals of data services in a job made' },
  },
  notes: ['What was suppressed by an entry is shown, matched and sent again.'],
  async run(call) {
    const job = readJobId(call, 'job');
    if ((job === undefined) === (call.positionals.length === 0))
      throw badUsage('Give either the ids of entries, or --job JOB_ID.');
    if (job !== undefined) return removeOfJob(call, job);
    const wrong = call.positionals.find((id) => !/^[1-9]\d{0,14}$/.test(id));
    if (wrong !== undefined) throw notAnId(`"${wrong}"`, 'an entry', 'suppress list');
    const ids = call.positionals.map(Number);
    if (ids.length > suppressionAddedMax)
      throw badUsage(`Give at most ${suppressionAddedMax} ids at a time.`);
    const engine = await call.openEngine();
    const report = await engine.ask(suppression.remove, { ids });
    const isAll = report.removed === ids.length;
    return {
      exitCode: isAll ? exitCodes.done : exitCodes.failed,
      json: report,
      lines: [
        `Entries removed: ${formatCount(report.removed)}. ` +
          (isAll ? '' : 'The other ids are not in the list. ') +
          describeHidden(report, formatCount),
      ],
    };
  },
};

const checkCommand: Command = {
  name: 'suppress check',
  summary: 'Show whether values are suppressed, and by which entries',
  args: '<VALUE...>',
  options: { kind: kindOption },
  notes: ['The exit code is 0 if none of them is suppressed, otherwise 1.'],
  async run(call) {
    const engine = await call.openEngine();
    const body = { values: readValues(call) };
    const verdicts = await engine.ask(suppression.check, body);
    const lines = verdicts.flatMap(({ value, entries }) =>
      entries.length === 0
        ? [`${value}: not suppressed`]
        : entries.map((entry) => `${value}: suppressed by ${describeEntry(entry).join('  ')}`),
    );
    const isAny = verdicts.some(({ suppressed }) => suppressed);
    return { exitCode: isAny ? exitCodes.failed : exitCodes.done, json: verdicts, lines };
  },
};

export const suppressionCommands: readonly Command[] = [
  addCommand,
  importCommand,
  listCommand,
  removeCommand,
  checkCommand,
];

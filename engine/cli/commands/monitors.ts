// `desk monitors …`: lists that are checked for job changes, their runs and findings.
import { setTimeout as wait } from 'node:timers/promises';
import {
  type Finding,
  findingStatuses,
  type MonitorJob,
  MonitorParamsSchema,
} from '../../contract/monitors/career-monitor.ts';
import {
  type Monitor,
  MonitorScheduleSchema,
  monitorJobs,
  monitorRhythms,
  monitors,
} from '../../contract/monitors/monitors.ts';
import {
  answerOf,
  type Call,
  type Command,
  type Outcome,
  quoteWord,
  readOption,
  repeatOptions,
  requireOption,
} from '../kit/command.ts';
import { confirmPrice } from '../kit/confirm-price.ts';
import { describeUpload } from '../kit/describe-order.ts';
import type { EngineClient } from '../kit/engine-client.ts';
import { formatCount, formatCreditCount, formatNumber, formatTable } from '../kit/format-text.ts';
import { readRowMapping } from '../kit/list-options.ts';
import { createProgress } from '../kit/progress.ts';
import { limitOption, readLimit } from '../kit/read-limit.ts';
import { readFormat, readInPath, readOutPath } from '../kit/read-paths.ts';
import { readingOptions, readReading } from '../kit/reading-options.ts';
import { badUsage, CommandError, exitCodes } from '../kit/refusal.ts';
import { stopOnInterrupt } from '../kit/stop-on-interrupt.ts';
import { chooseColumns, refuseWideLines, withUpload } from '../kit/upload-list.ts';

const pollIntervalMs = 200;

const describeCounts = ({ status, counts }: MonitorJob): string => {
  const parts = findingStatuses.flatMap((name) =>
    counts[name] ? `${formatCount(counts[name])} ${name.replace('_', ' ')}` : [],
  );
  return parts.length === 0 ? status.toLowerCase() : parts.join(', ');
};

const describeMonitor = (monitor: Monitor): string[] => [
  String(monitor.id),
  monitor.title,
  formatNumber(monitor.total_records, 'contact'),
  monitor.schedule.rhythm,
  monitor.paused ? 'paused' : `next ${monitor.next_run_at ?? ''}`,
  monitor.last_job ? `last run: ${describeCounts(monitor.last_job)}` : 'never run',
  monitor.problem ?? '',
];

/** The id of a line. Throws bad usage if it is not a number. */
function readId(call: Call): number {
  const [id = ''] = call.positionals;
  const found = MonitorParamsSchema.safeParse({ id });
  if (found.success) return found.data.id;
  throw badUsage(`"${id}" is not the id of a monitor. List them with "desk monitors list".`);
}

/** The schedule of --every and --at, in the time zone of this machine. Throws bad usage. */
function readSchedule(call: Call) {
  const found = MonitorScheduleSchema.safeParse({
    rhythm: readOption(call, 'every') ?? 'weekly',
    time: readOption(call, 'at') ?? '09:00',
    time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  });
  if (found.success) return found.data;
  throw badUsage(`--every is one of ${monitorRhythms.join(', ')}, and --at a time such as 09:00.`);
}

async function runCreate(call: Call): Promise<Outcome> {
  const [list] = call.positionals;
  const job = readOption(call, 'job');
  if ((list === undefined) === (job === undefined))
    throw badUsage('Name either a list or a finished job: desk monitors create IN --title T');
  const title = requireOption(call, 'title', 'say what the monitor is called');
  const body = { title, schedule: readSchedule(call) };
  const inPath = list === undefined ? null : readInPath(call, list);
  const named = readRowMapping(call);
  const reading = { ...readReading(call), extra_cells: 'leave_out' as const };
  const engine = await call.openEngine();
  const made =
    inPath === null
      ? await engine.ask(monitors.create, { ...body, job_id: job })
      : await withUpload(
          call,
          engine,
          inPath,
          async (upload) => {
            refuseWideLines(call, upload);
            const mapping = chooseColumns(upload, named);
            for (const line of describeUpload(upload, mapping)) call.terminal.note(line);
            return engine.ask(monitors.create, { ...body, upload_id: upload.upload_id, mapping });
          },
          reading,
        );
  return {
    json: made,
    lines: [
      `Check it now: desk monitors run ${made.id}${repeatOptions(call)}`,
      `Monitor ${made.id} checks ${formatNumber(made.total_records, 'contact')} ` +
        `${made.schedule.rhythm}, for at most ${formatCreditCount(made.most_credits)} a run.`,
    ],
  };
}

async function followRun(call: Call, engine: EngineClient, begun: MonitorJob): Promise<MonitorJob> {
  const progress = createProgress(call.terminal);
  const said = 'The run continues whenever an engine runs on this folder.';
  try {
    return await stopOnInterrupt(call, said, async (signal) => {
      let job = begun;
      for (;;) {
        const { processed_records: done, total_records: total } = job;
        progress.show({ label: 'Checking', done, total, unit: 'contacts' });
        if (job.status === 'Completed' || job.status === 'Failed') return job;
        await wait(pollIntervalMs, undefined, { signal });
        job = await engine.ask(monitorJobs.get, { id: job.job_id }, signal);
      }
    });
  } finally {
    progress.end();
  }
}

async function runMonitor(call: Call): Promise<Outcome> {
  const id = readId(call);
  const engine = await call.openEngine();
  const { total_records: total, most_credits: most } = await engine.ask(monitors.get, { id });
  const price = formatCreditCount(most);
  await confirmPrice(call, `Check ${formatNumber(total, 'contact')} for at most ${price}?`);
  const job = await followRun(call, engine, await engine.ask(monitors.run, { id }));
  const charged = formatCreditCount(String(job.total_credits_charged));
  const last =
    job.status === 'Failed'
      ? `The run failed: ${job.error_detail ?? 'the reason is unknown.'} Nothing was charged.`
      : `${describeCounts(job)}, ${charged} charged`;
  return {
    exitCode: job.status === 'Failed' ? exitCodes.failed : exitCodes.done,
    json: job,
    lines: [`See what changed: desk monitors findings ${id}${repeatOptions(call)}`, last],
  };
}

const describeFinding = ({ first_name, last_name, status, changes }: Finding): string[] => [
  `${first_name} ${last_name}`.trim(),
  status.replace('_', ' '),
  changes
    .map(({ field, old_value, new_value }) => `${field}: ${old_value} → ${new_value}`)
    .join('; '),
];

async function runFindings(call: Call): Promise<Outcome> {
  const id = readId(call);
  const named = readOption(call, 'status') ?? 'changed';
  const status = findingStatuses.find((one) => one === named);
  if (status === undefined && named !== 'all')
    throw badUsage(`--status ${named}: give one of ${findingStatuses.join(', ')}, or all.`);
  const path = 'out' in call.values ? readOutPath(call) : null;
  const format = path === null ? 'csv' : readFormat(path);
  const limit = readLimit(call);
  const engine = await call.openEngine();
  const { last_job: job } = await engine.ask(monitors.get, { id });
  if (job === null)
    throw new CommandError(
      'not_ready',
      exitCodes.failed,
      `Monitor ${id} has not run. Run it: desk monitors run ${id}${repeatOptions(call)}`,
    );
  const of = { id: job.job_id, status };
  if (path !== null) {
    const written = await engine.ask(monitorJobs.exportFindings, { ...of, path, format });
    return { json: written, lines: [`${formatNumber(written.rows, 'row')}: ${path}`] };
  }
  const page = await engine.ask(monitorJobs.findings, { ...of, limit });
  const more =
    page.count > page.results.length
      ? [`All of them: desk monitors findings ${id} --status ${quoteWord(named)} --out FILE.csv`]
      : [];
  const total = `Findings (${named}): ${formatCount(page.count)}.`;
  return { json: page, lines: [...formatTable(page.results.map(describeFinding)), ...more, total] };
}

/** `desk monitors list`, `create`, `run`, `findings` and `remove`. */
export const monitorCommands: readonly Command[] = [
  {
    name: 'monitors list',
    summary: 'List the monitors, newest first',
    run: (call) =>
      answerOf(call, monitors.list, {}, (listed) => [
        ...formatTable(listed.map(describeMonitor)),
        `Monitors: ${formatCount(listed.length)}.`,
      ]),
  },
  {
    name: 'monitors create',
    summary: 'Check a list for job changes on a schedule',
    args: '[IN]',
    options: {
      title: { value: 'T', summary: 'the name of the monitor', isRequired: true },
      job: { value: 'JOB_ID', summary: 'the rows of this finished job instead of IN' },
      every: { value: 'RHYTHM', summary: `${monitorRhythms.join(', ')} (default: weekly)` },
      at: { value: 'HH:MM', summary: 'the local time of a run (default: 09:00)' },
      mapping: { value: 'FILE', summary: 'JSON of field and header, for unusual column names' },
      ...readingOptions,
    },
    notes: ['It runs on its schedule while the app or desk serve runs.'],
    run: runCreate,
  },
  {
    name: 'monitors run',
    summary: 'Check the contacts of a monitor now',
    args: '<ID>',
    options: { yes: { summary: 'accept the price without asking' } },
    run: runMonitor,
  },
  {
    name: 'monitors findings',
    summary: 'Show what the last run of a monitor found',
    args: '<ID>',
    options: {
      status: {
        value: 'S',
        summary: `only these: ${findingStatuses.join(', ')}, or all (default: changed)`,
      },
      limit: limitOption('findings'),
      out: { value: 'FILE', summary: 'write them to a .csv, .xlsx, .jsonl or .parquet file' },
    },
    run: runFindings,
  },
  {
    name: 'monitors remove',
    summary: 'Remove a monitor; the findings of its runs stay',
    args: '<ID>',
    run: (call) =>
      answerOf(call, monitors.remove, { id: readId(call) }, ({ id }) => [
        `Monitor ${id} is removed.`,
      ]),
  },
];

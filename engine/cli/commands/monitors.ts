// `desk monitors …`: lists that are checked for job changes, their runs and findings.
import { setTimeout as wait } from 'node:timers/promises';
import type { z } from 'zod';
import {
  type Finding,
  findingStatuses,
  type MonitorJob,
  MonitorParamsSchema,
} from '../../contract/monitors/career-monitor.ts';
import {
  type Monitor,
  type MonitorChange,
  type MonitorSchedule,
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
  readJobId,
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
import { badUsage, CommandError, exitCodes, notAnId } from '../kit/refusal.ts';
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
  `at most ${formatCreditCount(monitor.most_credits)} a run`,
  `${monitor.schedule.rhythm} at ${monitor.schedule.time}`,
  monitor.paused ? 'paused' : `next ${monitor.next_run_at ?? ''}`,
  monitor.last_job ? `last run: ${describeCounts(monitor.last_job)}` : 'never run',
  monitor.problem ?? '',
];

/** The id of a line. Throws bad usage if it is not a number. */
function readId(call: Call): number {
  const [id = ''] = call.positionals;
  const found = MonitorParamsSchema.safeParse({ id });
  if (found.success) return found.data.id;
  throw notAnId(`"${id}"`, 'a monitor', 'monitors list');
}

const { shape } = MonitorScheduleSchema;

/** A value of an option that a schema accepts; undefined if it is not given. Throws bad usage. */
function readAs<T>(call: Call, option: string, schema: z.ZodType<T>, remedy: string) {
  const text = readOption(call, option);
  if (text === undefined) return undefined;
  const found = schema.safeParse(/^\d+$/.test(text) ? Number(text) : text);
  if (found.success) return found.data;
  throw badUsage(`--${option} ${text}: give ${remedy}.`);
}

/**
 * The schedule of --every, --day and --at; what is not given is as `before`, or weekly at 9 on
 * Monday in the time zone of this machine. Throws bad usage.
 */
function readSchedule(call: Call, before?: MonitorSchedule): MonitorSchedule {
  const rhythm =
    readAs(call, 'every', shape.rhythm, monitorRhythms.join(', ')) ?? before?.rhythm ?? 'weekly';
  const isMonthly = rhythm === 'monthly';
  const days = isMonthly ? shape.month_day : shape.weekday;
  const day = readAs(call, 'day', days, isMonthly ? '1 to 31' : '1 (Monday) to 7, for a week');
  return {
    rhythm,
    time: readAs(call, 'at', shape.time, 'a time such as 09:00') ?? before?.time ?? '09:00',
    weekday: (isMonthly ? undefined : day) ?? before?.weekday ?? 1,
    month_day: (isMonthly ? day : undefined) ?? before?.month_day ?? 1,
    time_zone: before?.time_zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
}

const scheduleOptions = {
  every: { value: 'RHYTHM', summary: `${monitorRhythms.join(', ')} (default: weekly)` },
  day: {
    value: 'N',
    summary: 'the day: 1 (Monday) to 7 of a week, or 1 to 31 of a month (default: 1)',
  },
  at: { value: 'HH:MM', summary: 'the local time of a run (default: 09:00)' },
} as const;

const changeOf = (call: Call, change: MonitorChange): Promise<Outcome> =>
  answerOf(call, monitors.change, { id: readId(call), ...change }, (monitor) =>
    formatTable([describeMonitor(monitor)]),
  );

const pausing = (name: string, summary: string, paused: boolean): Command => ({
  name: `monitors ${name}`,
  summary,
  args: '<ID>',
  run: (call) => changeOf(call, { paused }),
});

async function runSet(call: Call): Promise<Outcome> {
  const id = readId(call);
  const title = readOption(call, 'title');
  const isMoved = Object.keys(scheduleOptions).some((name) => name in call.values);
  if (!isMoved && title === undefined)
    throw badUsage('Say what to change: --title, --every, --day or --at.');
  const engine = await call.openEngine();
  const { schedule } = await engine.ask(monitors.get, { id });
  return changeOf(call, {
    ...(title !== undefined && { title }),
    ...(isMoved && { schedule: readSchedule(call, schedule) }),
  });
}

const describeRun = (job: MonitorJob): string[] => [
  String(job.job_id),
  job.submitted_at,
  job.status.toLowerCase(),
  describeCounts(job),
  `${formatCreditCount(String(job.total_credits_charged))} charged`,
  job.credit_charge_failed ? `locked: ${job.credit_charge_failure_reason}` : '',
];

async function runRuns(call: Call): Promise<Outcome> {
  const query = { id: readId(call), limit: readLimit(call) };
  return answerOf(call, monitors.jobs, query, ({ count, results }) => [
    ...formatTable(results.map(describeRun)),
    `Runs: ${formatCount(count)}.`,
  ]);
}

async function runPay(call: Call): Promise<Outcome> {
  const id = readId(call);
  const engine = await call.openEngine();
  const { credits_due: due } = await engine.ask(monitorJobs.get, { id });
  await confirmPrice(call, `Pay ${formatCreditCount(due)} for the findings of the run?`);
  return answerOf(call, monitorJobs.pay, { id }, (job) => formatTable([describeRun(job)]));
}

async function runCreate(call: Call): Promise<Outcome> {
  const [list] = call.positionals;
  const job = readJobId(call, 'job');
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
  if (job.credit_charge_failed)
    call.terminal.note(
      `${job.credit_charge_failure_reason} Its findings are locked. To open them: desk monitors ` +
        `pay ${job.job_id}${repeatOptions(call)}`,
    );
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
      ...scheduleOptions,
      mapping: { value: 'FILE', summary: 'JSON of field and header, for unusual column names' },
      ...readingOptions,
    },
    notes: ['It runs on its schedule while the app or desk serve runs.'],
    run: runCreate,
  },
  {
    name: 'monitors set',
    summary: 'Rename a monitor, or change its schedule',
    args: '<ID>',
    options: { title: { value: 'T', summary: 'the new name' }, ...scheduleOptions },
    run: runSet,
  },
  pausing('pause', 'Pause a monitor: it does not run on its schedule', true),
  pausing('resume', 'Resume a paused monitor', false),
  {
    name: 'monitors run',
    summary: 'Check the contacts of a monitor now',
    args: '<ID>',
    options: { yes: { summary: 'accept the price without asking' } },
    run: runMonitor,
  },
  {
    name: 'monitors runs',
    summary: 'List the runs of a monitor, with findings and cost, newest first',
    args: '<ID>',
    options: { limit: limitOption('runs') },
    run: runRuns,
  },
  {
    name: 'monitors stop',
    summary: 'Stop a run that has not ended, without a charge',
    args: '<RUN>',
    run: (call) =>
      answerOf(call, monitorJobs.stop, { id: readId(call) }, (job) =>
        formatTable([describeRun(job)]),
      ),
  },
  {
    name: 'monitors pay',
    summary: 'Pay for the locked findings of a run, which the credits did not cover',
    args: '<RUN>',
    options: { yes: { summary: 'accept the price without asking' } },
    run: runPay,
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

// `desk jobs …`: list, rename, cancel, delete, restore, move in the queue, run again.
import type { InputOf } from '../../../contract/endpoints.ts';
import { jobRows } from '../../../contract/jobs/app-jobs.ts';
import { jobStatuses, jobs, type StatusData } from '../../../contract/jobs/job.ts';
import { jobList, type RerunRows, rerunRows } from '../../../contract/jobs/job-list.ts';

import { jobsPage } from '../../../contract/limits/jobs.ts';
import { describeStep, listUnanswered } from '../../enrich/follow-job.ts';
import {
  answerOf,
  type Call,
  type Command,
  type Outcome,
  readOption,
  repeatOptions,
} from '../../kit/command.ts';
import { describeJobProviders } from '../../kit/describe-order.ts';
import {
  formatCount,
  formatCreditCount,
  formatNumber,
  formatTable,
} from '../../kit/format-text.ts';
import { readBefore } from '../../kit/read-limit.ts';
import { badUsage, CommandError, exitCodes } from '../../kit/refusal.ts';

const yes = { summary: 'do not ask' } as const;

function describeState(job: StatusData, services: readonly string[]): string {
  const wait =
    job.status === 'running' ? describeStep(job, services).replace(/^Enriching(, )?/, '') : '';
  return wait === '' ? job.status : `${job.status}: ${wait}`;
}

const describeJob = (job: StatusData, services: readonly string[]): string[] => [
  job.job_id,
  job.created_at.slice(0, 10),
  describeState(job, services),
  `${formatCount(job.enriched_rows)} of ${formatNumber(job.total_rows, 'row')} enriched`,
  job.title,
];

/** Asks, unless --yes is given. Throws bad usage without a terminal. */
async function confirm(call: Call, question: string, kept: string): Promise<void> {
  if (call.values.yes === true) return;
  if (!call.terminal.isInteractive)
    throw badUsage(`Cannot ask without a terminal. ${kept} Add --yes to continue without asking.`);
  if (await call.terminal.ask(question)) return;
  throw new CommandError('declined', exitCodes.failed, kept);
}

function readList(call: Call): InputOf<typeof jobList.read> {
  const named = readOption(call, 'status');
  const status = jobStatuses.find((one) => one === named);
  if (named !== status)
    throw badUsage(`--status is ${named}, but must be ${jobStatuses.join(', ')}.`);
  return {
    limit: jobsPage.max,
    status,
    before: readBefore(call),
    search: readOption(call, 'search') ?? '',
  };
}

const listCommand: Command = {
  name: 'jobs list',
  summary: 'List the jobs, newest first',
  options: {
    search: { value: 'TEXT', summary: 'only jobs with this text in their name or file name' },
    status: { value: 'STATUS', summary: `only these: ${jobStatuses.join(', ')}` },
    before: { value: 'N', summary: 'the next page: the number that the last page printed' },
  },
  async run(call) {
    const query = readList(call);
    const engine = await call.openEngine();
    const page = await engine.ask(jobList.read, query);
    const more = page.next === null ? [] : [`More: desk jobs list --before ${page.next}`];
    const total = `Jobs shown: ${formatCount(page.jobs.length)}.`;
    const rows = page.jobs.map(async (job) => describeJob(job, await listUnanswered(engine, job)));
    return { json: page, lines: [...formatTable(await Promise.all(rows)), ...more, total] };
  },
};

const renameCommand: Command = {
  name: 'jobs rename',
  summary: 'Rename a job',
  args: '<JOB_ID> <NAME>',
  async run(call) {
    const [id = '', title = ''] = call.positionals;
    return answerOf(call, jobList.rename, { job_id: id, title }, (job) => [
      `The job is now named "${job.title}".`,
    ]);
  },
};

const cancelCommand: Command = {
  name: 'jobs cancel',
  summary: 'Cancel a job, and release its credits',
  args: '<JOB_ID>',
  async run(call) {
    const engine = await call.openEngine();
    const answer = await engine.ask(jobs.cancel, { job_id: call.positionals[0] ?? '' });
    const spent = await engine.ask(jobRows.providers, { job_id: answer.job_id });
    return {
      json: answer,
      lines: [
        ...describeJobProviders(spent),
        `To run it again: desk jobs rerun ${answer.job_id}${repeatOptions(call)}`,
        `The job was cancelled. ${formatCreditCount(answer.credits_released)} released.`,
      ],
    };
  },
};

const deleteCommand: Command = {
  name: 'jobs delete',
  summary: 'Delete jobs with their rows and results',
  args: '<JOB_ID...>',
  options: { cancel: { summary: 'cancel those that have not finished' }, yes },
  notes: ['What a job cost stays in the ledger. For ten minutes, desk jobs restore undoes it.'],
  async run(call) {
    const ids = [...call.positionals];
    const what = formatNumber(ids.length, 'job');
    const engine = await call.openEngine();
    for (const id of ids) await engine.ask(jobs.status, { job_id: id });
    await confirm(call, `Delete ${what} with all rows and results?`, 'Nothing was deleted.');
    const body = { job_ids: ids, cancel: call.values.cancel === true };
    return answerOf(call, jobList.remove, body, (answer) => [
      `Undo until ${answer.undo_until}: desk jobs restore ${ids.join(' ')}${repeatOptions(call)}`,
      `Jobs deleted: ${formatCount(answer.deleted)}.`,
    ]);
  },
};

const restoreCommand: Command = {
  name: 'jobs restore',
  summary: 'Undo the deletion of jobs, within ten minutes',
  args: '<JOB_ID...>',
  run: (call) =>
    answerOf(call, jobList.restore, { job_ids: [...call.positionals] }, (answer) => [
      `Jobs restored: ${formatCount(answer.restored)}.`,
    ]),
};

const moveCommand: Command = {
  name: 'jobs queue',
  summary: 'Show the jobs that are waiting to start, or move one',
  args: '[JOB_ID] [PLACE]',
  notes: ['The running job is finished first. Place 1 runs next.'],
  async run(call) {
    const [id, place] = call.positionals;
    if (id !== undefined && !/^[1-9]\d{0,8}$/.test(place ?? ''))
      throw badUsage('Give the place too: a number from 1, such as desk jobs queue JOB_ID 1.');
    const engine = await call.openEngine();
    const queue =
      id === undefined
        ? await engine.ask(jobList.queue)
        : await engine.ask(jobList.move, { job_id: id, place: Number(place) });
    const rows = queue.map(({ job, rows_ahead: ahead }, at) => [
      String(at + 1),
      job.job_id,
      formatNumber(job.total_rows, 'row'),
      `after ${formatNumber(ahead, 'row')}`,
      job.title,
    ]);
    return {
      json: queue,
      lines: [...formatTable(rows, [0]), `Waiting: ${formatCount(rows.length)}.`],
    };
  },
};

function readRows(call: Call): RerunRows {
  const text = readOption(call, 'rows') ?? 'all';
  const rows = rerunRows.find((one) => one === text);
  if (!rows) throw badUsage(`--rows is ${text}, but must be ${rerunRows.join(', ')}.`);
  return rows;
}

async function runAgain(call: Call): Promise<Outcome> {
  const [id = ''] = call.positionals;
  const rows = readRows(call);
  const engine = await call.openEngine();
  const offer = await engine.ask(jobList.offerRerun, { job_id: id });
  const choice = offer.choices.find((one) => one.rows === rows);
  if (choice)
    await confirm(
      call,
      `Run ${formatNumber(choice.row_count, 'row')} again, as "${offer.title}", for at most ` +
        `${formatCreditCount(choice.credits_needed)}? Imports since: ${offer.imports_since}.`,
      'Nothing was started or charged.',
    );
  const job = await engine.ask(jobList.rerun, { job_id: id, rows });
  return {
    json: job,
    lines: [
      `Save it: desk enrich --resume ${job.job_id} --out OUT.csv${repeatOptions(call)}`,
      `"${job.title}" has ${formatNumber(job.total_rows, 'row')}: ${job.job_id}`,
    ],
  };
}

export const jobsCommands: readonly Command[] = [
  listCommand,
  renameCommand,
  cancelCommand,
  deleteCommand,
  restoreCommand,
  moveCommand,
  {
    name: 'jobs rerun',
    summary: 'Run a finished job again as a new job, at current prices',
    args: '<JOB_ID>',
    options: {
      rows: { value: 'ROWS', summary: `${rerunRows.join(', ')}: the rows to run (default: all)` },
      yes: { summary: 'accept the price without asking' },
    },
    notes: [
      'Unmatched rows may match after an import. The new job has the same columns and layers.',
    ],
    run: runAgain,
  },
];

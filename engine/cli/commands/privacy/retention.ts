// `desk retention …`: after how many days results, logs and copies are deleted.
import { setTimeout as wait } from 'node:timers/promises';
import { retentionDaysMax } from '../../../contract/limits/privacy/retention.ts';
import {
  type DueItems,
  type EffectiveRetention,
  type KeptReason,
  type Retention,
  type RetentionKind,
  type RetentionPreview,
  type RetentionRun,
  type RetentionSource,
  retention,
  retentionKindNames,
  retentionKinds,
} from '../../../contract/retention/retention.ts';
import { type Call, type Command, type Outcome, readOption } from '../../kit/command.ts';
import type { EngineClient } from '../../kit/engine-client.ts';
import { formatBytes, formatCount, formatNumber, formatTable } from '../../kit/format-text.ts';
import { createProgress } from '../../kit/progress.ts';
import { badUsage, CommandError, exitCodes } from '../../kit/refusal.ts';

const pollIntervalMs = 200;

const settable = retentionKindNames.filter((kind) => kind !== 'uploads');
const optionOf = (kind: RetentionKind): string => kind.replaceAll('_', '-');
const dayOptions = Object.fromEntries(
  settable.map((kind) => [
    optionOf(kind),
    { value: 'DAYS', summary: `${retentionKinds[kind].label.toLowerCase()}; 0 or never: forever` },
  ]),
);

type ChosenDays = Partial<Record<RetentionKind, number | null>>;

/** The days that the options give. Throws bad usage for anything but days and `never`. */
function readDays(call: Call): ChosenDays {
  const chosen: ChosenDays = {};
  for (const kind of settable) {
    const text = readOption(call, optionOf(kind))?.trim().toLowerCase();
    if (text === undefined) continue;
    const days = text === 'never' ? 0 : /^\d{1,6}$/.test(text) ? Number(text) : -1;
    if (days < 0 || days > retentionDaysMax)
      throw badUsage(
        `--${optionOf(kind)} ${text} is not a number of days. Give 1 to ` +
          `${formatCount(retentionDaysMax)}, or never.`,
      );
    chosen[kind] = days || null;
  }
  return chosen;
}

const formatDays = (days: number | null): string =>
  days === null ? 'forever' : formatNumber(days, 'day');
const sourceWords: Readonly<Record<RetentionSource, string>> = {
  default: '',
  account: '',
  organisation: 'set by your organisation',
  product: 'set by the product',
};

const describeKind = ({ kind, scope, days, source }: EffectiveRetention): string[] => [
  retentionKinds[kind].label,
  formatDays(days),
  scope === 'folder' ? 'all accounts' : 'this account',
  sourceWords[source],
];

/** What a run has deleted: "12 jobs, 3 backups". */
const describeDeleted = ({ deleted }: RetentionRun): string => {
  const parts = retentionKindNames.flatMap((kind) => {
    const count = deleted[kind] ?? 0;
    return count === 0 ? [] : `${retentionKinds[kind].label.toLowerCase()} ${formatCount(count)}`;
  });
  return parts.length === 0 ? 'nothing' : parts.join(', ');
};

function describeRun(run: RetentionRun): string {
  if (run.started_at === null) return 'No run has deleted anything yet.';
  const shrunk = run.shrunk_bytes > 0 ? `; files ${formatBytes(run.shrunk_bytes)} smaller` : '';
  return run.ended_at === null
    ? `A run is deleting. So far: ${describeDeleted(run)}.`
    : `Last run ${run.ended_at.slice(0, 16).replace('T', ' ')} UTC: deleted ` +
        `${describeDeleted(run)}${shrunk}.`;
}

const presentRetention = (retention: Retention): Outcome => ({
  json: retention,
  lines: [
    ...formatTable(retention.kinds.map(describeKind)),
    describeRun(retention.run),
    ...(retention.clock_stop ? [retention.clock_stop.detail] : []),
  ],
});

const keptWords: Readonly<Record<KeptReason, string>> = {
  needed_by_job: 'needed by an unfinished job',
  open_review: 'under review',
  open_approval: 'waiting for an approval',
  needed_by_monitor: 'needed by a monitor',
  open_work: 'used by unfinished work',
  changed_file: 'changed or in use',
};

function describeDue({ kind, days, items, bytes, oldest, newest, kept }: DueItems): string[] {
  const span = oldest && newest ? `${oldest.slice(0, 10)} to ${newest.slice(0, 10)}` : '';
  const size = items > 0 && bytes !== null ? `about ${formatBytes(bytes)}` : '';
  const stays = kept.map(({ reason, items: count }) => `${count} kept: ${keptWords[reason]}`);
  const label = retentionKinds[kind].label;
  return [label, formatDays(days), formatCount(items), size, span, stays.join(', ')];
}

const sumItems = ({ kinds }: RetentionPreview): number =>
  kinds.reduce((sum, { items }) => sum + items, 0);

const describePreview = (preview: RetentionPreview): string[] => [
  ...formatTable(preview.kinds.map(describeDue), [2]),
  sumItems(preview) === 0
    ? 'Nothing would be deleted now.'
    : `${formatNumber(sumItems(preview), 'item')} would be deleted. This cannot be undone; ` +
      'amounts in the ledger stay.',
];

const preview = (engine: EngineClient, days: ChosenDays): Promise<RetentionPreview> =>
  engine.ask(retention.preview, { days });

async function followRun(call: Call, engine: EngineClient): Promise<Retention> {
  const progress = createProgress(call.terminal);
  const interrupt = call.catchInterrupt();
  try {
    for (;;) {
      const known = await engine.ask(retention.read);
      const { run } = known;
      const done = Object.values(run.deleted).reduce((sum, count) => sum + count, 0);
      const label = run.state === 'shrinking' ? 'Shrinking files' : 'Deleting';
      const isDue = run.due_at !== null && run.due_at <= new Date().toISOString();
      if (known.clock_stop || (run.state === 'idle' && !isDue)) return known;
      const total = Math.max(run.items, done);
      if (total > 0) progress.show({ label, done, total, unit: 'items' });
      if (interrupt.aborted) {
        const where = engine.isOwn ? 'whenever an engine runs on this folder' : 'in the engine';
        throw new CommandError(
          'interrupted',
          exitCodes.failed,
          `Stopped by Ctrl+C. The run continues ${where}. See desk retention show.`,
        );
      }
      await wait(pollIntervalMs, undefined, { signal: interrupt }).catch(() => {});
    }
  } finally {
    progress.end();
  }
}

async function confirmDeletion(call: Call, found: RetentionPreview): Promise<void> {
  const count = sumItems(found);
  if (count === 0 || call.values.yes === true) return;
  for (const line of describePreview(found)) call.terminal.note(line);
  if (!call.terminal.isInteractive)
    throw badUsage(
      'Cannot ask without a terminal. Nothing was changed. Add --yes to delete what is ' +
        'listed.',
    );
  if (await call.terminal.ask(`Delete ${formatNumber(count, 'item')} now?`)) return;
  throw new CommandError('declined', exitCodes.failed, 'Nothing was changed or deleted.');
}

const showCommand: Command = {
  name: 'retention show',
  summary: 'Show after how many days results, logs and copies are deleted, and the last run',
  async run(call) {
    const engine = await call.openEngine();
    return presentRetention(await engine.ask(retention.read));
  },
};

const setCommand: Command = {
  name: 'retention set',
  summary: 'Set the days of one or more kinds, and delete what is older',
  options: { ...dayOptions, yes: { summary: 'do not ask before something is deleted' } },
  notes: [
    'The days count from the end of a job, a delivery or a call. Deleting cannot be undone; ' +
      'amounts in the ledger stay.',
    'A run starts after a change and then every day while an engine runs. See desk retention run.',
  ],
  async run(call) {
    const days = readDays(call);
    if (Object.keys(days).length === 0)
      throw badUsage(`There is nothing to set. Give --jobs or another of ${settable.length}.`);
    const engine = await call.openEngine();
    const found = await preview(engine, days);
    await confirmDeletion(call, found);
    const changed = await engine.ask(retention.change, { days });
    return presentRetention(sumItems(found) > 0 ? await followRun(call, engine) : changed);
  },
};

const previewCommand: Command = {
  name: 'retention preview',
  summary: 'Show what would be deleted now, with the days in force or those given',
  options: dayOptions,
  notes: ['Deletes and changes nothing. Sizes of jobs and pipelines are estimates.'],
  async run(call) {
    const days = readDays(call);
    const engine = await call.openEngine();
    const found = await preview(engine, days);
    return { json: found, lines: describePreview(found) };
  },
};

const runCommand: Command = {
  name: 'retention run',
  summary: 'Delete what is past its days now, and return free space to the disk',
  options: {
    'confirm-clock': { summary: 'the date of this computer is right: delete what waited for it' },
  },
  notes: [
    'Kinds that are kept forever are not affected. Jobs and requests continue during the run.',
  ],
  async run(call) {
    const engine = await call.openEngine();
    await engine.ask(retention.run, {
      confirm_clock: call.values['confirm-clock'] === true,
    });
    const ended = await followRun(call, engine);
    return { json: ended, lines: [describeRun(ended.run)] };
  },
};

export const retentionCommands: readonly Command[] = [
  showCommand,
  setCommand,
  previewCommand,
  runCommand,
];

// `desk audit …`: who exported, unlocked, deleted, suppressed or changed what, and when.
import { auditActionNames, nameAction } from '../../../contract/audit/actions.ts';
import {
  type AuditEntry,
  AuditQuerySchema,
  AuditStateQuerySchema,
  audit,
} from '../../../contract/audit/audit.ts';
import { describeDetails } from '../../../contract/audit/describe-details.ts';
import { auditActorCharactersMax } from '../../../contract/limits/privacy/audit.ts';
import {
  type Call,
  type Command,
  quoteWord,
  readOption,
  repeatOptions,
} from '../../kit/command.ts';
import { formatAmount, formatCount, formatNumber, formatTable } from '../../kit/format-text.ts';
import { limitOption, readBefore, readLimit } from '../../kit/read-limit.ts';
import { readFormat, readOutPath } from '../../kit/read-paths.ts';
import { badUsage, exitCodes } from '../../kit/refusal.ts';
import { showTasks } from '../../kit/task-progress.ts';

const filterOptions = {
  action: { value: 'ACTION', summary: 'only this action, such as result_exported' },
  actor: { value: 'NAME', summary: 'only app, "command line", engine, or a key or assistant' },
  since: { value: 'DAY', summary: 'only from this day or time in UTC, such as 2026-11-01' },
} as const;

/** The filter of the options. Throws bad usage for a value that no entry can have. */
function readFilter(call: Call): Record<string, string> {
  const { action, actor, since } = AuditQuerySchema.shape;
  const filter: Record<string, string> = {};
  const read = (name: keyof typeof filterOptions, isValid: boolean, what: string) => {
    const value = readOption(call, name);
    if (value === undefined) return;
    if (!isValid) throw badUsage(`--${name} is ${value || 'empty'}, but must be ${what}.`);
    filter[name] = value;
  };
  const isValid = (name: string, schema: { safeParse(value: unknown): { success: boolean } }) =>
    schema.safeParse(readOption(call, name)).success;
  read('action', isValid('action', action), `one of ${auditActionNames.join(', ')}`);
  read('actor', isValid('actor', actor), `a name of 1 to ${auditActorCharactersMax} characters`);
  read(
    'since',
    isValid('since', since),
    'a day or a time in UTC: 2026-11-01, 2026-11-01T08:00:00Z',
  );
  return filter;
}

const describeEntry = (entry: AuditEntry): string[] => [
  String(entry.id),
  entry.at.slice(0, 19).replace('T', ' '),
  entry.key_prefix === null ? entry.actor : `${entry.actor} (${entry.key_prefix}…)`,
  nameAction(entry.action),
  entry.subject,
  entry.rows === null ? '' : formatCount(entry.rows),
  entry.credits === null ? '' : formatAmount(entry.credits),
  [entry.account ?? '', describeDetails(entry.details)].filter(Boolean).join('; '),
];

const headings = [
  'Entry',
  'Time (UTC)',
  'Actor',
  'Action',
  'Subject',
  'Rows',
  'Credits',
  'Details',
];

const listCommand: Command = {
  name: 'audit list',
  summary: 'List who exported, unlocked, deleted, suppressed or changed what',
  options: {
    ...filterOptions,
    before: { value: 'ENTRY', summary: 'only entries before this one' },
    limit: limitOption('entries'),
  },
  notes: ['Newest first. An API key has no access to the log.'],
  async run(call) {
    const filter = readFilter(call);
    const query = {
      ...filter,
      limit: readLimit(call),
      before: readBefore(call),
    };
    const engine = await call.openEngine();
    const page = await engine.ask(audit.list, query);
    const { entries, total, next } = page;
    const table =
      entries.length === 0 ? [] : formatTable([headings, ...entries.map(describeEntry)]);
    const same = Object.entries(filter).map(([name, value]) => ` --${name} ${quoteWord(value)}`);
    const again = `desk audit list --before ${next}${same.join('')}${repeatOptions(call)}`;
    const more = next === null ? [] : [`More: ${again}`];
    const shown = entries.length === 0 && total > 0 ? ['No entry matches.'] : [];
    const last = `Entries in the log: ${formatCount(total)}.`;
    return { json: page, lines: [...table, ...shown, ...more, last] };
  },
};

const exportCommand: Command = {
  name: 'audit export',
  summary: 'Write the audit log to a file, oldest first',
  options: {
    out: { value: 'FILE', summary: 'a .csv, .xlsx, .jsonl or .parquet file', isRequired: true },
    ...filterOptions,
  },
  notes: [
    'FILE is replaced when the new one is complete. The last hash in an unfiltered file is an',
    'anchor for desk audit verify.',
  ],
  async run(call) {
    const path = readOutPath(call);
    const body = { path, format: readFormat(path), ...readFilter(call) };
    const engine = await call.openEngine();
    const answer = await showTasks(call.terminal, engine, { export: 'Writing the audit log' }, () =>
      engine.ask(audit.exportLog, body),
    );
    return { json: answer, lines: [`${formatNumber(answer.rows, 'row')}: ${path}`] };
  },
};

const verifyCommand: Command = {
  name: 'audit verify',
  summary: 'Check that no entry of the audit log was changed, removed or inserted',
  options: {
    anchor: {
      value: 'ENTRY:HASH',
      summary: 'an entry that the log must have, from an earlier check',
    },
  },
  notes: [
    'Someone who can write all files of the data folder can write a new log. Store the anchor that',
    'this command prints in another place, and pass it later. The exit code is 1 if an entry does',
    'not match.',
  ],
  async run(call) {
    const anchor = readOption(call, 'anchor');
    if (!AuditStateQuerySchema.safeParse({ anchor }).success)
      throw badUsage(`--anchor is ${anchor}, but must be an entry and its hash, such as 17:9f86….`);
    const engine = await call.openEngine();
    const state = await engine.ask(audit.verify, { anchor });
    const { entries, head, fault } = state;
    if (fault)
      return {
        exitCode: exitCodes.failed,
        json: state,
        lines: [
          `Intact entries, from the first: ${formatCount(entries)}.`,
          `Entry ${fault.entry} does not match: ${fault.what}.`,
        ],
      };
    const verdict = `Entries: ${formatCount(entries)}. The chain is intact.`;
    return { json: state, lines: head === null ? [verdict] : [`Anchor: ${head}`, verdict] };
  },
};

export const auditCommands: readonly Command[] = [listCommand, exportCommand, verifyCommand];

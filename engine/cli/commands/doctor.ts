// `desk doctor`: shows the engine's checks of itself, and repairs what can be repaired.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { EngineError } from '../../contract/errors.ts';
import { type Check, maintenanceCalls, type RepairFinding } from '../../contract/maintenance.ts';
import { planRepairs, repairFolder } from '../../maintenance/repair/repair-folder.ts';
import { stagingFolder } from '../../platform/data-files.ts';
import { lockWhenFree } from '../../platform/folder-handover.ts';
import { findSystemRefusal } from '../../platform/sqlite/system-refusal.ts';
import type { Call, Command, Outcome } from '../kit/command.ts';
import { formatNumber, formatTable } from '../kit/format-text.ts';
import { badUsage, CommandError, exitCodes } from '../kit/refusal.ts';

async function readChecks(call: Call): Promise<Check[]> {
  try {
    const engine = await call.openEngine();
    return await engine.ask(maintenanceCalls.doctor);
  } catch (error) {
    // An engine that cannot start is a finding; one that stopped meanwhile is an error.
    const refusal = error instanceof EngineError ? error : findSystemRefusal(error);
    if (!refusal) throw error;
    return [{ name: 'Engine', state: 'wrong', detail: refusal.detail }];
  }
}

const showPlan = (plan: readonly RepairFinding[]): string[] =>
  formatTable(plan.map(({ repair, finding, action }) => [repair, finding, action]));

async function askForRepair(call: Call, plan: readonly RepairFinding[]): Promise<void> {
  if (call.values.yes) return;
  if (!call.terminal.isInteractive)
    throw badUsage('Cannot ask without a terminal. Add --dry-run to look, or --yes to repair.');
  for (const line of showPlan(plan)) call.terminal.note(line);
  call.terminal.note('A backup is made first. The ledger and the audit log do not change.');
  if (await call.terminal.ask('Repair?')) return;
  throw new CommandError('declined', exitCodes.failed, 'Nothing was changed.');
}

async function runRepair(call: Call): Promise<Outcome> {
  const { dataDir, environment, terminal } = call;
  if (!existsSync(dataDir)) throw badUsage(`There is no data folder ${dataDir}.`);
  const folder = environment === 'staging' ? join(dataDir, stagingFolder) : dataDir;
  const lock = await lockWhenFree(dataDir, { asks: true, onWait: terminal.note });
  try {
    const plan = planRepairs(environment, folder);
    const isDone = plan.every(({ can }) => !can);
    if (call.values['dry-run'] || isDone) {
      const verdict =
        plan.length === 0
          ? 'There is nothing to repair.'
          : `${formatNumber(plan.length, 'finding')}. Nothing was changed.`;
      return {
        exitCode: plan.length === 0 ? exitCodes.done : exitCodes.failed,
        json: { backup: null, repaired: [], left: plan },
        lines: [...showPlan(plan), verdict],
      };
    }
    await askForRepair(call, plan);
    const report = await repairFolder(environment, folder, plan);
    const { backup, repaired, left } = report;
    call.terminal.note(`Backup before the repair: ${backup}`);
    return {
      exitCode: left.length === 0 ? exitCodes.done : exitCodes.failed,
      json: report,
      lines: [
        ...showPlan(left),
        `${formatNumber(repaired.length, 'repair')} made, ${left.length} left.`,
      ],
    };
  } finally {
    lock.release();
  }
}

async function runDoctor(call: Call): Promise<Outcome> {
  if (call.values.repair) return runRepair(call);
  if (call.values['dry-run'] || call.values.yes)
    throw badUsage('--dry-run and --yes belong to --repair.');
  const checks = await readChecks(call);
  const count = (state: Check['state']) => checks.filter((check) => check.state === state).length;
  const wrongs = count('wrong');
  const verdict =
    wrongs === 0
      ? `No problems found; ${formatNumber(count('warning'), 'warning')}.`
      : `${wrongs} of ${checks.length} checks failed. Do what they say, then run doctor again.`;
  return {
    exitCode: wrongs === 0 ? exitCodes.done : exitCodes.failed,
    json: checks,
    lines: [
      ...formatTable(checks.map(({ name, state, detail }) => [state, name, detail])),
      verdict,
    ],
  };
}

export const doctor: Command = {
  name: 'doctor',
  summary: 'Check files, ledger, directory, port, disk and keychain',
  options: {
    repair: {
      summary: 'repair what can be repaired without data loss; quit the app and serve first',
    },
    'dry-run': { summary: 'with --repair: show what would be repaired, and change nothing' },
    yes: { summary: 'with --repair: do not ask' },
  },
  notes: [
    'The exit code is 1 if a check fails. Warnings do not count.',
    '--repair shows what it found, asks, and makes a backup before it changes anything. It',
    'rebuilds indexes, deletes damaged index files, inputs without a job, incomplete uploads and',
    'leftovers of killed processes, and sends webhook deliveries that wait for an impossible time.',
    'It never changes the ledger or the audit log.',
  ],
  run: runDoctor,
};

// `desk wallet …`: an account's balance, grants and ledger.
import { z } from 'zod';
import { parseCredits } from '../../contract/credits.ts';
import { type Wallet, wallet } from '../../contract/ledger.ts';
import { walletLines } from '../../contract/wallet/wallet-lines.ts';
import { type SpendReport, spendSteps, walletSpend } from '../../contract/wallet/wallet-spend.ts';
import { nameSpendPart } from '../../contract/wallet/wallet-words.ts';
import { answerOf, type Call, type Command, readOption } from '../kit/command.ts';
import {
  formatAmount,
  formatCreditCount,
  formatNumber,
  formatProviderCredits,
  formatTable,
} from '../kit/format-text.ts';
import { limitOption, readLimit } from '../kit/read-limit.ts';
import { readFormat, readOutPath } from '../kit/read-paths.ts';
import { badUsage } from '../kit/refusal.ts';
import { showTasks } from '../kit/task-progress.ts';

const presentWallet = ({ available, held, spent }: Wallet): string =>
  `${formatCreditCount(available)} available, ${formatAmount(held)} held, ` +
  `${formatAmount(spent)} spent`;

function readWord<Word extends string>(
  call: Call,
  name: string,
  words: readonly Word[],
  byDefault: Word,
): Word {
  const given = readOption(call, name) ?? byDefault;
  const word = words.find((one) => one === given);
  if (word === undefined) throw badUsage(`--${name} ${given}: give ${words.join(', ')}.`);
  return word;
}

const spendViews = ['layer', 'client', 'provider'] as const;
const dayMs = 86_400_000;

/** A day option in UTC. Throws bad usage. */
function readDay(call: Call, name: string, byDefault: number): string {
  const day = readOption(call, name) ?? new Date(byDefault).toISOString().slice(0, 10);
  if (!z.iso.date().safeParse(day).success)
    throw badUsage(`--${name} is ${day}, but must be a day such as 2026-11-01.`);
  return day;
}

function listAmounts(report: SpendReport, view: (typeof spendViews)[number]): string[][] {
  if (view === 'provider')
    return report.providers.map(({ provider, by_period }) => [
      provider,
      ...by_period.map(formatProviderCredits),
    ]);
  const series =
    view === 'layer'
      ? report.parts.map(({ part, by_period }) => [nameSpendPart(part), by_period] as const)
      : report.clients.map(({ name, by_period }) => [name ?? 'app', by_period] as const);
  return series.map(([name, amounts]) => [name, ...amounts.map(formatAmount)]);
}

const spendCommand: Command = {
  name: 'wallet spend',
  summary: 'Show what an account spent over time',
  options: {
    by: { value: 'WHAT', summary: 'layer (default), client or provider' },
    step: { value: 'STEP', summary: 'day, week or month (default)' },
    since: { value: 'DAY', summary: 'the first day in UTC; a year ago by default' },
    until: { value: 'DAY', summary: 'the last day; today by default' },
  },
  notes: ['Amounts of a provider are in its own credits, which the wallet does not pay.'],
  async run(call) {
    const view = readWord(call, 'by', spendViews, 'layer');
    const step = readWord(call, 'step', spendSteps, 'month');
    const since = readDay(call, 'since', Date.now() - 365 * dayMs);
    const until = readDay(call, 'until', Date.now());
    const engine = await call.openEngine();
    const report = await engine.ask(walletSpend.read, { step, since, until });
    const series = listAmounts(report, view);
    const rows = report.periods.map((start, at) => [
      start,
      ...series.map((one) => one[at + 1] ?? ''),
    ]);
    const names = ['Period', ...series.map(([name = '']) => name)];
    const numbers = series.map((_one, at) => at + 1);
    const total = `${formatAmount(report.total)} credits of the wallet spent since ${since}`;
    return {
      json: report,
      lines: [...(series.length === 0 ? [] : formatTable([names, ...rows], numbers)), total],
    };
  },
};

const exportCommand: Command = {
  name: 'wallet export',
  summary: 'Write the wallet history to a file, oldest first',
  options: {
    out: { value: 'FILE', summary: 'a .csv, .xlsx, .jsonl or .parquet file', isRequired: true },
  },
  notes: ['One row per job, pipeline, monitor run, grant, lookup and tool call, with its balance.'],
  async run(call) {
    const path = readOutPath(call);
    const body = { path, format: readFormat(path) };
    const engine = await call.openEngine();
    const answer = await showTasks(call.terminal, engine, { export: 'Writing the history' }, () =>
      engine.ask(walletLines.exportLines, body),
    );
    return { json: answer, lines: [`${formatNumber(answer.rows, 'row')}: ${path}`] };
  },
};

export const walletCommands: readonly Command[] = [
  {
    name: 'wallet balance',
    summary: 'Show the available, held and spent credits of an account',
    run: (call) => answerOf(call, wallet.read, {}, (balance) => [presentWallet(balance)]),
  },
  {
    name: 'wallet grant',
    summary: 'Grant credits to an account',
    args: '<CREDITS>',
    async run(call) {
      const credits = call.positionals[0] ?? '';
      const units = parseCredits(credits);
      if (units === null || units <= 0)
        throw badUsage(`"${credits}" is not an amount of credits. Give one above 0, such as 1000.`);
      return answerOf(call, wallet.grant, { credits }, (balance) => [presentWallet(balance)]);
    },
  },
  {
    name: 'wallet history',
    summary: 'List the ledger of an account, newest first',
    options: { limit: limitOption('entries') },
    async run(call) {
      const limit = readLimit(call);
      const engine = await call.openEngine();
      const { count, results } = await engine.ask(wallet.entries, { limit });
      const rows = results.map((one) => [
        one.at,
        one.kind,
        formatAmount(one.amount),
        one.reference,
        one.key_label === null ? '' : `by key "${one.key_label}"`,
      ]);
      return {
        json: { count, results },
        lines: [...formatTable(rows, [2]), `${results.length} of ${count} entries`],
      };
    },
  },
  spendCommand,
  exportCommand,
];

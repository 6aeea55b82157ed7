// `desk validate-emails`: validates the addresses of a spreadsheet and adds the verdicts.
import { setTimeout as wait } from 'node:timers/promises';
import { creditUnits, formatCredits, parseCredits } from '../../contract/credits.ts';
import { engineCalls } from '../../contract/engine.ts';
import { EngineError } from '../../contract/errors.ts';
import { emailStatuses } from '../../contract/jobs/job.ts';
import { pageLimitMax } from '../../contract/limits/platform.ts';
import { validationEmailsMax } from '../../contract/limits/validations.ts';
import { rates } from '../../contract/rate-card.ts';
import { type EmailVerdict, type Validation, validations } from '../../contract/validations.ts';
import { addressKey } from '../../validations/parse-address.ts';
import {
  type Call,
  type Command,
  type Outcome,
  readOption,
  repeatOptions,
} from '../kit/command.ts';
import { confirmPrice } from '../kit/confirm-price.ts';
import type { EngineClient } from '../kit/engine-client.ts';
import { formatAmount, formatCount, formatCreditCount } from '../kit/format-text.ts';
import { createProgress } from '../kit/progress.ts';
import { readFormat, readInPath, readOutPath, refuseSameFile } from '../kit/read-paths.ts';
import {
  describeLetters,
  describeOtherLines,
  describeUnread,
  readingOptions,
  readReading,
} from '../kit/reading-options.ts';
import { CommandError, exitCodes } from '../kit/refusal.ts';
import { type AddressList, readAddresses, writeVerdicts } from '../kit/validation-list.ts';

const pollIntervalMs = 100;

/** Shows the highest price, and asks. Throws `insufficient_credits`. */
async function askPrice(call: Call, engine: EngineClient, addresses: AddressList): Promise<void> {
  const listed = await engine.ask(rates.list);
  const { wallet, account } = await engine.ask(engineCalls.state);
  const { available } = wallet;
  const price = listed.find(({ code }) => code === 'email_validation')?.price ?? '0';
  const neededUnits = creditUnits(addresses.size * (parseCredits(price) ?? 0));
  const needed = formatCreditCount(formatCredits(neededUnits));
  const count = formatCount(addresses.size);
  call.terminal.note(
    `Different addresses: ${count}, at ${formatCreditCount(price)} each; unknown is free.`,
  );
  if (account.has_budget && neededUnits > (parseCredits(available) ?? 0))
    throw new EngineError(
      'insufficient_credits',
      `This needs ${needed} and the wallet has ${formatAmount(available)}. Nothing was ` +
        `submitted. Add credits with "desk wallet grant CREDITS${repeatOptions(call)}".`,
    );
  await confirmPrice(call, `Validate ${count} addresses for at most ${needed}?`);
}

async function validatePart(
  call: Call,
  engine: EngineClient,
  part: readonly string[],
): Promise<Validation> {
  let validation = await engine.ask(validations.start, { emails: [...part] });
  const progress = createProgress(call.terminal);
  try {
    while (!validation.ready) {
      const { done_emails: done, total_emails: total } = validation;
      progress.show({ label: 'Validating', done, total, unit: 'addresses' });
      await wait(pollIntervalMs);
      validation = await engine.ask(validations.read, { job_id: validation.job_id });
    }
  } finally {
    progress.end();
  }
  if (validation.status === 'completed') return validation;
  const why = validation.error_detail ?? 'The validation failed.';
  throw new CommandError('internal_error', exitCodes.failed, why);
}

async function gatherVerdicts(
  engine: EngineClient,
  { job_id: jobId, total_emails: total }: Validation,
  verdicts: Map<string, EmailVerdict>,
): Promise<void> {
  for (let offset = 0; offset < total; offset += pageLimitMax) {
    const page = { job_id: jobId, limit: pageLimitMax, offset };
    const { results } = await engine.ask(validations.verdicts, page);
    for (const verdict of results) verdicts.set(addressKey(verdict.email), verdict);
  }
}

async function runValidate(call: Call): Promise<Outcome> {
  const inPath = readInPath(call, call.positionals[0] ?? '');
  const outPath = readOutPath(call);
  refuseSameFile(inPath, outPath);
  readFormat(outPath, 'out', ['csv']);
  const list = { inPath, column: readOption(call, 'column'), reading: readReading(call) };
  const { addresses, table, unread } = await readAddresses(list);
  for (const line of [
    ...describeUnread(unread, 'column'),
    ...describeLetters(table.encoding, {
      is_sure: table.letters.isSure,
      sample: table.letters.sample,
      others: [...table.letters.others],
    }),
    ...describeOtherLines(table.otherLines, table.otherCount),
  ])
    call.terminal.note(line);
  const engine = await call.openEngine();
  await askPrice(call, engine, addresses);
  const all = [...addresses.values()];
  const verdicts = new Map<string, EmailVerdict>();
  let chargedUnits = 0;
  for (let from = 0; from < all.length; from += validationEmailsMax) {
    const part = all.slice(from, from + validationEmailsMax);
    const ended = await validatePart(call, engine, part);
    chargedUnits += parseCredits(ended.credits_charged) ?? 0;
    await gatherVerdicts(engine, ended, verdicts);
  }
  await writeVerdicts(list, outPath, verdicts);
  const counts = Object.fromEntries(
    emailStatuses.map((status) => [
      status,
      [...verdicts.values()].filter((verdict) => verdict.status === status).length,
    ]),
  );
  const charged = formatCredits(creditUnits(chargedUnits));
  const parts = Object.entries(counts).filter(([, count]) => count > 0);
  return {
    json: { addresses: addresses.size, counts, credits_charged: charged, out: outPath },
    lines: [
      `Addresses: ${formatCount(addresses.size)} (` +
        `${parts.map(([status, count]) => `${formatCount(count)} ${status}`).join(', ')}), ` +
        `${formatCreditCount(charged)} charged: ${outPath}`,
    ],
  };
}

export const validateEmails: Command = {
  name: 'validate-emails',
  summary: 'Validate the email addresses of a spreadsheet',
  args: '<IN.csv>',
  options: {
    column: { value: 'C', summary: 'the header of the addresses (default: a recognised one)' },
    out: {
      value: 'OUT.csv',
      summary: 'the CSV to write: the columns of IN, then status and reason',
      isRequired: true,
    },
    ...readingOptions,
    yes: { summary: 'accept the price without asking' },
  },
  notes: ['Each different address is validated once. The result "unknown" is free.'],
  run: runValidate,
};

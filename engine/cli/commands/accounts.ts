// `desk accounts …`: the customer accounts of this installation.
import { type Account, accounts, monitorCharges } from '../../contract/accounts.ts';
import { freeRepeatDaysMax } from '../../contract/limits/accounts.ts';
import { answerOf, type Call, type Command, readOption, readSwitch } from '../kit/command.ts';
import { formatTable } from '../kit/format-text.ts';
import { badUsage } from '../kit/refusal.ts';

function readRepeatDays(call: Call): number | undefined {
  const text = readOption(call, 'free-repeat-days');
  if (text === undefined) return undefined;
  const days = /^\d{1,4}$/.test(text) ? Number(text) : -1;
  if (days < 0 || days > freeRepeatDaysMax)
    throw badUsage(`--free-repeat-days ${text} is out of range. Give 0 to ${freeRepeatDaysMax}.`);
  return days;
}

function readMonitorCharge(call: Call): Account['monitor_charge'] | undefined {
  const text = readOption(call, 'monitor-charge');
  const rule = monitorCharges.find((one) => one === text);
  if (text !== undefined && rule === undefined)
    throw badUsage(`--monitor-charge ${text} must be one of ${monitorCharges.join(', ')}.`);
  return rule;
}

function describeRules(account: Account): string[] {
  const { free_repeat_days: days, infer_emails: infers } = account;
  return [
    days === 0
      ? 'Every job charges for every person that it finds.'
      : `A person is free for ${days} ${days === 1 ? 'day' : 'days'} after a job was charged.`,
    infers
      ? 'Jobs infer work emails that they do not find, in a column of their own.'
      : 'Jobs infer no emails.',
    account.monitor_charge === 'changes'
      ? 'Monitors charge contacts that are new or changed.'
      : 'Monitors charge every contact that is found.',
    account.has_budget
      ? 'The account has a budget: it spends only the credits of its wallet.'
      : 'The account has no budget: credits that its owner lacks are added. Keys stay limited.',
  ];
}

export const accountCommands: readonly Command[] = [
  {
    name: 'accounts create',
    summary: 'Create an account and print its id',
    args: '<NAME>',
    async run(call) {
      const engine = await call.openEngine();
      const [name = ''] = call.positionals;
      const { id } = await engine.ask(accounts.create, { name });
      call.terminal.note(`Created the account "${name}" with an empty wallet. Its id:`);
      return { json: { id }, lines: [id] };
    },
  },
  {
    name: 'accounts list',
    summary: 'List the accounts',
    async run(call) {
      const engine = await call.openEngine();
      const listed = await engine.ask(accounts.list);
      const rows = listed.map(({ id, name, charge_policy, created_at }) => [
        id,
        name,
        charge_policy === 'row' ? 'charges every layer' : 'charges layers with data',
        created_at,
      ]);
      return { json: listed, lines: formatTable(rows) };
    },
  },
  {
    name: 'accounts rename',
    summary: 'Rename an account',
    args: '<ID> <NAME>',
    async run(call) {
      const [id = '', name = ''] = call.positionals;
      return answerOf(call, accounts.change, { id, name }, (account) => [
        `The account is now called "${account.name}".`,
      ]);
    },
  },
  {
    name: 'accounts set',
    summary: 'Set the rules of an account',
    args: '<ID>',
    options: {
      'free-repeat-days': {
        value: 'DAYS',
        summary: "days within which a later job does not charge a person's layers again; 0: none",
      },
      'infer-emails': {
        value: 'on|off',
        summary: 'whether jobs infer work emails that they do not find',
      },
      'monitor-charge': {
        value: 'answers|changes',
        summary: 'what runs of monitors charge: every answer, or those that are new or changed',
      },
      budget: {
        value: 'on|off',
        summary: 'whether you spend only the credits of the wallet; off: missing ones are added',
      },
    },
    async run(call) {
      const change = {
        free_repeat_days: readRepeatDays(call),
        infer_emails: readSwitch(call, 'infer-emails'),
        monitor_charge: readMonitorCharge(call),
        has_budget: readSwitch(call, 'budget'),
      };
      if (Object.values(change).every((one) => one === undefined))
        throw badUsage(
          'There is nothing to set. Give --free-repeat-days, --infer-emails, --monitor-charge or ' +
            '--budget.',
        );
      const [id = ''] = call.positionals;
      return answerOf(call, accounts.change, { id, ...change }, (account) =>
        describeRules(account),
      );
    },
  },
];

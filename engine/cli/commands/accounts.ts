/** `desk accounts …`: the customer accounts of this installation. */
import { z } from 'zod';
import { AccountSchema } from '../../contract/accounts.ts';
import type { Command } from '../kit/command.ts';
import { formatTable } from '../kit/format-text.ts';

/** `desk accounts create`, `list` and `rename`. */
export const accountCommands: readonly Command[] = [
  {
    name: 'accounts create',
    summary: 'Create an account and print its id',
    args: '<NAME>',
    async run(call) {
      const engine = await call.openEngine();
      const name = call.positionals[0];
      const { id } = await engine.request(AccountSchema, 'POST', 'accounts', { name });
      call.terminal.note(`Account "${name}" is created with an empty wallet. Its id:`);
      return { json: { id }, lines: [id] };
    },
  },
  {
    name: 'accounts list',
    summary: 'List the accounts',
    async run(call) {
      const engine = await call.openEngine();
      const accounts = await engine.request(z.array(AccountSchema), 'GET', 'accounts');
      const rows = accounts.map((one) => [one.id, one.name, one.charge_policy, one.created_at]);
      return { json: accounts, lines: formatTable(rows) };
    },
  },
  {
    name: 'accounts rename',
    summary: 'Rename an account',
    args: '<ID> <NAME>',
    async run(call) {
      const [id = '', name] = call.positionals;
      const engine = await call.openEngine();
      const path = `accounts/${encodeURIComponent(id)}`;
      const account = await engine.request(AccountSchema, 'PATCH', path, { name });
      return { json: account, lines: [`The account is now called "${account.name}".`] };
    },
  },
];

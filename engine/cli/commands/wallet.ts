/** `desk wallet …`: an account's balance, grants and ledger. */

import { parseCredits } from '../../contract/credits.ts';
import { LedgerPageSchema, type Wallet, WalletSchema } from '../../contract/ledger.ts';
import type { Command } from '../kit/command.ts';
import { formatAmount, formatTable } from '../kit/format-text.ts';
import { limitOption, readLimit } from '../kit/read-limit.ts';
import { badUsage } from '../kit/refusal.ts';

const presentWallet = ({ available, held, spent }: Wallet): string =>
  `${formatAmount(available)} credits available, ${formatAmount(held)} held, ` +
  `${formatAmount(spent)} spent`;

/** `desk wallet balance`, `grant` and `history`. */
export const walletCommands: readonly Command[] = [
  {
    name: 'wallet balance',
    summary: 'Show what an account has available, held and spent',
    async run(call) {
      const engine = await call.openEngine();
      const wallet = await engine.request(WalletSchema, 'GET', 'wallet');
      return { json: wallet, lines: [presentWallet(wallet)] };
    },
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
      const engine = await call.openEngine();
      const wallet = await engine.request(WalletSchema, 'POST', 'wallet/grants', { credits });
      return { json: wallet, lines: [presentWallet(wallet)] };
    },
  },
  {
    name: 'wallet history',
    summary: 'List the ledger of an account, newest first',
    options: { limit: limitOption('entries') },
    async run(call) {
      const limit = readLimit(call);
      const engine = await call.openEngine();
      const path = `wallet/entries?limit=${limit}`;
      const { count, results } = await engine.request(LedgerPageSchema, 'GET', path);
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
];

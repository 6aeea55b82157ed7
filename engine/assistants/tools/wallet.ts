/** Handles the tool of the wallet. */
import type { walletTools } from '../../contract/assistants/tools/wallet.ts';
import { presentWallet } from '../../ledger/present-wallet.ts';
import { listLatestBalances } from '../../providers/spend/provider-balance.table.ts';
import { countCredits, type ToolHandlers } from './tool-handler.ts';

export const walletHandlers: ToolHandlers<keyof typeof walletTools> = {
  check_wallet: {
    async handle({ environment: { database }, caller }) {
      const balances = listLatestBalances(database).map(({ at, ...balance }) => ({
        ...balance,
        read_at: at,
      }));
      const wallet = presentWallet(database, caller.accountId);
      return { ...wallet, ...(balances.length > 0 && { data_services: balances }) };
    },
    summarize: ({ available, held, spent, data_services: services = [] }) =>
      [
        `${countCredits(available)} available, ${Number(held)} held, ${Number(spent)} spent.`,
        ...services.map(
          ({ provider, credits, read_at: at }) => `${provider}: ${credits} at ${at}.`,
        ),
      ].join(' '),
  },
};

/** Handles the tool of the wallet. */
import type { walletTools } from '../../contract/assistants/tools/wallet.ts';
import { presentWallet } from '../../ledger/present-wallet.ts';
import { countCredits, type ToolHandlers } from './tool-handler.ts';

/** check_wallet. */
export const walletHandlers: ToolHandlers<keyof typeof walletTools> = {
  check_wallet: {
    handle: async ({ environment, caller }) =>
      presentWallet(environment.database, caller.accountId),
    summarize: ({ available, held, spent }) =>
      `${countCredits(available)} available, ${Number(held)} held, ${Number(spent)} spent.`,
  },
};

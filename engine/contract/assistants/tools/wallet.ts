// The tool of the wallet. It returns the same wallet as the app.
import { z } from 'zod';
import { WalletSchema } from '../../ledger.ts';
import { freeHints, type ToolDefinitions } from './tool-definition.ts';

export const walletTools = {
  check_wallet: {
    title: 'Check the wallet',
    description: 'Returns the credits that are available, held by running jobs, and spent. Free.',
    input: z.strictObject({}),
    output: WalletSchema.extend({
      data_services: z
        .array(z.object({ provider: z.string(), credits: z.number(), read_at: z.string() }))
        .optional(),
    }),
    ...freeHints,
  },
} as const satisfies ToolDefinitions;

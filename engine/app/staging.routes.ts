/**
 * Routes that only the staging environment has: free credits (docs/rules.md, "Hosts and paths").
 */

import { grantBounds, readCredits } from '../accounts/accounts.routes.ts';
import { GrantSchema, WalletSchema } from '../contract/ledger.ts';
import { callerOf, requireKey } from '../http/credentials.ts';
import { answersOf, success } from '../http/responses.ts';
import type { ApiServer } from '../http/route-deps.ts';
import { presentWallet } from '../ledger/present-wallet.ts';
import type { ServerContext } from './server-context.ts';

/** Adds POST /api/v1/wallet/top-up/ to the staging environment. */
export function addStagingRoutes(server: ApiServer, context: ServerContext): void {
  server.register(
    async (scope: ApiServer) => {
      scope.addHook('onRequest', requireKey(context));
      scope.post(
        '/top-up',
        {
          schema: {
            docs: {
              id: 'topUpWallet',
              tag: 'Wallet',
              summary: 'Add credits to the staging account; 404 in the live environment',
            },
            body: GrantSchema,
            response: answersOf(WalletSchema),
          },
        },
        async (request) => {
          const { environment } = context;
          const accountId = callerOf(request).account.id;
          const units = readCredits(request.body.credits, 'credits', grantBounds);
          await environment.writer.grant({
            accountId,
            units,
            subject: { kind: 'grant', id: 'topped up in staging' },
          });
          return success(presentWallet(environment.database, accountId));
        },
      );
    },
    { prefix: '/api/v1/wallet' },
  );
}

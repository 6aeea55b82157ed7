/** What the staging world alone answers: credits for nothing (docs/rules.md, "Hosts and paths"). */
import { GrantSchema, WalletSchema } from '../../contract/app.ts';
import { describeWallet } from '../../domain/describe-job.ts';
import { answersOf, success } from '../answers.ts';
import { callerOf, requireKey } from '../credentials.ts';
import type { ApiServer, ServerContext } from '../server-context.ts';
import { grantBounds, readCredits } from './app-accounts.ts';

/** Adds POST /api/v1/wallet/top-up/ to the scope of the staging world; the live one has none. */
export function addStagingRoutes(server: ApiServer, context: ServerContext): void {
  server.register(
    async (scope: ApiServer) => {
      scope.addHook('onRequest', requireKey(context));
      scope.post(
        '/top-up',
        { schema: { body: GrantSchema, response: answersOf(WalletSchema) } },
        async (request) => {
          const { world } = context;
          const accountId = callerOf(request).account.id;
          const units = readCredits(request.body.credits, 'credits', grantBounds);
          await world.writer.grant({ accountId, units, reference: 'topped up in staging' });
          return success(describeWallet(world.database, accountId));
        },
      );
    },
    { prefix: '/api/v1/wallet' },
  );
}

/** Downloads of exports by ticket. */
import { z } from 'zod';
import { EngineError } from '../contract/errors.ts';
import type { ApiServer } from '../http/route-deps.ts';
import { sendExport } from '../http/send-export.ts';
import { runWithOrigin } from '../platform/workers/call-origin.ts';
import type { ServerContext } from './server-context.ts';

const TicketParamsSchema = z.object({ ticket: z.string() });

/**
 * Adds GET /app/v1/downloads/{ticket}. The ticket is the authorization, so no session is required.
 */
export function addDownloadRoute(
  server: ApiServer,
  { tickets, environment, isLocal }: ServerContext,
): void {
  server.get(
    '/downloads/:ticket',
    { schema: { params: TicketParamsSchema } },
    async (request, reply) => {
      const command = tickets.redeem(request.params.ticket);
      if (!command)
        throw new EngineError(
          'not_found',
          'This download link has expired or was already used. Request a new one.',
        );
      // Only the app and the command line receive tickets.
      const channel = isLocal(request.raw) ? 'command_line' : 'app';
      const { accountId } = command;
      return runWithOrigin({ channel, keyId: null, accountId }, () =>
        sendExport(environment.reader, command, reply),
      );
    },
  );
}

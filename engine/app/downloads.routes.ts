/** Downloads of exports by ticket. */
import { z } from 'zod';
import { EngineError } from '../contract/errors.ts';
import type { ApiServer } from '../http/route-deps.ts';
import { sendExport } from '../http/send-export.ts';
import type { ServerContext } from './server-context.ts';

const TicketParamsSchema = z.object({ ticket: z.string() });

/**
 * Adds GET /app/v1/downloads/{ticket}. The ticket is the authorization, so no session is required.
 */
export function addDownloadRoute(server: ApiServer, { tickets, environment }: ServerContext): void {
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
      return sendExport(environment.reader, command, reply);
    },
  );
}

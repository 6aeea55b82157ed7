// The log of requests of programs to the engine (/app/v1/requests). It is kept in memory only.
import { z } from 'zod';
import { endpoints } from '../endpoints.ts';
import { TimestampSchema } from '../ids.ts';
import { loggedRequestsMax } from '../limits/http-server.ts';
import { limitText } from '../whole-number.ts';

/** One answered request. It has no query, id or value of a person. */
export const LoggedRequestSchema = z.object({
  /** Counts up from 1 since the engine started. */
  id: z.int(),
  at: TimestampSchema,
  method: z.string(),
  /** The route, `/api/v1/data-enrichment/status/{job_id}`; null if there is none for the path. */
  route: z.string().nullable(),
  status: z.int(),
  duration_ms: z.number(),
  /** Null if the request was not admitted, or came from the app or the command line. */
  key_id: z.uuid().nullable(),
  key_label: z.string().nullable(),
  /** How the request was admitted; `none`: it was refused. */
  caller: z.enum(['key', 'app', 'command_line', 'none']),
});
export type LoggedRequest = z.infer<typeof LoggedRequestSchema>;

export const RequestsQuerySchema = z.object({ limit: limitText(100, loggedRequestsMax) });

export const RequestsSchema = z.object({
  requests: z.array(LoggedRequestSchema),
  /** How many are kept at most, of all accounts. */
  kept_max: z.int(),
});
export type Requests = z.infer<typeof RequestsSchema>;

export const requestLog = endpoints('requestLog', {
  list: { app: 'GET /app/v1/requests', query: RequestsQuerySchema, answer: RequestsSchema },
});

// Browsers that use the app, and links that open it.
import { z } from 'zod';
import { endpoints } from './endpoints.ts';
import { TimestampSchema, UuidSchema } from './ids.ts';

export const OpenLinkSchema = z.object({ open_url: z.string() });

/** A browser that may use the app, in the answer of GET /app/v1/sessions. */
export const BrowserSessionSchema = z.object({
  id: UuidSchema,
  /** Such as "Firefox on Linux". */
  browser: z.string(),
  opened_at: TimestampSchema,
  /** At most an hour old while the browser is in use. */
  last_used_at: TimestampSchema,
  /** Whether this browser sent the request. */
  is_current: z.boolean(),
});
export type BrowserSession = z.infer<typeof BrowserSessionSchema>;

export const sessions = endpoints('sessions', {
  link: { app: 'POST /app/v1/session-links', answer: OpenLinkSchema },
  list: { app: 'GET /app/v1/sessions', answer: z.array(BrowserSessionSchema) },
  close: {
    app: 'DELETE /app/v1/sessions/:id',
    params: z.object({ id: UuidSchema }),
    answer: z.object({ id: UuidSchema }),
  },
});

// Answers the calls about the browsers that use the app, and redeems one-time links.
import { OpenCodeSchema, SessionSchema } from '../contract/engine.ts';
import { EngineError, notFound } from '../contract/errors.ts';
import { sessions } from '../contract/sessions.ts';
import { sessionOf } from '../http/credentials.ts';
import { answersOf, success } from '../http/responses.ts';
import type { ApiServer, RouteDeps } from '../http/route-deps.ts';
import { serve } from '../http/serve.ts';
import { runWithOrigin } from '../platform/workers/call-origin.ts';

// The first that fits counts: Edge and Opera also name Chrome, and Chrome also names Safari.
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\//, 'Firefox'],
  [/\b(?:Headless)?Chrome\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const systems: readonly (readonly [RegExp, string])[] = [
  [/\bWindows\b/, 'Windows'],
  [/\b(?:Macintosh|Mac OS X)\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

/** Such as "Firefox on Linux". The text of the header itself is not kept. */
export function nameBrowser(userAgent: string | undefined): string {
  const find = (table: typeof browsers) =>
    table.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1];
  const [browser, system] = [find(browsers), find(systems)];
  return `${browser ?? 'Unknown browser'}${system ? ` on ${system}` : ''}`;
}

/** Closes a session, with its event streams. Rejects with `not_found`. */
async function closeSession(context: RouteDeps, id: string): Promise<void> {
  await context.sessions.close(id);
  context.endSessionStreams(id);
}

/** Adds POST /app/v1/session. The new session replaces the one that the browser has. */
export function addSessionRoute(server: ApiServer, context: RouteDeps): void {
  server.post(
    '/session',
    { schema: { body: OpenCodeSchema, response: answersOf(SessionSchema) } },
    async (request) => {
      // A code has 256 random bits and cannot be guessed; a rate limit would only lock the owner
      // out.
      const onOpened = context.openCodes.redeem(request.body.code);
      if (!onOpened)
        throw new EngineError(
          'unauthorized',
          'This link has expired or was already used. Request a new one with "desk open".',
        );
      const former = request.headers['x-desk-session'];
      const replaced = typeof former === 'string' ? context.sessions.find(former) : null;
      // The request has no session yet.
      const origin = { channel: 'app', keyId: null, accountId: null } as const;
      return runWithOrigin(origin, async () => {
        const token = await context.sessions.open(nameBrowser(request.headers['user-agent']));
        onOpened();
        if (replaced !== null) await closeSession(context, replaced);
        return success({ token });
      });
    },
  );
}

export function addSessionsRoutes(server: ApiServer, context: RouteDeps): void {
  serve(server, context, sessions, {
    link() {
      const { url } = context.address;
      if (url === null)
        throw notFound(
          'This engine has no port, so it serves no page. Start one with "desk serve --open".',
        );
      if (context.uiDir === null)
        throw notFound(
          'This engine serves no interface: the desktop app shows it, or it was not built.',
        );
      return { open_url: `${url}/#open=${context.openCodes.issue(() => undefined)}` };
    },
    list: (_given, { request }) =>
      context.sessions.list().map(({ id, browser, openedAt, lastUsedAt }) => ({
        id,
        browser,
        opened_at: openedAt,
        last_used_at: lastUsedAt,
        is_current: id === sessionOf(request),
      })),
    async close({ id }) {
      await closeSession(context, id);
      return { id };
    },
  });
}

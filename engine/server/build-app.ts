/**
 * Puts the routes of the server together: hooks, body parsers, refusals, and one set of routes per
 * area.
 */
import fastifyMultipart from '@fastify/multipart';
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { pino } from 'pino';
import { z } from 'zod';
import { EngineError } from '../contract/errors.ts';
import { jsonBodyBytesMax } from '../contract/limits.ts';
import { answerError, checkInput, writeAnswer } from './answers.ts';
import { decorateCaller, requireKey, requireSession } from './credentials.ts';
import { guardRequest, pathOf, securityHeaders } from './guards.ts';
import { addAccountAndWalletRoutes } from './routes/app-accounts.ts';
import { addDirectoryRoutes } from './routes/app-directory.ts';
import { addEngineRoutes, addSessionRoute } from './routes/app-engine.ts';
import { addAppJobRoutes, addDownloadRoute } from './routes/app-jobs.ts';
import { addUploadRoutes } from './routes/app-uploads.ts';
import { addDataEnrichmentRoutes } from './routes/data-enrichment.ts';
import { addInterface, isScreen, sendPage } from './routes/interface.ts';
import type { ApiServer, ServerContext } from './server-context.ts';

/** Where the routes stood before (specification, "Versioning"), and since when they are old. */
const oldPath = '/api/v1/enrichment';
const newPath = '/api/v1/data-enrichment';
const newSince = Date.UTC(2026, 9, 11) / 1000;

// Standard error, and nothing below a warning: requests are nobody's business but their caller's.
const openLog = () =>
  pino(
    {
      level: 'warn',
      redact: ['req.headers', 'err.config', 'authorization', 'token'],
      serializers: {
        req: (request: FastifyRequest) => ({ method: request.method, path: pathOf(request) }),
      },
    },
    pino.destination({ fd: 2, sync: true }),
  );

/** JSON as bytes: broken UTF-8 is refused, never silently replaced; an empty body is none. */
function addJsonParser(server: ApiServer): void {
  const parse = server.getDefaultJsonParser('error', 'error');
  const decoder = new TextDecoder('utf-8', { fatal: true });
  server.removeAllContentTypeParsers();
  server.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    (request, body: Buffer, done) => {
      let text: string;
      try {
        text = decoder.decode(body);
      } catch {
        done(new EngineError('validation_error', 'The body is not valid UTF-8.'));
        return;
      }
      if (text.trim() === '') done(null, undefined);
      else
        parse(request, text, (error, value) =>
          error
            ? done(
                new EngineError('validation_error', `The body is no valid JSON: ${error.message}.`),
              )
            : done(null, value),
        );
    },
  );
}

function addRestRoutes(server: ApiServer, context: ServerContext): void {
  for (const prefix of [newPath, oldPath])
    server.register(
      async (scope: ApiServer) => {
        scope.addHook('onRequest', async (_request, reply) => {
          if (prefix !== oldPath) return;
          reply.header('deprecation', `@${newSince}`);
          reply.header('link', `<${newPath}/>; rel="successor-version"`);
        });
        scope.addHook('onRequest', requireKey(context));
        addDataEnrichmentRoutes(scope, context);
      },
      { prefix },
    );
}

function addAppRoutes(server: ApiServer, context: ServerContext): void {
  const prefix = '/app/v1';
  server.register(
    async (scope: ApiServer) => {
      addSessionRoute(scope, context);
      addDownloadRoute(scope, context);
    },
    { prefix },
  );
  server.register(
    async (scope: ApiServer) => {
      scope.addHook('onRequest', requireSession(context));
      addEngineRoutes(scope, context);
      addUploadRoutes(scope, context);
      addAppJobRoutes(scope, context);
      addAccountAndWalletRoutes(scope, context);
      addDirectoryRoutes(scope, context);
    },
    { prefix },
  );
}

const HealthSchema = z.object({ status: z.literal('ok'), version: z.string() });

/** What answers an address that no route has. */
const answerUnknown = (uiDir: string | null) => (request: FastifyRequest, reply: FastifyReply) => {
  if (uiDir !== null && isScreen(request.method, pathOf(request))) return sendPage(uiDir, reply);
  throw new EngineError(
    'not_found',
    `There is nothing at ${request.method} ${pathOf(request)}. Check the path and the method.`,
  );
};

/** Builds the server. It listens nowhere yet. */
export function buildApp(context: ServerContext): ApiServer {
  const server = fastify({
    loggerInstance: openLog(),
    bodyLimit: jsonBodyBytesMax,
    // HEAD would spend tickets and open streams that nobody reads.
    exposeHeadRoutes: false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 2_000 },
    // A path that is no path is unknown, as any other.
    frameworkErrors: (_error, request, reply) =>
      void answerError(new EngineError('not_found'), request, reply.headers(securityHeaders)),
  }).withTypeProvider<ZodTypeProvider>() as unknown as ApiServer;
  server.setValidatorCompiler(checkInput);
  server.setSerializerCompiler(writeAnswer);
  server.setErrorHandler(answerError);
  addJsonParser(server);
  server.register(fastifyMultipart);
  decorateCaller(server);
  server.addHook('onRequest', guardRequest(context));
  server.addHook('onRequest', async (request, reply) => {
    // Before the body is read: what it holds does not matter where nothing is.
    if (request.is404) await answerUnknown(context.uiDir)(request, reply);
  });
  server.setNotFoundHandler(answerUnknown(context.uiDir));
  server.get('/healthz', { schema: { response: { 200: HealthSchema } } }, async () => ({
    status: 'ok' as const,
    version: context.version,
  }));
  addRestRoutes(server, context);
  addAppRoutes(server, context);
  if (context.uiDir !== null) addInterface(server, context.uiDir);
  return server;
}

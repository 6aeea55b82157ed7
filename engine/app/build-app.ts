// Assembles the server: hooks, body parsers, error handling, and one set of routes per area.
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import fastifyMultipart from '@fastify/multipart';
import fastifyStatic from '@fastify/static';
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { pino } from 'pino';
import { z } from 'zod';
import {
  addAccountAndWalletRoutes,
  grantBounds,
  readCredits,
} from '../accounts/accounts.routes.ts';
import { addAssistantRoutes } from '../assistants/assistants.routes.ts';
import type { ToolParts } from '../assistants/tool-server/tool-endpoint.ts';
import { addToolRoutes } from '../assistants/tool-server/tools.routes.ts';
import { addAuditRoutes } from '../audit/audit.routes.ts';
import { EngineError, notFound } from '../contract/errors.ts';
import { GrantSchema, WalletSchema } from '../contract/ledger.ts';
import { drainBytesMax, drainMaxMs, jsonBodyBytesMax } from '../contract/limits/http.ts';
import { addDirectoryRoutes } from '../directory/directory.routes.ts';
import { addDuplicateRoutes } from '../directory/duplicates/duplicates.routes.ts';
import { addRecordRoutes } from '../directory/records/records.routes.ts';
import { addSearchRoutes } from '../directory/search/search.routes.ts';
import { describeUnknown } from '../http/answer-unparsed.ts';
import { discardTable, readJsonBody } from '../http/bodies/read-json-body.ts';
import { watchClients } from '../http/client-presence.ts';
import { callerOf, decorateCaller, keepOrigin, requireKey } from '../http/credentials.ts';
import {
  guardRequest,
  isApiPath,
  pathOf,
  securityHeaders,
  withoutEnvironment,
} from '../http/guards.ts';
import { addDescriptionRoute } from '../http/openapi/docs.routes.ts';
import { gatherRoutes } from '../http/openapi/openapi-routes.ts';
import { noteRequests } from '../http/requests/note-requests.ts';
import { addRequestRoutes } from '../http/requests/requests.routes.ts';
import { answerError, answersOf, checkInput, success, writeAnswer } from '../http/responses.ts';
import type { ApiServer } from '../http/route-deps.ts';
import { sendExport } from '../http/send-export.ts';
import { sendPage } from '../http/send-interface-page.ts';
import { addAppJobRoutes, addJobRoutes } from '../jobs/jobs.routes.ts';
import { addTemplateRoutes } from '../jobs/templates/templates.ts';
import { presentWallet } from '../ledger/present-wallet.ts';
import { addLookupRoutes } from '../lookup/lookup.routes.ts';
import { addCareerMonitorRoutes, addMonitorRoutes } from '../monitors/monitors.routes.ts';
import { addAuthorizeRoutes } from '../oauth/authorize.routes.ts';
import { addOauthAppRoutes } from '../oauth/connected-apps.routes.ts';
import { addDiscoveryRoutes } from '../oauth/discovery.routes.ts';
import { addTokenRoutes } from '../oauth/token.routes.ts';
import { addPersonDataRoutes } from '../person-data/person-data.routes.ts';
import { addPipelineRoutes } from '../pipelines/pipelines.routes.ts';
import { runWithOrigin } from '../platform/workers/call-origin.ts';
import { addOrganisationRoute } from '../policy/organisation.routes.ts';
import { addProviderRoutes } from '../providers/providers.routes.ts';
import { addRetentionRoutes } from '../retention/retention.routes.ts';
import { addSessionRoute, addSessionsRoutes } from '../sessions/sessions.routes.ts';
import { addSharedRoutes } from '../shared/settings/shared.routes.ts';
import { addSuppressionRoutes } from '../suppression/suppression.routes.ts';
import { addValidationRoutes } from '../validations/validations.routes.ts';
import { addWalletRoutes } from '../wallet/wallet.routes.ts';
import { addWebhookRoutes } from '../webhooks/webhooks.routes.ts';
import { addEngineRoutes } from './engine.routes.ts';
import type { ServerContext } from './server-context.ts';

function addStagingRoutes(server: ApiServer, context: ServerContext): void {
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

const assetsKeptSeconds = 31_536_000;

/** Adds the files of the interface. @param uiDir absolute path of the built interface */
function addInterface(server: ApiServer, uiDir: string): void {
  for (const path of ['/', '/index.html'])
    server.get(path, (_request, reply) => sendPage(uiDir, reply));
  server.register(fastifyStatic, {
    root: uiDir,
    prefix: '/',
    index: false,
    cacheControl: false,
    // The build writes compressed copies (scripts/compress-files.mjs).
    preCompressed: true,
    allowedPath: (path) => !isApiPath(path),
    setHeaders(reply, path) {
      // The build adds a content hash to the names of these files.
      if (path.startsWith(join(uiDir, 'assets')))
        reply.header('cache-control', `public, max-age=${assetsKeptSeconds}, immutable`);
    },
  });
}

/** A browser that asks for a screen requests HTML, and the path has no file extension. */
const isScreen = (method: string, path: string, accept = ''): boolean =>
  (method === 'GET' || method === 'HEAD') &&
  /\btext\/html\b/i.test(accept) &&
  !isApiPath(path) &&
  !path.slice(path.lastIndexOf('/')).includes('.');

const TicketParamsSchema = z.object({ ticket: z.string() });

/** Adds GET /app/v1/downloads/{ticket}. The ticket is the authorization: no session is needed. */
function addDownloadRoute(
  server: ApiServer,
  { tickets, environment, isLocal }: ServerContext,
): void {
  server.get(
    '/downloads/:ticket',
    { schema: { params: TicketParamsSchema } },
    async (request, reply) => {
      const command = tickets.redeem(request.params.ticket);
      if (!command)
        throw notFound('This download link has expired or was already used. Request a new one.');
      // Only the app and the command line receive tickets.
      const channel = isLocal(request.raw) ? 'command_line' : 'app';
      const { accountId } = command;
      return runWithOrigin({ channel, keyId: null, accountId }, () =>
        sendExport(environment.reader, command, reply),
      );
    },
  );
}

// Reads and discards the rest of a refused request's body. Many clients send the whole body before
// they read the answer, and would miss it if the connection were closed earlier.

/** Resolves with whether the body ended within the limits. */
function drainBody(request: IncomingMessage): Promise<boolean> {
  if (request.complete || request.destroyed) return Promise.resolve(request.complete);
  return new Promise((resolve) => {
    let bytes = 0;
    const count = (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > drainBytesMax) end();
    };
    const end = () => {
      clearTimeout(patience);
      request.off('data', count).off('end', end).off('close', end);
      resolve(request.complete);
    };
    const patience = setTimeout(end, drainMaxMs);
    request.on('data', count).on('end', end).on('close', end).resume();
  });
}

/** The former path of enrichment (docs/rules.md, "Hosts and paths"), and its deprecation. */
const oldPath = '/api/v1/enrichment';
const newPath = '/api/v1/data-enrichment';
const newSince = Date.UTC(2026, 9, 11) / 1000;

/** A hook that adds deprecation headers to every answer under the old path, including errors. */
async function addSuccessorHeaders(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const path = pathOf(request);
  const live = withoutEnvironment(path);
  if (live !== oldPath && !live.startsWith(`${oldPath}/`)) return;
  const basePath = path.slice(0, path.length - live.length);
  reply.header('deprecation', `@${newSince}`);
  reply.header('link', `<${basePath}${newPath}/>; rel="successor-version"`);
}

/** A hook that reads a request's body to its end, so that the client reads the answer. */
async function drainRequest(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (!(await drainBody(request.raw))) reply.header('connection', 'close');
}

/** Answers an invalid path like an unknown one. Hooks do not run for such requests. */
async function answerNoPath(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  await addSuccessorHeaders(request, reply);
  await drainRequest(request, reply);
  answerError(new EngineError('not_found'), request, reply.headers(securityHeaders));
}

/** The log level of DESK_LOG_LEVEL, from `trace` to `silent`; `warn` by default. */
function readLogLevel(): string {
  const requestedLevel = process.env.DESK_LOG_LEVEL ?? '';
  return requestedLevel in pino.levels.values || requestedLevel === 'silent'
    ? requestedLevel
    : 'warn';
}

// Logs to standard error. Requests are logged only on demand, and their query, which may contain a
// token, never.
const openLog = () =>
  pino(
    {
      level: readLogLevel(),
      redact: ['req.headers', 'err.config', 'authorization', 'token'],
      serializers: {
        req: (request: FastifyRequest) => ({ method: request.method, path: pathOf(request) }),
      },
    },
    pino.destination({ fd: 2, sync: true }),
  );

function addJsonParser(scope: ApiServer, context: ServerContext): void {
  scope.addContentTypeParser('application/json', (request: FastifyRequest) =>
    readJsonBody(context, request),
  );
  scope.addHook('onSend', discardTable);
}

function addRestRoutes(server: ApiServer, context: ServerContext): void {
  server.register(async (scope: ApiServer) => {
    addJobRoutes(scope, context);
    addCareerMonitorRoutes(scope, context);
    addPipelineRoutes(scope, context);
    addWebhookRoutes(scope, context);
  });
}

/** The calls that tables declare, each with its whole address and its own guard. */
function addCalls(server: ApiServer, context: ServerContext): void {
  addEngineRoutes(server, context);
  addRequestRoutes(server, context);
  addSessionsRoutes(server, context);
  addAccountAndWalletRoutes(server, context);
  addWalletRoutes(server, context);
  addAppJobRoutes(server, context);
  addMonitorRoutes(server, context);
  addDirectoryRoutes(server, context);
  addTemplateRoutes(server, context);
  addSearchRoutes(server, context);
  addRecordRoutes(server, context);
  addDuplicateRoutes(server, context);
  addValidationRoutes(server, context);
  addAssistantRoutes(server, context);
  addOauthAppRoutes(server, context);
  addOrganisationRoute(server, context);
  addProviderRoutes(server, context);
  addSuppressionRoutes(server, context);
  addRetentionRoutes(server, context);
  addSharedRoutes(server, context);
  addAuditRoutes(server, context);
  addPersonDataRoutes(server, context);
}

function addAppRoutes(server: ApiServer, context: ServerContext): void {
  const prefix = '/app/v1';
  server.register(
    async (scope: ApiServer) => {
      // The page has one session for all environments, and one place to redeem its link.
      if (context.environment.name === 'live') addSessionRoute(scope, context);
      addDownloadRoute(scope, context);
    },
    { prefix },
  );
}

async function loadTools(context: ServerContext): Promise<ToolParts> {
  const { openTools } = await import('../assistants/tool-server/open-tools.ts');
  return { openServer: await openTools(context) };
}

function addEnvironmentRoutes(
  server: ApiServer,
  context: ServerContext,
  toolParts: ToolParts | undefined,
): void {
  server.register(
    async (scope: ApiServer) => {
      // Must run first: before it, the environment's database cannot be read.
      scope.addHook('onRequest', context.whenOpen);
      addJsonParser(scope, context);
      addRestRoutes(scope, context);
      addLookupRoutes(scope, context);
      addToolRoutes(scope, context, async () => toolParts ?? loadTools(context));
      addAuthorizeRoutes(scope, context);
      addTokenRoutes(scope, context);
      if (context.environment.name === 'staging') addStagingRoutes(scope, context);
      addAppRoutes(scope, context);
      addCalls(scope, context);
    },
    { prefix: context.basePath },
  );
}

const HealthSchema = z.object({ status: z.literal('ok'), version: z.string() });

function addHealthRoute(server: ApiServer, context: ServerContext): void {
  server.get(
    '/healthz',
    {
      schema: {
        docs: {
          id: 'getHealth',
          tag: 'Engine',
          summary: 'Check whether the engine responds and all its threads run',
          description: 'Needs no key and does not count toward the rate limit.',
          refusals: ['unavailable'],
        },
        response: { 200: HealthSchema },
      },
    },
    async () => {
      const fault = context.environment.describeFault();
      if (fault !== null) throw new EngineError('unavailable', fault);
      return { status: 'ok' as const, version: context.version };
    },
  );
}

const answerUnknown = (uiDir: string | null) => (request: FastifyRequest, reply: FastifyReply) => {
  const { method, headers } = request;
  const path = pathOf(request);
  if (uiDir !== null && isScreen(method, path, headers.accept)) return sendPage(uiDir, reply);
  throw notFound(describeUnknown({ method, path }));
};

/**
 * Builds the server, which does not listen yet.
 * @param contexts one for each environment; paths of no environment are answered by the first
 * @param toolParts parts of the tool server; the product's own tools by default
 */
export function buildApp(
  contexts: readonly ServerContext[],
  toolParts: ToolParts | undefined,
): ApiServer {
  const [context] = contexts;
  if (!context) throw new Error('a server needs an environment');
  const server = fastify({
    loggerInstance: openLog(),
    bodyLimit: jsonBodyBytesMax,
    // HEAD would use up tickets and open streams without readers.
    exposeHeadRoutes: false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 2_000 },
    frameworkErrors: (_error, request, reply) => void answerNoPath(request, reply),
  }).withTypeProvider<ZodTypeProvider>() as unknown as ApiServer;
  const listRoutes = gatherRoutes(server);
  server.setValidatorCompiler(checkInput);
  server.setSerializerCompiler(writeAnswer);
  server.setErrorHandler(answerError);
  server.removeAllContentTypeParsers();
  server.register(fastifyMultipart);
  decorateCaller(server);
  server.addHook('onRequest', addSuccessorHeaders);
  watchClients(server);
  server.addHook('onRequest', guardRequest(context));
  server.addHook('onSend', drainRequest);
  server.addHook('onResponse', noteRequests(contexts));
  server.addHook('onRequest', async (request, reply) => {
    // Runs before the body is read, because the body of an unknown path does not matter.
    if (request.is404) await answerUnknown(context.uiDir)(request, reply);
  });
  server.addHook('preHandler', keepOrigin(context.isLocal));
  server.setNotFoundHandler(answerUnknown(context.uiDir));
  addHealthRoute(server, context);
  addDiscoveryRoutes(server, contexts);
  for (const one of contexts) addEnvironmentRoutes(server, one, toolParts);
  addDescriptionRoute(server, context, listRoutes);
  if (context.uiDir !== null) addInterface(server, context.uiDir);
  return server;
}

// Routes /oauth/authorize, which checks an authorization request and shows the consent page, and
// /oauth/wait, which tells that page when the request is answered in the app.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { getAccountById } from '../accounts/account.table.ts';
import { readCap } from '../accounts/accounts.routes.ts';
import { getIdentityProvider } from '../accounts/identity-provider.table.ts';
import { checkPerson, type Person } from '../accounts/identity-providers.ts';
import { checkLogin } from '../accounts/logins.ts';
import type { CreditUnits } from '../contract/credits.ts';
import { EngineError } from '../contract/errors.ts';
import { consentWaitMs, redirectCharactersMax } from '../contract/limits/oauth.ts';
import { AllowSchema, AuthorizeQuerySchema } from '../contract/oauth.ts';
import type { ApiServer } from '../http/route-deps.ts';
import { matchesRedirect } from '../platform/net/redirect-uri.ts';
import { allowConsent, denyConsent, writeAnswerUrl } from './consent-handler.ts';
import { type PageState, sendConsentPage, tabKey } from './consent-page.ts';
import type { Consent } from './consents.ts';
import { type Issuer, issuers, issuerUrl, listResources } from './discovery.routes.ts';
import { type Client, createClientFinder } from './find-client.ts';
import { readFormsOnly } from './form-body.ts';
import type { TypedCaps, WaitingLogin } from './identity-logins.ts';
import { IssuerProblem } from './issuer-fault.ts';
import { finishLogin } from './oidc-client.ts';
import type { OauthRouteDeps } from './route-deps.ts';
import { callbackPath, startIdentityLogin } from './start-identity-login.ts';
import { redirect, sendFault, sendHtml, sendRefusalPage } from './write-page.ts';

const PageAnswerSchema = z.object({
  transaction: z.string(),
  /** The action. After `provider` comes the account whose identity provider is used. */
  action: z.string().default(''),
  email: z.string().max(320).default(''),
  password: z.string().max(1_000).default(''),
  cap_per_day: z.string().max(40).default(''),
  cap_per_month: z.string().max(40).default(''),
});

interface PageRequest {
  readonly context: OauthRouteDeps;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly consent: Consent;
  readonly answer: z.infer<typeof PageAnswerSchema>;
}

const tooOld =
  'This request was already answered or has expired. Start again from the app that sent you here.';

function showAgain({ context, reply, consent, answer }: PageRequest, state: PageState) {
  const { transaction: secret, email, cap_per_day, cap_per_month } = answer;
  const typed = { email, caps: { cap_per_day, cap_per_month } };
  return sendConsentPage(reply, context, { consent, secret }, { ...typed, ...state });
}

const refuseLate = ({ reply }: PageRequest) => sendRefusalPage(reply, 400, tooOld);

/** Parses the caps on the page; returns the problem if one is invalid. */
function readCaps(
  typed: TypedCaps,
): { capDayUnits: CreditUnits | null; capMonthUnits: CreditUnits | null } | { problem: string } {
  const plain = (text: string) => text.replaceAll(',', '').trim() || null;
  const caps = AllowSchema.parse({
    cap_per_day: plain(typed.cap_per_day),
    cap_per_month: plain(typed.cap_per_month),
  });
  try {
    return {
      capDayUnits: readCap(caps.cap_per_day, 'Credits a day') ?? null,
      capMonthUnits: readCap(caps.cap_per_month, 'Credits a month') ?? null,
    };
  } catch (error) {
    if (error instanceof EngineError) return { problem: error.detail };
    throw error;
  }
}

async function allow(pageRequest: PageRequest, accountId: number) {
  const { context, reply, consent, answer } = pageRequest;
  const caps = readCaps(answer);
  if ('problem' in caps) return showAgain(pageRequest, { status: 400, problem: caps.problem });
  const claimed = context.consents.claim(context.environment.name, consent.id);
  if (!claimed) return refuseLate(pageRequest);
  const location = await allowConsent(context, claimed, { accountId, ...caps });
  // The page follows this redirect; if its poll were answered too, it would follow it twice.
  context.consents.finish(claimed);
  return redirect(reply, location);
}

/** Shows the page again if it has started too many logins; null if it may start one. */
function refuseMany(pageRequest: PageRequest) {
  const { allowed, resetSeconds } = pageRequest.context.loginWindow.take(pageRequest.consent.id);
  if (allowed) return null;
  pageRequest.reply.header('retry-after', resetSeconds);
  const minutes = Math.ceil(resetSeconds / 60);
  const problem = `Too many attempts. Wait ${minutes} min, or answer in the app.`;
  return showAgain(pageRequest, { status: 429, problem });
}

async function logIn(pageRequest: PageRequest) {
  const { context, reply, consent, answer } = pageRequest;
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  const signal = AbortSignal.any([gone.signal, context.stopping]);
  try {
    const accountId = await context.logins.check(consent.id, signal, () =>
      checkLogin(context.environment.database, answer.email, answer.password),
    );
    if (accountId !== null) return await allow(pageRequest, accountId);
    return await showAgain(pageRequest, { status: 401, problem: 'Email or password is wrong.' });
  } catch (error) {
    // The client has disconnected, so the page is not shown.
    if (signal.aborted) return showAgain(pageRequest, {});
    if (!(error instanceof EngineError) || error.code !== 'rate_limited') throw error;
    reply.header('retry-after', 1);
    return showAgain(pageRequest, { status: 429, problem: error.detail });
  }
}

async function allowAsProven(pageRequest: PageRequest) {
  const { identityLogins, environment } = pageRequest.context;
  const person = identityLogins.find(pageRequest.consent);
  const provider = person && getIdentityProvider(environment.database, person.accountId);
  if (provider && provider.setAt === person.setAt) return allow(pageRequest, person.accountId);
  identityLogins.forget(pageRequest.consent);
  const problem = 'You are not logged in, or the settings have changed. Log in first.';
  return showAgain(pageRequest, { status: 401, problem });
}

async function beginAtProvider(pageRequest: PageRequest) {
  const refused = refuseMany(pageRequest);
  if (refused) return refused;
  const { context, request, reply, consent, answer } = pageRequest;
  const { transaction: secret, action, cap_per_day, cap_per_month } = answer;
  const [, account = ''] = action.split(' ');
  const caps = { cap_per_day, cap_per_month };
  const begun = await startIdentityLogin(context, request, { consent, secret, account, caps });
  return 'url' in begun
    ? redirect(reply, begun.url)
    : showAgain(pageRequest, { status: 502, problem: begun.problem });
}

async function deny(pageRequest: PageRequest) {
  const { context, reply, consent } = pageRequest;
  const claimed = context.consents.claim(context.environment.name, consent.id);
  if (!claimed) return refuseLate(pageRequest);
  context.consents.finish(claimed);
  return redirect(reply, denyConsent(claimed));
}

/** Without scripts the page cannot wait, so it checks once. */
async function askOnce(pageRequest: PageRequest) {
  const { consents } = pageRequest.context;
  const location = await consents.whenAnswered(pageRequest.consent, AbortSignal.abort());
  return location ? redirect(pageRequest.reply, location) : showAgain(pageRequest, {});
}

const actions = new Map([
  ['allow', logIn],
  ['allow-proven', allowAsProven],
  ['provider', beginAtProvider],
  ['deny', deny],
]);

/**
 * POST /oauth/authorize, an answer on the page: allow with email and password, or as a person that
 * an identity provider has authenticated; deny; or log in at the provider.
 */
const answerPage =
  (context: OauthRouteDeps) => async (request: FastifyRequest, reply: FastifyReply) => {
    const { consents, environment } = context;
    const parsed = PageAnswerSchema.safeParse(request.body ?? {});
    const consent = parsed.success
      ? consents.find(environment.name, parsed.data.transaction)
      : null;
    if (!parsed.success || !consent) return sendRefusalPage(reply, 400, tooOld);
    const answer = parsed.data;
    const act = actions.get(answer.action.split(' ', 1)[0] ?? '') ?? askOnce;
    return act({ context, request, reply, consent, answer });
  };

// Route /oauth/callback, to which an identity provider returns people. The GET only passes the
// answer on with the secret that the tab has kept; the POST checks both, and shows the consent to
// an authenticated person. Nothing is authorized here.

// Runs before the page is complete, so that this URL, which contains a code, leaves the history.
const handOnScript = `
const form=document.querySelector('form');
form.elements.answer.value=location.search;
try{form.elements.transaction.value=sessionStorage.getItem('${tabKey}')??'';
sessionStorage.removeItem('${tabKey}');}catch{}
form.submit();`;

/** GET: has no effect, so that link previews do not use the login up. */
const sendCallbackPage =
  (context: OauthRouteDeps) => async (_: FastifyRequest, reply: FastifyReply) =>
    sendHtml(reply, {
      status: 200,
      title: 'One moment',
      body: `<p role="status">Checking your login …</p>
<form method="post" action="${context.basePath}${callbackPath}">
<input type="hidden" name="transaction"><input type="hidden" name="answer"></form>
<noscript><p>This login needs scripts. Answer in the app instead.</p></noscript>`,
      script: handOnScript,
    });

const CallbackSchema = z.object({
  transaction: z.string().max(100),
  answer: z.string().max(2 * redirectCharactersMax),
});

const otherTab =
  'This login was not started in this tab. Start again from the app that sent you here, in ' +
  'the tab that it opens, or answer in Enrichment Desk.';
const usedUp = 'This login was already used or has expired. Log in again, or answer in the app.';

/** Why a person may not authorize apps, in a sentence; null if they may. */
function findPersonFault(waiting: WaitingLogin, person: Person, context: OauthRouteDeps) {
  const provider = getIdentityProvider(context.environment.database, waiting.accountId);
  if (provider?.setAt !== waiting.setAt)
    return 'The settings of this login have changed. Log in again.';
  const { host } = new URL(provider.issuer);
  const verdict = checkPerson(provider, person);
  const name = person.email ?? person.subject;
  if (verdict === 'unverified')
    return `${host} reports that ${name} is not verified. Verify it there, then log in again.`;
  return verdict === 'stranger'
    ? `${name} may not authorize apps here. Log out at ${host} and log in as a person who may, ` +
        'or add the person in Connections.'
    : null;
}

/** Checks the answer of a provider. Returns why the login failed, or null if it succeeded. */
async function takeAnswer(
  context: OauthRouteDeps,
  { request, waiting, answer }: { request: FastifyRequest; waiting: WaitingLogin; answer: string },
): Promise<string | null> {
  const { identityDeadline, identityLogins, environment } = context;
  const { accountId, consent, login, setAt } = waiting;
  try {
    const person = await finishLogin(login, new URLSearchParams(answer), identityDeadline());
    const problem = findPersonFault(waiting, person, context);
    if (problem !== null) return problem;
    identityLogins.prove(consent, {
      accountId,
      setAt,
      account: getAccountById(environment.database, accountId)?.name ?? '',
      name: person.email ?? person.subject,
      host: new URL(login.issuer).host,
    });
    return null;
  } catch (error) {
    if (!(error instanceof IssuerProblem)) throw error;
    const { issuer } = login;
    request.log.info({ fault: error.cause, issuer }, 'no login at an identity provider');
    return error.message;
  }
}

/** POST: shows the consent to the authenticated person, or the reason of the failure. */
const answerCallback =
  (context: OauthRouteDeps) => async (request: FastifyRequest, reply: FastifyReply) => {
    const { consents, identityLogins, environment } = context;
    const parsed = CallbackSchema.safeParse(request.body ?? {});
    if (!parsed.success) return sendRefusalPage(reply, 400, tooOld);
    const { transaction: secret, answer } = parsed.data;
    // Taken in any case: a state is valid for one try.
    const waiting = identityLogins.take(new URLSearchParams(answer).get('state') ?? '');
    const consent = consents.find(environment.name, secret);
    if (!consent) return sendRefusalPage(reply, 400, secret === '' ? otherTab : tooOld);
    const page = { consent, secret };
    if (!waiting) return sendConsentPage(reply, context, page, { status: 400, problem: usedUp });
    if (waiting.secret !== secret) return sendRefusalPage(reply, 400, otherTab);
    const problem = await takeAnswer(context, { request, waiting, answer });
    const { caps } = waiting;
    return problem === null
      ? sendConsentPage(reply, context, page, { caps })
      : sendConsentPage(reply, context, page, { status: 403, problem, caps });
  };

/** Adds the routes. Forms are the only body type of their scope. */
function addCallbackRoutes(scope: ApiServer, context: OauthRouteDeps): void {
  scope.get(callbackPath, sendCallbackPage(context));
  scope.post(callbackPath, answerCallback(context));
}

type Query = Readonly<Record<string, string | string[] | undefined>>;

/** The single value of a parameter; null if it is absent, empty or repeated. */
const readOne = (value: Query[string]): string | null =>
  typeof value === 'string' && value !== '' ? value : null;

/** The redirect address: the requested one, or the only registered one. */
function findRedirect(client: Client, query: Query): string | null {
  const only = client.redirectUris.length === 1 ? client.redirectUris[0] : undefined;
  const requested = readOne(query.redirect_uri) ?? (query.redirect_uri === undefined ? only : null);
  if (!requested) return null;
  return client.redirectUris.some((one) => matchesRedirect(one, requested)) ? requested : null;
}

/** The error of a known client's request (RFC 6749, RFC 8707); null if it is valid. */
function findFault(
  query: Query,
  resources: readonly string[],
): Record<'error' | 'error_description', string> | null {
  const fault = (error: string, error_description: string) => ({ error, error_description });
  if (query.response_type !== 'code')
    return fault('unsupported_response_type', 'response_type must be code.');
  const parsed = AuthorizeQuerySchema.safeParse(query);
  if (!parsed.success) {
    const name = String(parsed.error.issues[0]?.path[0] ?? '');
    return name.startsWith('code_challenge')
      ? fault('invalid_request', 'PKCE is required: code_challenge, code_challenge_method=S256.')
      : fault('invalid_request', `${name} is not valid.`);
  }
  const { resource } = parsed.data;
  if (resource !== undefined && !resources.includes(withoutSlash(resource)))
    return fault('invalid_target', 'resource is not a resource of this server.');
  return null;
}

/** Some clients add a slash to the address of a resource. */
export const withoutSlash = (resource: string): string => resource.replace(/\/$/, '');

/** GET: shows the consent page, or what is wrong with the request. */
function answerRequest(context: OauthRouteDeps, issuer: Issuer) {
  const findClient = createClientFinder(context);
  return async (request: FastifyRequest, reply: FastifyReply) => {
    // In a frame, another page could create an authorization request without sending a person here.
    if ((request.headers['sec-fetch-dest'] ?? 'document') !== 'document')
      return sendRefusalPage(
        reply,
        403,
        'This page cannot be shown in a frame. Open it in its own tab.',
      );
    const query = request.query as Query;
    const clientId = readOne(query.client_id);
    const client = clientId && (await findClient(clientId, request.log));
    if (!client)
      return sendRefusalPage(
        reply,
        400,
        'Unknown client. Start again from the app that sent you here; it registers by itself.',
      );
    const redirectUri = findRedirect(client, query);
    if (!redirectUri)
      return sendRefusalPage(
        reply,
        400,
        'The redirect address is not registered for this app. Start again from the app.',
      );
    const requested = {
      redirectUri,
      state: readOne(query.state),
      issuer: issuerUrl(request, context.basePath, issuer),
    };
    const fault = findFault(query, listResources(context));
    if (fault)
      return sendFault(
        reply,
        { name: client.name, redirectUri },
        { description: fault.error_description, location: writeAnswerUrl(requested, fault) },
      );
    const resource = readOne(query.resource);
    const begun = context.consents.begin({
      ...requested,
      environment: context.environment.name,
      clientId: client.id,
      clientName: client.name,
      challenge: readOne(query.code_challenge) ?? '',
      resource: resource === null ? null : withoutSlash(resource),
    });
    return sendConsentPage(reply, context, begun);
  };
}

/** Ends a held request: after its time limit, without its client, or when the server closes. */
function endOfWait(context: OauthRouteDeps, reply: FastifyReply, waitMs: number): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  return AbortSignal.any([AbortSignal.timeout(waitMs), gone.signal, context.stopping]);
}

const WaitedSchema = z.object({
  state: z.enum(['waiting', 'answered', 'gone']),
  location: z.string().nullable(),
});

export function addAuthorizeRoutes(server: ApiServer, context: OauthRouteDeps): void {
  for (const issuer of issuers) server.get(issuer.authorizePath, answerRequest(context, issuer));
  server.register(async (scope: ApiServer) => {
    readFormsOnly(scope);
    scope.post('/oauth/authorize', answerPage(context));
    addCallbackRoutes(scope, context);
    scope.post(
      '/oauth/wait',
      { schema: { response: { 200: WaitedSchema } } },
      async (request, reply) => {
        const { transaction } = (request.body ?? {}) as { transaction?: string };
        const consent = context.consents.find(context.environment.name, transaction ?? '');
        if (!consent) return { state: 'gone' as const, location: null };
        const signal = endOfWait(context, reply, consentWaitMs);
        const location = await context.consents.whenAnswered(consent, signal);
        if (location !== null) return { state: 'answered' as const, location };
        const isThere = context.consents.find(context.environment.name, transaction ?? '') !== null;
        return { state: isThere ? ('waiting' as const) : ('gone' as const), location };
      },
    );
  });
}

/**
 * Handles the answers on the consent page: allow with email and password, or as a person that an
 * identity provider has authenticated; deny; or log in at the provider.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { readCap } from '../accounts/accounts.routes.ts';
import { getIdentityProvider } from '../accounts/identity-provider.table.ts';
import { checkLogin } from '../accounts/logins.ts';
import type { CreditUnits } from '../contract/credits.ts';
import { EngineError } from '../contract/errors.ts';
import { AllowSchema } from '../contract/oauth.ts';
import { allowConsent, denyConsent } from './consent-handler.ts';
import { type PageState, sendConsentPage } from './consent-page.ts';
import type { Consent } from './consents.ts';
import type { TypedCaps } from './identity-logins.ts';
import type { OauthRouteDeps } from './route-deps.ts';
import { startIdentityLogin } from './start-identity-login.ts';
import { redirect, sendRefusalPage } from './write-page.ts';

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

/** Message to a page whose request is no longer pending. */
export const tooOld =
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

/** Allows the consent for an account, and redirects the browser to the client. */
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

/** Allows a consent with the email and password of an account. */
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

/** Allows a consent as the person that an identity provider has authenticated. */
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

/** POST /oauth/authorize: an answer on the page. */
export const answerPage =
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

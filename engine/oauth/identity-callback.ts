/**
 * Route /oauth/callback, to which an identity provider returns people. The GET only passes the
 * answer on with the secret that the tab has kept; the POST checks both, and shows the consent to
 * an authenticated person. Nothing is authorized here.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { getAccountById } from '../accounts/account.table.ts';
import { getIdentityProvider } from '../accounts/identity-provider.table.ts';
import { checkPerson, type Person } from '../accounts/identity-providers.ts';
import { redirectCharactersMax } from '../contract/limits/oauth.ts';
import type { ApiServer } from '../http/route-deps.ts';
import { sendConsentPage, tabKey } from './consent-page.ts';
import type { WaitingLogin } from './identity-logins.ts';
import { IssuerProblem } from './issuer-fault.ts';
import { finishLogin } from './oidc-client.ts';
import type { OauthRouteDeps } from './route-deps.ts';
import { tooOld } from './send-page.ts';
import { callbackPath } from './start-identity-login.ts';
import { sendHtml, sendRefusalPage } from './write-page.ts';

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
export function addCallbackRoutes(scope: ApiServer, context: OauthRouteDeps): void {
  scope.get(callbackPath, sendCallbackPage(context));
  scope.post(callbackPath, answerCallback(context));
}

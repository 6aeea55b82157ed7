/**
 * /oauth/callback: where an identity provider sends people back to. The GET does nothing but hand
 * the answer on, together with the secret that the tab has kept; the POST looks at both, and shows
 * the consent to whom it knows. Nobody is let in here.
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

// Sent before the page is whole, so that this address, which holds a code, leaves the history.
const handOnScript = `
const form=document.querySelector('form');
form.elements.answer.value=location.search;
try{form.elements.transaction.value=sessionStorage.getItem('${tabKey}')??'';
sessionStorage.removeItem('${tabKey}');}catch{}
form.submit();`;

/** GET: acts on nothing, so that whoever looks at a link in advance spends nothing. */
const sendCallbackPage =
  (context: OauthRouteDeps) => async (_: FastifyRequest, reply: FastifyReply) =>
    sendHtml(reply, {
      status: 200,
      title: 'One moment',
      body: `<p role="status">Your login is being looked at …</p>
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
  'This login was not begun in this tab. Begin again from the program, and stay in the tab that ' +
  'opens; or answer in the app.';
const usedUp = 'This login was used already, or took too long. Log in again, or answer in the app.';

/** What is wrong with a person, in a sentence; null where nothing is. */
function findPersonFault(waiting: WaitingLogin, person: Person, context: OauthRouteDeps) {
  const provider = getIdentityProvider(context.environment.database, waiting.accountId);
  if (provider?.setAt !== waiting.setAt)
    return 'The settings of this login have changed meanwhile. Log in again.';
  const { host } = new URL(provider.issuer);
  const verdict = checkPerson(provider, person);
  const name = person.email ?? person.subject;
  if (verdict === 'unverified')
    return `${host} says that ${name} was never verified. Verify it there, then log in again.`;
  return verdict === 'stranger'
    ? `${name} may not let programs in here. Log out at ${host} and log in as somebody who may, ` +
        'or add the person in Connections.'
    : null;
}

/** Looks at the answer of a provider; why nobody was proven, or null where somebody was. */
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
      ...{ accountId, setAt },
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

/** POST: shows the consent, to be answered by whom the provider vouched for, or says why not. */
const answerCallback =
  (context: OauthRouteDeps) => async (request: FastifyRequest, reply: FastifyReply) => {
    const { consents, identityLogins, environment } = context;
    const parsed = CallbackSchema.safeParse(request.body ?? {});
    if (!parsed.success) return sendRefusalPage(reply, 400, tooOld);
    const { transaction: secret, answer } = parsed.data;
    // Taken whoever comes with it: a state is good for one try.
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

/** Adds the routes; forms are the only body that their scope reads. */
export function addCallbackRoutes(scope: ApiServer, context: OauthRouteDeps): void {
  scope.get(callbackPath, sendCallbackPage(context));
  scope.post(callbackPath, answerCallback(context));
}

// The consent page, to which a client sends a person: the client, the redirect address, and the
// ways to answer: in the app, which the page waits for, or here, with email and password or as a
// person that an identity provider has authenticated.
import type { FastifyReply } from 'fastify';
import { getAccountById } from '../accounts/account.table.ts';
import { listIdentityProviders } from '../accounts/identity-provider.table.ts';
import { hasLogin } from '../accounts/login.table.ts';
import { describeRedirect, isLoopback } from '../platform/net/redirect-uri.ts';
import type { Consent } from './consents.ts';
import type { ProvenPerson, TypedCaps } from './identity-logins.ts';
import type { OauthRouteDeps } from './route-deps.ts';
import { escapeHtml, sendHtml } from './write-page.ts';

export interface PageState {
  readonly status?: number;
  readonly problem?: string;
  readonly email?: string;
  readonly caps?: TypedCaps;
}

/** Where a tab keeps its page's secret while the person logs in at an identity provider. */
export const tabKey = 'desk-consent';

// Polls until the app has answered, one held request at a time, then follows the redirect. If the
// person returns with the browser's back button, it polls again.
const waitScript = `
const say=(text)=>{document.getElementById('state').textContent=text};
const form=document.querySelector('form');
const secret=document.querySelector('input[name=transaction]').value;
let left=new AbortController();
form.addEventListener('submit',(event)=>{left.abort();
if(event.submitter?.value.startsWith('provider'))sessionStorage.setItem('${tabKey}',secret);});
for(const one of document.querySelectorAll('.provider'))one.hidden=false;
const wait=async()=>{while(!left.signal.aborted){
let answer;
try{const response=await fetch(form.dataset.wait,{method:'POST',signal:left.signal,
body:new URLSearchParams({transaction:secret})});answer=await response.json();}
catch{await new Promise((done)=>setTimeout(done,2000));continue;}
if(answer.location){say('Answered. Returning to the app. You can close this page.');
const link=document.getElementById('back');link.href=answer.location;link.hidden=false;
location.replace(answer.location);return;}
if(answer.state!=='waiting'){say('This request was answered or has expired. Start again from the '+
'app that sent you here.');return;}
}};
addEventListener('pageshow',({persisted})=>{if(persisted){left=new AbortController();wait();}});
wait();`;

function writeFacts(consent: Consent): string {
  const host = escapeHtml(describeRedirect(consent.redirectUri));
  const target = isLoopback(consent.redirectUri) ? `an app on this computer (${host})` : host;
  return `<dl><dt>App</dt><dd>${escapeHtml(consent.clientName)}</dd>
<dt>Answer goes to</dt><dd>${target}</dd>
${consent.environment === 'staging' ? '<dt>Environment</dt><dd>Staging</dd>' : ''}
<dt>Number</dt><dd class="number">${consent.number}</dd></dl>
<p class="soft">The app chose this name itself; it is not verified. Continue only if you have
just asked it to connect.</p>`;
}

const writeProblem = ({ problem }: PageState): string =>
  problem ? `<p class="wrong" role="alert">${escapeHtml(problem)}</p>` : '';

function writeCaps({ caps }: PageState): string {
  const field = (name: keyof TypedCaps, label: string) =>
    `<label>${label} <input name="${name}" inputmode="decimal" autocomplete="off" maxlength="40"
placeholder="no cap" value="${escapeHtml(caps?.[name] ?? '')}"></label>`;
  return `<div class="pair">${field('cap_per_day', 'Credits a day')}
${field('cap_per_month', 'Credits a month')}</div>`;
}

const writeLogin = (state: PageState): string => `
<label>Email <input name="email" type="email" autocomplete="username" required
value="${escapeHtml(state.email ?? '')}"></label>
<label>Password <input name="password" type="password" autocomplete="current-password"
required></label>${writeCaps(state)}`;

const denyButton = '<button name="action" value="deny" formnovalidate>Deny</button>';

/**
 * Buttons of the identity providers; with more than one, each with its account's name. Shown only
 * by script, because the login needs the secret that the tab keeps.
 */
function writeProviders({ environment }: OauthRouteDeps): string {
  const providers = listIdentityProviders(environment.database);
  const buttons = providers.map(({ accountId, issuer }) => {
    const account = getAccountById(environment.database, accountId);
    const whose = providers.length > 1 ? ` for ${account?.name}` : '';
    const words = escapeHtml(`Continue with ${new URL(issuer).host}${whose}`);
    return `<button class="provider" name="action" value="provider ${account?.uuid}"
formnovalidate hidden>${words}</button>`;
  });
  return buttons.join('\n');
}

/** For a person who is not authenticated yet: the ways to answer here. */
function writeAnswers(context: OauthRouteDeps, state: PageState): string {
  const canLogIn = hasLogin(context.environment.database);
  const providers = writeProviders(context);
  const none = `<p class="soft">No email and password is set for this page. Set one in Connections
or with <code>desk login set</code>, or answer in Enrichment Desk.</p>`;
  const noScript =
    '<noscript><p>Logging in at an identity provider requires JavaScript.</p></noscript>';
  const allow = canLogIn
    ? '<button class="act" name="action" value="allow">Sign in and allow</button>'
    : '';
  return `<h2>Or answer here</h2>${writeProblem(state)}
${canLogIn ? writeLogin(state) : ''}${canLogIn || providers ? '' : none}
<div class="row">${allow}${denyButton}
<noscript><button name="action" value="continue" formnovalidate>I have answered it there</button>
</noscript></div>${providers && `${providers}${noScript}`}`;
}

const status = `<p class="soft"><span id="state" role="status">Waiting for your answer …</span>
<a id="back" hidden>Return to the app</a></p>`;

/** For a person who is not authenticated yet, answering in the app comes first. */
function writeAppAnswer({ uiDir }: OauthRouteDeps, { clientName }: Consent): string {
  const open =
    uiDir === null
      ? ''
      : ' <a href="/#/connections" target="_blank" rel="noopener">Open it in this browser</a>.';
  return `<h2>Answer in Enrichment Desk</h2>
<p>Open Enrichment Desk to allow ${escapeHtml(clientName)}. It shows the request with
the same number.${open}</p>${status}<hr>`;
}

/** For an authenticated person: the consent, which everyone must give. */
const writeConsent = (person: ProvenPerson, state: PageState): string => `
<h2>Your answer</h2><p>You are logged in as <b>${escapeHtml(person.name)}</b> at
${escapeHtml(person.host)}. The app would act for the account
<b>${escapeHtml(person.account)}</b>, which pays.</p>${writeProblem(state)}${writeCaps(state)}
<div class="row"><button class="act" name="action" value="allow-proven">Allow</button>
${denyButton}</div>`;

/** Sends the page. `secret` belongs to the page and is embedded only in it. */
export function sendConsentPage(
  reply: FastifyReply,
  context: OauthRouteDeps,
  { consent, secret }: { consent: Consent; secret: string },
  state: PageState = {},
) {
  const { basePath, identityLogins } = context;
  const person = identityLogins.find(consent);
  return sendHtml(reply, {
    status: state.status ?? 200,
    title: `Allow ${consent.clientName} to use Enrichment Desk?`,
    body: `<p>It can search, unlock and enrich contacts for your account and spend its
credits, until you revoke it in Connections.</p>${writeFacts(consent)}
${person ? '' : writeAppAnswer(context, consent)}
<form method="post" action="${basePath}/oauth/authorize" data-wait="${basePath}/oauth/wait">
<input type="hidden" name="transaction" value="${escapeHtml(secret)}">
${person ? writeConsent(person, state) : writeAnswers(context, state)}</form>
${person ? `<div class="late">${status}</div>` : ''}`,
    script: waitScript,
  });
}

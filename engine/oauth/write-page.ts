// The authorization server's pages: plain HTML, light or dark, a strict security policy.
import { randomBytes } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { describeRedirect, isLoopback } from '../platform/net/redirect-uri.ts';

/** Escapes text for HTML. The text may come from a client. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`);

const style = `
:root{color-scheme:light dark;--paper:#f6f7f9;--card:#fff;--ink:#1c2330;--soft:#566072;--line:#d5dae3;
--act:#3b4bc8;--on-act:#fff;--wrong:#b3261e}
@media (prefers-color-scheme:dark){:root{--paper:#14171d;--card:#1d222b;--ink:#e8ebf1;--soft:#a9b2c3;
--line:#3a4252;--act:#9aa6ff;--on-act:#10142e;--wrong:#ff8a80}}
*{box-sizing:border-box}
body{margin:0;padding:32px 16px;background:var(--paper);color:var(--ink);
font:16px/1.5 "Inter Variable",Inter,system-ui,sans-serif;display:flex;justify-content:center}
main{width:100%;max-width:520px;background:var(--card);border:1px solid var(--line);
border-radius:12px;padding:28px;overflow-wrap:anywhere}
h1{font-size:22px;line-height:1.3;margin:0 0 12px}
h2{font-size:16px;margin:24px 0 4px}
p{margin:0 0 12px}.soft{color:var(--soft);font-size:14px}
dl{display:grid;grid-template-columns:max-content 1fr;gap:4px 16px;margin:16px 0;padding:12px 16px;
border:1px solid var(--line);border-radius:8px}
dt{color:var(--soft)}dd{margin:0;font-weight:600}
label{display:block;margin:0 0 12px;font-weight:600;font-size:14px}
input{display:block;width:100%;margin-top:4px;padding:9px 11px;font:inherit;font-weight:400;
color:inherit;background:transparent;border:1px solid var(--soft);border-radius:8px}
button{font:inherit;font-weight:600;padding:9px 16px;border-radius:8px;
border:1px solid var(--soft);background:transparent;color:inherit;cursor:pointer}
.act{background:var(--act);border-color:var(--act);color:var(--on-act)}
:focus-visible{outline:3px solid var(--act);outline-offset:2px}
.row{display:flex;gap:12px;flex-wrap:wrap}
.pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(160px,1fr));gap:0 12px}
::placeholder{color:var(--soft);opacity:1}.provider{width:100%;margin-top:12px}
.late{margin:16px 0 0}
.number{font-size:22px;letter-spacing:.14em;font-variant-numeric:tabular-nums}
.wrong{color:var(--wrong);font-weight:600}a{color:var(--act)}hr{border:0;border-top:1px solid
var(--line);margin:24px 0 0}`;

/** Parts of a page. `body` is HTML; `script` is the only script and has its own nonce. */
export interface PageParts {
  readonly status: number;
  readonly title: string;
  readonly body: string;
  readonly script?: string;
}

/**
 * Sends a page. Its policy has no form-action: browsers apply it to all redirects after a form, and
 * the redirect addresses of clients cannot be listed.
 */
export function sendHtml(reply: FastifyReply, { status, title, body, script }: PageParts) {
  const nonce = randomBytes(16).toString('base64');
  const policy = [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    ...(script ? [`script-src 'nonce-${nonce}'`, "connect-src 'self'"] : []),
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ];
  return reply
    .code(status)
    .type('text/html; charset=utf-8')
    .header('content-security-policy', policy.join('; '))
    .serializer((html: string) => html)
    .send(
      '<!doctype html><html lang="en"><head><meta charset="utf-8">' +
        '<meta name="viewport" content="width=device-width, initial-scale=1">' +
        `<title>${escapeHtml(title)}</title><style nonce="${nonce}">${style}</style></head>` +
        `<body><main><h1>${escapeHtml(title)}</h1>${body}</main>` +
        `${script ? `<script nonce="${nonce}">${script}</script>` : ''}</body></html>`,
    );
}

/** Redirects the browser with a GET, whatever the method of the request. */
export const redirect = (reply: FastifyReply, location: string) =>
  reply.code(303).header('location', location).send();

/** Sends a page with an error. `more` is HTML. */
export const sendRefusalPage = (reply: FastifyReply, status: number, sentence: string, more = '') =>
  sendHtml(reply, {
    status,
    title: 'Cannot continue',
    body: `<p>${escapeHtml(sentence)}</p>${more}`,
  });

/**
 * Answers a request that is not valid. Any page can register a client, and could send people to its
 * own address through this server, so only a person sends the browser out of this machine (RFC
 * 9700, 4.11.2).
 */
export function sendFault(
  reply: FastifyReply,
  { name, redirectUri }: { readonly name: string; readonly redirectUri: string },
  { description, location }: { readonly description: string; readonly location: string },
) {
  if (isLoopback(redirectUri)) return redirect(reply, location);
  const target = escapeHtml(describeRedirect(redirectUri));
  return sendRefusalPage(
    reply,
    400,
    `The request of ${name} is not valid: ${description}`,
    `<p>Nothing was allowed. The app chose its name and its address itself; they are not verified.
If you trust <b>${target}</b>, you can tell it:
<a href="${escapeHtml(location)}" rel="noreferrer">Return to ${target}</a>. Otherwise close this
page.</p>`,
  );
}

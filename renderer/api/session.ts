// The page's session: a redeemed one-time link, or the desktop shell. The token is in localStorage,
// which all tabs of this address share, and which belongs to one port. A cookie would be sent to
// every port of the host.
import { SessionSchema } from '../../engine/contract/engine.ts';
import { FailureSchema, successOf } from '../../engine/contract/envelope.ts';
import { findDesktop } from './desktop.ts';

const storageKey = 'desk-session';
const listeners = new Set<() => void>();
const notify = () => {
  for (const listener of listeners) listener();
};

/** Why the last link opened no session; null if it did, or if there was none. */
let linkFailure: string | null = null;

/** The browser session's token; null without one, and in the desktop shell. */
export const readSession = (): string | null => localStorage.getItem(storageKey);

/** True in the desktop shell, or with a redeemed link. */
export const hasSession = (): boolean => findDesktop() !== null || readSession() !== null;

/** Why the link in the address opened no session; null if it did, or if there was none. */
export const readLinkFailure = (): string | null => linkFailure;

/** Deletes a token that the engine refused, unless another tab has replaced it meanwhile. */
export function forgetSession(refused: string | null): void {
  if (refused === null || readSession() !== refused) return;
  localStorage.removeItem(storageKey);
  notify();
}

/** Calls `listener` when a session begins or ends. Returns a function that unsubscribes. */
export function onSessionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const AnswerSchema = successOf(SessionSchema);

/** Removes the code from the address, and shows the first screen. */
function clearLink(): void {
  history.replaceState(null, '', '#/');
  window.dispatchEvent(new HashChangeEvent('hashchange'));
}

/** Redeems `#open=<code>` of a one-time link, if the address has one. */
async function redeemLink(): Promise<void> {
  const code = /^#open=(.+)$/.exec(location.hash)?.[1];
  if (!code) return;
  clearLink();
  const former = readSession();
  const response = await fetch('/app/v1/session', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      // The new session replaces the former one of this browser.
      ...(former ? { 'x-desk-session': former } : {}),
    },
    body: JSON.stringify({ code: decodeURIComponent(code) }),
  }).catch(() => null);
  const body: unknown = await response?.json().catch(() => null);
  const answer = AnswerSchema.safeParse(body);
  const refusal = FailureSchema.safeParse(body);
  if (answer.success) localStorage.setItem(storageKey, answer.data.data.token);
  linkFailure = answer.success
    ? null
    : refusal.success
      ? refusal.data.detail
      : 'The engine did not respond. Check that it is running, then open the link again.';
  notify();
}

/** Redeems the link in the address now, and links that are opened in this tab later. */
export async function startSession(): Promise<void> {
  window.addEventListener('hashchange', () => void redeemLink());
  window.addEventListener('storage', ({ key }) => {
    if (key === storageKey || key === null) notify();
  });
  await redeemLink();
}

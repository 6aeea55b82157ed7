/** The page's session: a redeemed one-time link, or the desktop shell. */
import { SessionSchema } from '../../engine/contract/engine.ts';
import { successOf } from '../../engine/contract/envelope.ts';
import { findDesktop } from './desktop.ts';

const storageKey = 'desk-session';
const listeners = new Set<() => void>();
const notify = () => {
  for (const listener of listeners) listener();
};

/** The browser session's token; null without one, and in the desktop shell. */
export const readSession = (): string | null => sessionStorage.getItem(storageKey);

/** True in the desktop shell, or with a redeemed link. */
export const hasSession = (): boolean => findDesktop() !== null || readSession() !== null;

/** Deletes a token that the engine refused. */
export function forgetSession(): void {
  sessionStorage.removeItem(storageKey);
  notify();
}

/** Calls `listener` when a session begins or ends. Returns a function that unsubscribes. */
export function onSessionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const AnswerSchema = successOf(SessionSchema);

/** Redeems `#open=<code>` of the one-time link and removes the code from the address. */
export async function redeemLink(): Promise<void> {
  const code = /^#open=(.+)$/.exec(location.hash)?.[1];
  if (!code) return;
  history.replaceState(null, '', '#/');
  const response = await fetch('/app/v1/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code: decodeURIComponent(code) }),
  }).catch(() => null);
  const answer = AnswerSchema.safeParse(await response?.json().catch(() => null));
  if (answer.success) sessionStorage.setItem(storageKey, answer.data.data.token);
  notify();
}

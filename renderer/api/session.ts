/**
 * The page's right to ask the engine: a one-time link redeemed once, or the desktop shell itself.
 */
import { SessionSchema } from '../../engine/contract/engine.ts';
import { successOf } from '../../engine/contract/envelope.ts';
import { findDesktop } from './desktop.ts';

const storageKey = 'desk-session';
const listeners = new Set<() => void>();
const tell = () => {
  for (const listener of listeners) listener();
};

/** The browser shell's token; null where there is none, as in the desktop shell. */
export const readSession = (): string | null => sessionStorage.getItem(storageKey);

/** True where requests can be answered: the desktop shell, or a redeemed link. */
export const hasSession = (): boolean => findDesktop() !== null || readSession() !== null;

/** Drops a token that the engine no longer knows. */
export function forgetSession(): void {
  sessionStorage.removeItem(storageKey);
  tell();
}

/** Calls `listener` whenever a session begins or ends; answers how to stop. */
export function onSessionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const AnswerSchema = successOf(SessionSchema);

/** Redeems `#open=<code>` of the one-time link, and takes the code out of the address. */
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
  tell();
}

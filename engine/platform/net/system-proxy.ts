// The system's proxy settings: threads ask the main thread, which asks the desktop app.
import { randomUUID } from 'node:crypto';
import { BroadcastChannel, getEnvironmentData, setEnvironmentData } from 'node:worker_threads';
import { systemProxyAnswerMaxMs } from '../../contract/limits/platform.ts';
import { createFindRoutes, type FindRoutes, ProxyUnusable } from './proxy-routes.ts';

const name = 'desk-system-proxy';

type Message =
  | { readonly question: string; readonly origin: string }
  | { readonly answer: string; readonly list: string | null };

/**
 * Answers the questions of threads that are started later.
 * @param resolve the settings for an origin, such as `PROXY proxy.example:8080; DIRECT`
 */
export function serveSystemProxy(resolve: (origin: string) => Promise<string>): void {
  setEnvironmentData(name, true);
  const channel = new BroadcastChannel(name);
  channel.unref();
  channel.onmessage = async (event) => {
    const { data } = event as { data: Message };
    if (!('question' in data)) return;
    const list = await resolve(data.origin).catch(() => null);
    channel.postMessage({ answer: data.question, list } satisfies Message);
  };
}

/** Asks for the settings for an origin. Rejects with ProxyUnusable. */
function askSystemProxy(origin: string): Promise<string> {
  const channel = new BroadcastChannel(name);
  const id = randomUUID();
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const fail = () =>
    reject(new ProxyUnusable('The app could not read the proxy settings of the system.'));
  const timer = setTimeout(fail, systemProxyAnswerMaxMs);
  channel.onmessage = (event) => {
    const { data } = event as { data: Message };
    if (!('answer' in data) || data.answer !== id) return;
    if (data.list === null) fail();
    else resolve(data.list);
  };
  channel.postMessage({ question: id, origin } satisfies Message);
  return promise.finally(() => {
    clearTimeout(timer);
    channel.close();
  });
}

/** The function that asks; null in a process without the desktop app. */
export const findSystemProxy = (): typeof askSystemProxy | null =>
  getEnvironmentData(name) === true ? askSystemProxy : null;

/** The proxies of this process: HTTPS_PROXY, otherwise those of the system in the desktop app. */
export const findOwnRoutes: FindRoutes = (target) =>
  createFindRoutes(process.env, findSystemProxy())(target);

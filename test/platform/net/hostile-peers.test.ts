// Every request to the outside ends by its deadline and by its signal, whatever the peer does.
import { expect, onTestFinished, test, vi } from 'vitest';
import { fetchDocument } from '../../../engine/oauth/fetch-document.ts';
import { checkIssuer } from '../../../engine/oauth/oidc-client.ts';
import { goDirectly } from '../../../engine/platform/net/proxy-routes.ts';
import { sendRequest } from '../../../engine/providers/definitions/provider-connection.ts';
import { postWebhook } from '../../../engine/webhooks/post-webhook.ts';
import { trustTests } from '../../connect-proxy.ts';
import { hostilities, openHostileServer } from '../../hostile-server.ts';
import { openReceiver } from '../../webhook-receiver.ts';

/** How long a request may take, and what ends it. */
interface Sending {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

const isAllowed = () => true;

/** The requests of the engine, by what they are sent to. */
const senders: Record<string, (url: string, sending: Sending) => Promise<unknown>> = {
  'a data service': (address, sending) =>
    sendRequest(
      { method: 'POST', url: new URL(address), headers: {}, body: '{}' },
      { ...sending, isAllowed, findRoutes: goDirectly, onSend: () => undefined },
    ),
  'a webhook': async (url, sending) => {
    const outcome = await postWebhook({ url, headers: {}, body: '{}' }, { ...sending, isAllowed });
    if (outcome.error !== null) throw new Error(outcome.error);
  },
  'an identity provider': (issuer, { timeoutMs, signal }) =>
    checkIssuer(
      { issuer, clientId: 'desk', clientSecret: null },
      AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    ),
  'the document of a client': (url, sending) => fetchDocument(url, { ...sending, isAllowed }),
};
/** A receiver of a webhook has accepted it with its status; its body does not count. */
const accepts = (name: string, hostility: string) => name === 'a webhook' && /body/.test(hostility);

const cases = Object.keys(senders).flatMap((name) =>
  hostilities.map((hostility) => [name, hostility] as const),
);

test.each(cases)('a request to %s ends by its deadline if the peer %s', async (name, hostility) => {
  trustTests();
  const server = await openHostileServer(hostility, { isSecure: true });
  const { signal } = new AbortController();
  const sent = senders[name]?.(server.url, { timeoutMs: 300, signal });
  const outcome = expect(sent);
  await (accepts(name, hostility) ? outcome.resolves.toBeUndefined() : outcome.rejects.toThrow());
});

test.each(cases)('a request to %s ends by its signal if the peer %s', async (name, hostility) => {
  trustTests();
  const server = await openHostileServer(hostility, { isSecure: true });
  const stopping = new AbortController();
  const sent = senders[name]?.(server.url, { timeoutMs: 600_000, signal: stopping.signal });
  const settled = Promise.allSettled([sent]);
  await server.asked;
  stopping.abort();
  expect(await settled).toHaveLength(1);
});

test.each(Object.keys(senders))(
  'a request to %s is not sent to an unknown certificate, whatever the environment says',
  async (name) => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    onTestFinished(() => void vi.unstubAllEnvs());
    const receiver = await openReceiver();
    const { signal } = new AbortController();
    await expect(senders[name]?.(receiver.url, { timeoutMs: 60_000, signal })).rejects.toThrow();
    expect(receiver.arrivals).toEqual([]);
  },
);

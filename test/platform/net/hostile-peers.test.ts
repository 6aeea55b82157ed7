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

/** Sends each kind of request to a peer of its own, all at the same time. */
const sendAll = (
  hostility: (typeof hostilities)[number],
  send: (server: Awaited<ReturnType<typeof openHostileServer>>, name: string) => Promise<void>,
) =>
  Promise.all(
    Object.keys(senders).map(async (name) =>
      send(await openHostileServer(hostility, { isSecure: true }), name),
    ),
  );

test.each(hostilities)('every request ends by its deadline if the peer %s', async (hostility) => {
  trustTests();
  const { signal } = new AbortController();
  await sendAll(hostility, async ({ url }, name) => {
    const outcome = expect(senders[name]?.(url, { timeoutMs: 300, signal }), name);
    await (accepts(name, hostility) ? outcome.resolves.toBeUndefined() : outcome.rejects.toThrow());
  });
});

test.each(hostilities)('every request ends by its signal if the peer %s', async (hostility) => {
  trustTests();
  await sendAll(hostility, async ({ url, asked }, name) => {
    const stopping = new AbortController();
    const sent = senders[name]?.(url, { timeoutMs: 600_000, signal: stopping.signal });
    const settled = Promise.allSettled([sent]);
    await asked;
    stopping.abort();
    expect(await settled).toHaveLength(1);
  });
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

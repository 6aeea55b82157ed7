// Storage of an official client's authorization, and the person who allows it in the app.
import type { EnvironmentClient } from '../http/open-environments.ts';

/** The callback of the clients. Nothing listens there; the tests read the address. */
const callback = 'http://localhost:54321/callback';

/** The storage of one client, in the form that both generations expect. */
export class FlowProvider {
  readonly redirectUrl = callback;
  readonly clientMetadata = {
    client_name: 'Official client',
    redirect_uris: [callback],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  };
  sentTo: URL | null = null;
  #kept: Record<string, unknown> = {};
  #state = '';

  clientInformation = () => this.#kept.client;
  saveClientInformation(client: unknown): void {
    this.#kept.client = client;
  }
  tokens = () => this.#kept.tokens as Record<string, string> | undefined;
  saveTokens(tokens: unknown): void {
    this.#kept.tokens = tokens;
  }
  codeVerifier = () => this.#kept.verifier as string;
  saveCodeVerifier(verifier: string): void {
    this.#kept.verifier = verifier;
  }
  discoveryState = () => this.#kept.discovery;
  saveDiscoveryState(discovery: unknown): void {
    this.#kept.discovery = discovery;
  }
  redirectToAuthorization(url: URL): void {
    this.sentTo = url;
  }
  state = () => {
    this.#state = crypto.randomUUID();
    return this.#state;
  };
  /** Whether a redirect has the state that was sent. */
  isOurs = (answer: URLSearchParams) => answer.get('state') === this.#state;
}

/** Opens a client's authorization page, allows it in the app, and returns the redirect. */
export async function allowInApp(url: URL, client: EnvironmentClient): Promise<URLSearchParams> {
  const page = await (await fetch(url)).text();
  const transaction = /name="transaction" value="([^"]+)"/.exec(page)?.[1] ?? '';
  const path = /data-wait="([^"]+)"/.exec(page)?.[1] ?? '';
  const { data } = await client.call('GET', 'app/v1/authorizations');
  const [waiting] = data;
  await client.call('POST', `app/v1/authorizations/${waiting.id}/allow`, { json: {} });
  const answer = await fetch(new URL(path, url), {
    method: 'POST',
    body: new URLSearchParams({ transaction }),
  });
  return new URL(((await answer.json()) as { location: string }).location).searchParams;
}

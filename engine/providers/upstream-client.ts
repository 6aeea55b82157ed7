/**
 * Requests the rows of one job from a provider: one request at a time, with its retries, until
 * every row is answered or given up.
 *
 *   asked ──every row answered──────────────────────────────> answered
 *     ^ │ ──some rows failed, unavailable, retries left──┐
 *     └─┼───────────────────(wait)───────────────────────┘
 *       │ ──no retry left, some request was accepted──────> answered (the rest failed)
 *       │ ──no retry left, no request was accepted────────> refused: unavailable
 *       │ ──refused_credits───────────────────────────────> refused: refused_credits
 *       └──stop───────────────────────────────────────────> stopped
 */
import {
  type Provider,
  type ProviderAnswer,
  ProviderError,
  type ProviderFailure,
  type ProviderRequest,
  providerFailures,
} from '../contract/provider.ts';

/** Outcome of a request with its retries. */
export type AskOutcome =
  | { readonly kind: 'answered'; readonly answers: readonly ProviderAnswer[] }
  | { readonly kind: 'refused'; readonly failure: ProviderFailure; readonly detail: string }
  | { readonly kind: 'stopped' };

/** A provider in one run of a job. */
export interface Upstream {
  readonly name: string;
  /** Maximum number of rows in one request. */
  readonly rowsMax: number;
  /** Does not throw for errors of the provider; bugs are thrown. */
  ask(request: ProviderRequest): Promise<AskOutcome>;
  /** Ends the current request and refuses further ones. */
  stop(): void;
}

/** Waits. Rejects if the signal is aborted. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<unknown>;

const failRest = (
  request: ProviderRequest,
  found: readonly (ProviderAnswer | undefined)[],
  detail: string,
): readonly ProviderAnswer[] =>
  request.rows.map((_row, at) => found[at] ?? { kind: 'failed', detail });

/** One request with its retries. `delaysMs` is empty if the provider is known to be unavailable. */
async function askWithRetries(
  provider: Provider,
  request: ProviderRequest,
  delaysMs: readonly number[],
  wait: Wait,
  signal: AbortSignal,
): Promise<AskOutcome> {
  const found: (ProviderAnswer | undefined)[] = [];
  let open = request.rows.map((_row, at) => at);
  let failure: ProviderError | null = null;
  for (let tries = 0; ; tries += 1) {
    if (tries > 0) await wait(delaysMs[tries - 1] ?? 0, signal);
    try {
      const rows = open.map((at) => request.rows[at] ?? {});
      // A subset of the rows is a different request than all of them.
      const id = rows.length === request.rows.length ? request.id : `${request.id}/${tries}`;
      const answers = await provider.answer({ id, rows }, signal);
      for (const [nth, at] of open.entries()) found[at] = answers[nth];
      open = open.filter((at) => found[at]?.kind !== 'found' && found[at]?.kind !== 'nothing');
      failure = null;
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      failure = error;
      if (!providerFailures[error.code].isRetried)
        return { kind: 'refused', failure: error.code, detail: error.message };
    }
    if (open.length > 0 && tries < delaysMs.length) continue;
    if (failure && found.length === 0)
      return { kind: 'refused', failure: failure.code, detail: failure.message };
    const detail = failure?.message ?? `${provider.name} left this row unanswered.`;
    return { kind: 'answered', answers: failRest(request, found, detail) };
  }
}

/**
 * Creates the client of a provider for one run of a job. Requests are sequential. A provider that
 * stayed unavailable is tried only once per request until it answers.
 */
export function createUpstreamClient(provider: Provider, wait: Wait): Upstream {
  const stopping = new AbortController();
  const { signal } = stopping;
  let isDown = false;
  let last: Promise<unknown> = Promise.resolve();
  const askNext = async (request: ProviderRequest): Promise<AskOutcome> => {
    if (signal.aborted) return { kind: 'stopped' };
    const delaysMs = isDown ? [] : provider.retryDelaysMs;
    try {
      const outcome = await askWithRetries(provider, request, delaysMs, wait, signal);
      isDown = outcome.kind === 'refused';
      return outcome;
    } catch (error) {
      if (signal.aborted) return { kind: 'stopped' };
      throw error;
    }
  };
  return {
    name: provider.name,
    rowsMax: provider.rowsMax,
    ask(request) {
      const answer = last.then(() => askNext(request));
      last = answer.catch(() => undefined);
      return answer;
    },
    stop: () => stopping.abort(),
  };
}

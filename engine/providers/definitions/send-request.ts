/** Sends one request to a data service, and says of a failure whether the service received it. */
import { providerAnswerBytesMax } from '../../contract/limits/provider-definitions.ts';
import { AddressRefused } from '../../platform/net/guarded-lookup.ts';
import type { FindRoutes } from '../../platform/net/proxy-routes.ts';
import { isNameError, isOfflineError } from '../../platform/net/reach-host.ts';
import {
  AnswerTooLarge,
  describeFailure,
  type OutsideAnswer,
  sendOutside,
} from '../../platform/net/send-outside.ts';
import type { OutgoingRequest } from './build-request.ts';
import type { HttpAnswer } from './read-answer.ts';

/** How a request is sent. */
export interface SendRequestOptions {
  /** Aborts the request, also after it was sent. */
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** Whether the request may connect to an address, without a proxy. */
  isAllowed(address: string): boolean;
  /** The proxies of an https request. One over http, which stays on this machine, has none. */
  readonly findRoutes: FindRoutes;
  /** Called immediately before the bytes are sent. If it throws, they are not, and its error is. */
  onSend(): void;
}

/** A request without a complete answer. `isSent`: its bytes may have reached the service. */
export class RequestFailed extends Error {
  override name = 'RequestFailed';
  readonly isSent: boolean;
  /** Whether it did not find the way to the service or its proxy. */
  readonly isOffline: boolean;
  /** Whether that is because the name of the service has no address. */
  readonly isNameless: boolean;
  /** @param detail a sentence without values of the request */
  constructor(isSent: boolean, detail: string, isOffline = false, isNameless = false) {
    super(detail);
    this.isSent = isSent;
    this.isOffline = isOffline;
    this.isNameless = isNameless;
  }
}

function describeError(error: unknown): string {
  if (error instanceof AddressRefused)
    return (
      'The host has an address in a private network, which data services may not use. Only a ' +
      'definition of your own with "local": true may.'
    );
  if (error instanceof AnswerTooLarge)
    return `The answer is larger than ${providerAnswerBytesMax / 1024 ** 2} MB.`;
  return describeFailure(error, 'The service');
}

function readAnswer({ status, headers, body, fault }: OutsideAnswer): HttpAnswer {
  if (fault) throw fault;
  const entries = Object.entries(headers).map(
    ([name, value]) => [name, [value ?? ''].flat().join(', ')] as const,
  );
  return { status, headers: Object.fromEntries(entries), text: body.toString('utf8') };
}

/**
 * Sends a request and reads its answer. Throws RequestFailed; the error of `onSend`; or the
 * signal's reason if it was aborted before the bytes were sent.
 */
export async function sendRequest(
  outgoing: OutgoingRequest,
  options: SendRequestOptions,
): Promise<HttpAnswer> {
  let isSent = false;
  let refusal: { readonly error: unknown } | null = null;
  try {
    const answer = await sendOutside(outgoing, {
      ...options,
      answerBytesMax: providerAnswerBytesMax,
      onSend() {
        try {
          options.onSend();
        } catch (error) {
          refusal = { error };
          throw error;
        }
        isSent = true;
      },
    });
    return readAnswer(answer);
  } catch (error) {
    if (refusal !== null) throw error;
    if (!isSent) options.signal.throwIfAborted();
    const isOffline = !isSent && isOfflineError(error);
    const isNameless = isOffline && isNameError(error);
    throw new RequestFailed(isSent, describeError(error), isOffline, isNameless);
  }
}

// A provider over one of the paid services of paid-apis.ts.
import {
  type FieldAnswer,
  type Provider,
  type ProviderAnswer,
  ProviderError,
  type ProviderField,
  type ProviderRequest,
  type ProviderTerms,
} from '../../engine/contract/provider.ts';
import { goDirectly } from '../../engine/platform/net/proxy-routes.ts';
import type { OutgoingRequest } from '../../engine/providers/definitions/build-request.ts';
import {
  RequestFailed,
  sendRequest,
} from '../../engine/providers/definitions/provider-connection.ts';
import { freeTerms } from '../providers/free-terms.ts';
import type { PaidAnswer } from './paid-apis.ts';

export interface PaidProviderOptions {
  readonly id: string;
  readonly url: string;
  readonly rowsMax: number;
  readonly fields: readonly ProviderField[];
}

const hitOf = (field: ProviderField, value: string): FieldAnswer => ({
  kind: 'hit',
  observedOn: '2026-11-01',
  confidence: 0.9,
  costCredits: 1,
  ...(field === 'work_email'
    ? { values: { email: `${value}@found.example` }, status: 'valid' }
    : { values: field === 'phone' ? { mobile_phone: value } : { title: value } }),
});

function readAnswer(request: ProviderRequest, { rows, credits }: PaidAnswer): ProviderAnswer {
  return {
    kind: 'answered',
    costCredits: credits,
    rows: request.rows.map(({ fields }, nth) =>
      Object.fromEntries(
        fields.map((field) => {
          const value = rows[nth]?.[field];
          return [field, value ? hitOf(field, value) : { kind: 'miss' }];
        }),
      ),
    ),
  };
}

async function exchange(
  request: ProviderRequest,
  outgoing: OutgoingRequest,
  { signal, onSend }: { signal: AbortSignal; onSend(): void },
): Promise<ProviderAnswer> {
  const options = { signal, onSend, timeoutMs: 60_000, findRoutes: goDirectly };
  const answer = await sendRequest(outgoing, { ...options, isAllowed: () => true }).catch(
    (error: unknown) => {
      if (!(error instanceof RequestFailed)) throw error;
      throw new ProviderError(error.isSent ? 'uncertain' : 'unavailable', error.message);
    },
  );
  const body = JSON.parse(answer.text) as PaidAnswer & { ticket?: string };
  if (answer.status === 503) throw new ProviderError('slow_down', 'It is busy.', 1);
  if (answer.status === 200) return readAnswer(request, body);
  return { kind: 'pending', ticket: body.ticket ?? request.id, pollAfterMs: 20 };
}

export function createPaidProvider({ id, url, rowsMax, fields }: PaidProviderOptions): Provider {
  const terms: ProviderTerms = {
    ...freeTerms,
    id,
    title: `Service ${id}`,
    rowsMax,
    requestsMax: 3,
    repeatDelaysMs: Array<number>(20).fill(1),
    fields: Object.fromEntries(
      fields.map((field) => [field, { needs: [['last_name']], costMaxCredits: 1 }]),
    ),
  };
  return {
    describe: () => terms,
    answer(request, options) {
      const rows = request.rows.map((one) => ({
        number: Number(one.row.last_name?.slice(3)),
        fields: one.fields,
      }));
      const body = JSON.stringify({ id: request.id, rows });
      return exchange(request, { method: 'POST', url: new URL(url), headers: {}, body }, options);
    },
    poll(ticket, request, signal) {
      const address = new URL(`${url}/?id=${encodeURIComponent(ticket)}`);
      const outgoing = { method: 'GET', url: address, headers: {}, body: null } as const;
      return exchange(request, outgoing, { signal, onSend: () => undefined });
    },
  };
}

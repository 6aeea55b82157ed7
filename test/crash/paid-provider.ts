/** A provider over one of the paid services of paid-apis.ts. */
import {
  type FieldAnswer,
  type Provider,
  type ProviderAnswer,
  ProviderError,
  type ProviderField,
  type ProviderRequest,
  type ProviderTerms,
} from '../../engine/contract/provider.ts';
import { freeTerms } from '../providers/free-terms.ts';
import type { PaidAnswer } from './paid-apis.ts';

/** A service, and what it is asked for. */
export interface PaidProviderOptions {
  readonly id: string;
  readonly url: string;
  readonly rowsMax: number;
  readonly fields: readonly ProviderField[];
}

const hitOf = (field: ProviderField, value: string): FieldAnswer => ({
  ...{ kind: 'hit', observedOn: '2026-11-01', confidence: 0.9, costCredits: 1 },
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

async function readResponse(
  request: ProviderRequest,
  send: () => Promise<Response>,
): Promise<ProviderAnswer> {
  let response: Response;
  let body: PaidAnswer & { ticket?: string };
  try {
    response = await send();
    body = (await response.json()) as typeof body;
  } catch {
    throw new ProviderError('uncertain', 'The connection ended before the answer.');
  }
  if (response.status === 503) throw new ProviderError('slow_down', 'It is busy.', 1);
  if (response.status === 200) return readAnswer(request, body);
  return { kind: 'pending', ticket: body.ticket ?? request.id, pollAfterMs: 20 };
}

/** Creates the provider. */
export function createPaidProvider({ id, url, rowsMax, fields }: PaidProviderOptions): Provider {
  const terms: ProviderTerms = {
    ...freeTerms,
    ...{ id, title: `Service ${id}`, rowsMax, requestsMax: 3 },
    repeatDelaysMs: Array<number>(20).fill(1),
    fields: Object.fromEntries(
      fields.map((field) => [field, { needs: [['last_name']], costMaxCredits: 1 }]),
    ),
  };
  return {
    describe: () => terms,
    answer(request, { onSend }) {
      onSend();
      const rows = request.rows.map((one) => ({
        ...{ number: Number(one.row.last_name?.slice(3)), fields: one.fields },
      }));
      const body = JSON.stringify({ id: request.id, rows });
      return readResponse(request, () => fetch(url, { method: 'POST', body }));
    },
    poll: (ticket, request) =>
      readResponse(request, () => fetch(`${url}/?id=${encodeURIComponent(ticket)}`)),
  };
}

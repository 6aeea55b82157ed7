// A provider that is another engine: rows become a job there, which is polled and whose result is
// read page by page. The id of the request is the Idempotency-Key of the job, so that a request
// with an unknown outcome can be repeated: the other engine answers with the job that it has.
//
//   answer ──202──> ticket: the id of the job ──poll: 409──> pending ──200──> answered
//      └──no answer, 5xx──> ticket: '' ──poll: the same POST──> ticket: the id of the job
import {
  deskLimits,
  deskPendingMaxMs,
  deskPollDelaysMs,
  deskPricesKeptMs,
  deskRepeatableMs,
} from '../../contract/limits/desk-provider.ts';
import { creditsReportedMax } from '../../contract/limits/waterfall.ts';
import {
  type Provider,
  type ProviderAnswer,
  ProviderError,
  type ProviderRequest,
  type ProviderTerms,
  type SendOptions,
} from '../../contract/provider.ts';
import type { DeskTerms, ProviderDefinition } from '../../contract/provider-definition.ts';
import { RequestUnbuildable } from '../definitions/build-request.ts';
import type { BreakerState } from '../definitions/circuit-breaker.ts';
import { describeTerms } from '../definitions/plan-operations.ts';
import {
  type ConnectionDeps,
  type Exchanged,
  openConnection,
  type ProviderConnection,
} from '../definitions/provider-connection.ts';
import type { FailedOutcome } from '../definitions/read-answer.ts';
import { type DeskRow, layersOf, readDeskRow } from './desk-layers.ts';
import {
  buildEstimate,
  buildLayers,
  buildResult,
  buildSubmit,
  DeskEstimateSchema,
  DeskLayersSchema,
  DeskPageSchema,
  type Envelope,
  readEnvelope,
  SubmittedSchema,
} from './desk-requests.ts';

export interface DeskProvider extends Provider {
  readonly readBalance: NonNullable<Provider['readBalance']>;
  readBreaker(): BreakerState;
  /** The price of each layer there, in credits; empty if it does not say. Throws ProviderError. */
  readPrices(signal: AbortSignal): Promise<Partial<DeskTerms['prices']>>;
}

interface Opened {
  readonly definition: ProviderDefinition;
  readonly desk: DeskTerms;
  readonly deps: ConnectionDeps;
  readonly connection: ProviderConnection;
  readonly polls: Map<string, number>;
  /** When the prices were last those of the definition, in milliseconds since 1970. */
  pricesReadAt: number;
}

/** What an answer without a result means, by its status. Nothing was accepted. */
const refusals: Readonly<Record<number, FailedOutcome>> = {
  401: 'auth',
  402: 'quota',
  429: 'slow',
};
/** Errors with status 5xx of requests that were certainly not executed. */
const notExecuted: readonly (string | undefined)[] = ['busy', 'read_only', 'upstream_error'];

const describe = (status: number, envelope: Envelope | null): string =>
  envelope?.detail ?? envelope?.error ?? `It answered with status ${status}.`;

/** The error of an answer that is not a success. Any other status refuses what this client does. */
function refuse(exchanged: Exchanged, envelope: Envelope | null): ProviderError {
  const { status } = exchanged.answer;
  const outcome = refusals[status] ?? (status >= 500 ? 'retry' : 'auth');
  return exchanged.fail(outcome, describe(status, envelope), null);
}

const isSuccess = ({ answer: { status } }: Exchanged): boolean => status >= 200 && status < 300;

function addressOf({ definition, desk }: Opened): string {
  if (desk.address !== null) return desk.address;
  throw new RequestUnbuildable(`${definition.title} has no address.`);
}

/** Sends a free request and returns its data. Throws ProviderError. */
async function read(
  opened: Opened,
  build: typeof buildLayers,
  signal: AbortSignal,
): Promise<unknown> {
  const exchanged = await opened.connection.exchange({
    build: (key) => build(addressOf(opened), key),
    count: 1,
    isPaid: false,
    signal,
  });
  const envelope = readEnvelope(exchanged.answer);
  if (!isSuccess(exchanged)) throw refuse(exchanged, envelope);
  return envelope?.data;
}

async function readPrices(opened: Opened, signal: AbortSignal) {
  const parsed = DeskLayersSchema.safeParse(await read(opened, buildLayers, signal));
  const { layers = [] } = parsed.data ?? {};
  return Object.fromEntries(layers.map(({ code, price }) => [code, Number(price)]));
}

/** Throws ProviderError if a layer costs more than the definition says: the caps rely on it. */
async function checkPrices(opened: Opened, signal: AbortSignal): Promise<void> {
  const { definition, desk, deps } = opened;
  // The clock may have been set back since.
  if (Math.abs(deps.clock.now() - opened.pricesReadAt) < deskPricesKeptMs) return;
  const prices = await readPrices(opened, signal);
  for (const [code, known] of Object.entries(desk.prices)) {
    const price = prices[code] ?? 0;
    if (price <= known) continue;
    const detail =
      `${definition.title}: ${code} costs ${price} credits there, not ${known}. Add the provider ` +
      `again to accept its prices: desk providers add ${definition.id} --address ${desk.address}`;
    throw new ProviderError('bad_key', detail);
  }
  opened.pricesReadAt = deps.clock.now();
}

/** Submits the rows. Returns the id of the job; '' if it is unknown whether there is one. */
async function submit(
  opened: Opened,
  { id, rows, via = [] }: ProviderRequest,
  { signal, onSend }: Pick<SendOptions, 'signal'> & Partial<SendOptions>,
): Promise<string> {
  const list = {
    layers: layersOf(rows.flatMap(({ fields }) => fields)),
    rows: rows.map(({ row }) => row),
    name: id,
    via: [...via, id],
  };
  let exchanged: Exchanged;
  try {
    exchanged = await opened.connection.exchange({
      build: (key) => buildSubmit(addressOf(opened), list, key),
      count: 1,
      isPaid: true,
      signal,
      ...(onSend && { onSend }),
    });
  } catch (error) {
    if (error instanceof ProviderError && error.failure === 'uncertain') return '';
    throw error;
  }
  const envelope = readEnvelope(exchanged.answer);
  const { status } = exchanged.answer;
  if (isSuccess(exchanged)) return SubmittedSchema.safeParse(envelope?.data).data?.job_id ?? '';
  if (status >= 500 && !notExecuted.includes(envelope?.error)) return '';
  throw refuse(exchanged, envelope);
}

/** The rows of a finished job, page by page; null if it has not finished. */
async function readRows(
  opened: Opened,
  job: string,
  count: number,
  signal: AbortSignal,
): Promise<DeskRow[] | null> {
  const found: DeskRow[] = [];
  for (;;) {
    const page = { limit: deskLimits.rowsMax, offset: found.length };
    const exchanged = await opened.connection.exchange({
      build: (key) => buildResult(addressOf(opened), job, page, key),
      count: 1,
      isPaid: false,
      signal,
    });
    const envelope = readEnvelope(exchanged.answer);
    const { status } = exchanged.answer;
    if (status === 409 && envelope?.error === 'not_ready') return null;
    if (!isSuccess(exchanged)) throw refuseResult(exchanged, envelope);
    const { data } = DeskPageSchema.safeParse(envelope?.data);
    if (!data) throw exchanged.fail('uncertain', 'Its result has another form.', null);
    found.push(
      ...data.results.map(({ error_message: said, ...row }) => ({
        ...row,
        enriched_fields: Object.fromEntries(
          Object.entries(row.enriched_fields).map(([name, value]) => [
            name,
            exchanged.hideKey(value),
          ]),
        ),
        ...(said && { error_message: exchanged.quote(said) }),
      })),
    );
    if (data.results.length === 0 || found.length >= Math.min(data.count, count)) return found;
  }
}

/** The error of a result. A job that failed or was cancelled was not charged. */
function refuseResult(exchanged: Exchanged, envelope: Envelope | null): ProviderError {
  const { status } = exchanged.answer;
  const error = envelope?.error;
  if (error === 'job_cancelled' || error === 'upstream_error' || error === 'internal_error')
    return exchanged.fail('fatal', describe(status, envelope), null);
  if (status === 404) return exchanged.fail('uncertain', 'It does not know the job.', null);
  // A key that was replaced meanwhile, or an outage: the job is read when it can be.
  if (status === 401 || status === 403) {
    const failed = exchanged.fail('auth', describe(status, envelope), null);
    return new ProviderError('unavailable', failed.message, 60_000);
  }
  return refuse(exchanged, envelope);
}

function waitFor({ polls }: Opened, job: string): number {
  const count = polls.get(job) ?? 0;
  polls.set(job, count + 1);
  return deskPollDelaysMs[Math.min(count, deskPollDelaysMs.length - 1)] ?? 0;
}

const pending = (opened: Opened, request: ProviderRequest, ticket: string): ProviderAnswer => ({
  kind: 'pending',
  ticket,
  pollAfterMs: waitFor(opened, request.id),
});

async function answer(
  opened: Opened,
  request: ProviderRequest,
  options: SendOptions,
): Promise<ProviderAnswer> {
  await checkPrices(opened, options.signal);
  return pending(opened, request, await submit(opened, request, options));
}

async function poll(
  opened: Opened,
  ticket: string,
  request: ProviderRequest,
  signal: AbortSignal,
): Promise<ProviderAnswer> {
  const job = ticket || (await submit(opened, request, { signal }));
  if (job === '') return pending(opened, request, job);
  const found = await readRows(opened, job, request.rows.length, signal);
  if (!found) return pending(opened, request, job);
  opened.polls.delete(request.id);
  const byIndex = new Map(found.map((row) => [row.row_index, row]));
  const charged = found.map(({ credits_charged: credits }) => Number(credits));
  const cost = charged.reduce((sum, credits) => sum + credits, 0);
  return {
    kind: 'answered',
    rows: request.rows.map(({ fields }, at) => readDeskRow(fields, byIndex.get(at))),
    costCredits: Number.isFinite(cost) ? cost : null,
  };
}

/** Opens a provider that is another engine. Nothing is sent yet. */
export function openDeskProvider(
  definition: ProviderDefinition,
  desk: DeskTerms,
  deps: ConnectionDeps,
): DeskProvider {
  const connection = openConnection(definition, deps);
  const opened: Opened = { definition, desk, deps, connection, polls: new Map(), pricesReadAt: 0 };
  const terms: ProviderTerms = {
    ...describeTerms(definition),
    sharesFields: true,
    repeatableMs: deskRepeatableMs,
    pendingMaxMs: deskPendingMaxMs,
  };
  return {
    describe: () => terms,
    answer: (request, options) => answer(opened, request, options),
    poll: (ticket, request, signal) => poll(opened, ticket, request, signal),
    async readBalance(signal) {
      const data = await read(opened, buildEstimate, signal);
      const { available_credits: credits } = DeskEstimateSchema.safeParse(data).data ?? {};
      return Math.abs(Number(credits)) <= creditsReportedMax ? Number(credits) : null;
    },
    ...(connection.reach && { reach: connection.reach }),
    readBreaker: () => connection.readBreaker(),
    readPrices: (signal) => readPrices(opened, signal),
  };
}

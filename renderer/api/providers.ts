/** Requests for the user's data services, their order, their spending and their log. */
import type { Preview } from '../../engine/contract/jobs/job.ts';
import type { LayerCode } from '../../engine/contract/jobs/layers.ts';
import {
  DecidedRequestSchema,
  DefinitionImportSchema,
  ForgottenAnswersSchema,
  JobProvidersSchema,
  type NewProviderKey,
  type ProviderChange,
  ProviderLogSchema,
  type ProviderOrder,
  ProviderQuoteSchema,
  ProviderTestSchema,
  type RequestDecision,
  UserProvidersSchema,
} from '../../engine/contract/providers.ts';
import { call } from './client.ts';

const path = (id: string, part = '') => `/app/v1/providers/${id}${part}`;

/** Every data service with a definition, and the order of each field. */
export const readProviders = () => call(UserProvidersSchema, '/app/v1/providers');

/** Stores a key, encrypted, and the address of another engine. No answer contains the key. */
export const setProviderKey = (id: string, body: NewProviderKey) =>
  call(UserProvidersSchema, path(id, '/key'), { method: 'PUT', body });

/** Switches a data service on or off, or changes its caps or price. */
export const changeProvider = (id: string, body: ProviderChange) =>
  call(UserProvidersSchema, path(id), { method: 'PATCH', body });

/** Removes a data service: its key and its settings. */
export const removeProvider = (id: string) =>
  call(UserProvidersSchema, path(id), { method: 'DELETE' });

/** Tests the stored key by requests that are free. */
export const testProvider = (id: string) =>
  call(ProviderTestSchema, path(id, '/test'), { method: 'POST', body: {} });

/** Deletes every stored answer of a data service. */
export const forgetAnswers = (id: string) =>
  call(ForgottenAnswersSchema, path(id, '/forget'), { method: 'POST', body: {} });

/** Sets the order in which the data services of a field are asked. Absent rules stay. */
export const setProviderOrder = (body: ProviderOrder) =>
  call(UserProvidersSchema, '/app/v1/provider-order', { method: 'PUT', body });

/** What each data service may cost. `openFields` has the shares of the estimate's preview. */
export const quoteProviders = (
  rows: number,
  layers: readonly LayerCode[],
  openFields: Preview['open_fields'],
) =>
  call(ProviderQuoteSchema, '/app/v1/provider-quote', {
    method: 'POST',
    body: { rows, selected_layers: layers, open_fields: openFields },
  });

/** Decides about a request with an unknown outcome. */
export const decideRequest = (id: number, body: RequestDecision) =>
  call(DecidedRequestSchema, `/app/v1/provider-requests/${id}/decision`, { method: 'POST', body });

/** What a job found and cost at each data service. */
export const readJobProviders = (jobId: string) =>
  call(JobProvidersSchema, `/app/v1/jobs/${jobId}/providers`);

/** Stores a definition file, unless it has faults. */
export const importDefinition = (text: string) =>
  call(DefinitionImportSchema, '/app/v1/provider-definitions', { method: 'POST', body: { text } });

/** Requests to data services, newest first; with `before`, only older ones. */
export const readProviderLog = (limit: number, before: number | null) =>
  call(
    ProviderLogSchema,
    `/app/v1/provider-log?limit=${limit}${before === null ? '' : `&before=${before}`}`,
  );

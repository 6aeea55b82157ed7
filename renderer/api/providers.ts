/** Requests for the user's data services, their order, their spending and their log. */
import {
  DefinitionImportSchema,
  ForgottenAnswersSchema,
  type NewProviderKey,
  type ProviderChange,
  ProviderLogSchema,
  type ProviderOrder,
  ProviderTestSchema,
  UserProvidersSchema,
} from '../../engine/contract/providers.ts';
import { call } from './client.ts';

/** The order of a field's providers, without their rules, which stay as they are. */
export interface FieldSteps {
  readonly field: ProviderOrder['field'];
  readonly ids: readonly string[];
}

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

/** Sets the order in which the data services of a field are asked. */
export const setProviderOrder = ({ field, ids }: FieldSteps) =>
  call(UserProvidersSchema, '/app/v1/provider-order', {
    method: 'PUT',
    body: { field, steps: ids.map((provider) => ({ provider })) },
  });

/** Stores a definition file, unless it has faults. */
export const importDefinition = (text: string) =>
  call(DefinitionImportSchema, '/app/v1/provider-definitions', { method: 'POST', body: { text } });

/** Requests to data services, newest first; with `before`, only older ones. */
export const readProviderLog = (limit: number, before: number | null) =>
  call(
    ProviderLogSchema,
    `/app/v1/provider-log?limit=${limit}${before === null ? '' : `&before=${before}`}`,
  );

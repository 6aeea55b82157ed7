/** Reads the log of requests from programs. */
import { type EnvironmentName, environmentPaths } from '../../../../engine/contract/ids.ts';
import { type Requests, RequestsSchema } from '../../../../engine/contract/requests/requests.ts';
import { call } from '../../../api/client.ts';

/** The newest requests, newest first. Staging has only those of its first account. */
export const readRequests = (environment: EnvironmentName, limit: number): Promise<Requests> =>
  call(RequestsSchema, `${environmentPaths[environment]}/app/v1/requests?limit=${limit}`, {
    isForFirst: environment === 'staging',
  });

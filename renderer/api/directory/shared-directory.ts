/** Requests for the shared directory of a team, which the live environment asks. */
import { z } from 'zod';
import {
  type SharedDirectoryChange,
  SharedDirectorySchema,
  SharedTestSchema,
} from '../../../engine/contract/shared/settings.ts';
import { call } from '../client.ts';

const path = '/app/v1/shared-directory';

export const readSharedDirectory = () => call(SharedDirectorySchema, path);

export const setSharedDirectory = (body: SharedDirectoryChange) =>
  call(SharedDirectorySchema, path, { method: 'PUT', body });

export const removeSharedDirectory = () => call(SharedDirectorySchema, path, { method: 'DELETE' });

/** Connects to the server and reads its state. */
export const testSharedDirectory = () =>
  call(z.object({ test: SharedTestSchema.nullable() }), `${path}/tests`, {
    method: 'POST',
    body: {},
  });

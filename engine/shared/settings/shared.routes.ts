/** Routes /app/v1/shared-directory. */
import { z } from 'zod';
import {
  type SharedDirectory,
  SharedDirectoryChangeSchema,
  SharedDirectorySchema,
  SharedTestSchema,
} from '../../contract/shared/settings.ts';
import { answersOf, success } from '../../http/responses.ts';
import type { ApiServer } from '../../http/route-deps.ts';
import type { SharedRouteDeps } from './route-deps.ts';
import { readSharedDirectory } from './shared-directory.table.ts';

/**
 * Adds the routes. The server must have the session hook. Staging opens at its first use, so
 * nothing of it is read before a request.
 */
export function addSharedRoutes(server: ApiServer, { environment }: SharedRouteDeps): void {
  const read = (): SharedDirectory => {
    const row = readSharedDirectory(environment.database);
    return {
      address: row?.address ?? null,
      set_at: row?.setAt ?? null,
      is_on: row?.isOn === 1,
      matches_here: row?.matchesHere === 1,
      has_secret: row?.hasSecret === 1,
    };
  };
  const response = answersOf(SharedDirectorySchema);
  server.get('/shared-directory', { schema: { response } }, async () => success(read()));
  server.put(
    '/shared-directory',
    { schema: { body: SharedDirectoryChangeSchema, response } },
    async (request) => {
      await environment.writer.changeSharedDirectory(request.body);
      return success(read());
    },
  );
  server.delete('/shared-directory', { schema: { response } }, async () => {
    await environment.writer.removeSharedDirectory(null);
    return success(read());
  });
  server.post(
    '/shared-directory/tests',
    { schema: { response: answersOf(z.object({ test: SharedTestSchema.nullable() })) } },
    async () => success({ test: await environment.writer.testSharedDirectory(null) }),
  );
}

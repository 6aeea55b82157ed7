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

/** Adds the routes. The server must have the session hook. */
export function addSharedRoutes(server: ApiServer, { environment }: SharedRouteDeps): void {
  const { database, writer } = environment;
  const read = (): SharedDirectory => {
    const row = readSharedDirectory(database);
    return { address: row?.address ?? null, is_on: row?.isOn === 1, set_at: row?.setAt ?? null };
  };
  const response = answersOf(SharedDirectorySchema);
  server.get('/shared-directory', { schema: { response } }, async () => success(read()));
  server.put(
    '/shared-directory',
    { schema: { body: SharedDirectoryChangeSchema, response } },
    async (request) => {
      await writer.changeSharedDirectory(request.body);
      return success(read());
    },
  );
  server.delete('/shared-directory', { schema: { response } }, async () => {
    await writer.removeSharedDirectory(null);
    return success(read());
  });
  server.post(
    '/shared-directory/tests',
    { schema: { response: answersOf(z.object({ test: SharedTestSchema.nullable() })) } },
    async () => success({ test: await writer.testSharedDirectory(null) }),
  );
}

// Answers the calls about the team's directory that the engine uses.
import { type SharedDirectory, sharedDirectory } from '../../contract/shared/settings.ts';
import type { ApiServer, RouteDepsWith } from '../../http/route-deps.ts';
import { serve } from '../../http/serve.ts';
import { readSharedDirectory } from './shared-directory.table.ts';
import type { SharedCalls } from './team-directory.ts';

type SharedRouteDeps = RouteDepsWith<SharedCalls>;

/** Staging opens at its first use, so nothing of it is read before a request. */
export function addSharedRoutes(server: ApiServer, context: SharedRouteDeps): void {
  const { environment } = context;
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
  serve(server, context, sharedDirectory, {
    read,
    async change(change) {
      await environment.writer.changeSharedDirectory(change);
      return read();
    },
    async remove() {
      await environment.writer.removeSharedDirectory(null);
      return read();
    },
    test: async () => ({ test: await environment.writer.testSharedDirectory(null) }),
  });
}

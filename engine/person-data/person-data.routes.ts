// Answers the calls about the data of one person.
import { personData } from '../contract/person-data/person-data.ts';
import type { ApiServer } from '../http/route-deps.ts';
import { serve } from '../http/serve.ts';
import { createHasher, listReceipts } from './person-deletion.table.ts';
import { hashedValue } from './read-value.ts';
import type { PersonDataRouteDeps } from './route-deps.ts';

export function addPersonDataRoutes(server: ApiServer, context: PersonDataRouteDeps): void {
  const { liveDatabase, isLocal } = context;
  serve(server, context, personData, {
    search: (query) => context.personData.search(query),
    exportAll: (query) => context.personData.exportAll(query),
    deletePerson(given, { request, caller }) {
      const { confirmed: _confirmed, suppress, ...query } = given;
      const source = isLocal(request.raw) ? 'command_line' : 'app';
      const author = caller.account.name;
      return context.personData.deletePerson(query, { author, source, suppress });
    },
    receipts({ value }) {
      const read = value === '' ? null : hashedValue(value);
      const hash = read && createHasher(liveDatabase)(read.kind, read.key);
      return listReceipts(liveDatabase, hash);
    },
  });
}

// The searches for people and companies, and the age and sources of people. Free of charge.
import { directorySearch, type ShownContact } from '../../contract/records/record-search.ts';
import type { FoundContact } from '../../contract/search.ts';
import type { ApiServer } from '../../http/route-deps.ts';
import { serve } from '../../http/serve.ts';
import type { NamedContact } from '../read/read-person.ts';
import { readContacts } from '../read/read-person.ts';
import type { UnlockedKinds } from '../records/read-person-record.ts';
import type { SearchRouteDeps } from '../route-deps.ts';

type ShownKind = keyof UnlockedKinds;

const readValue = (kind: ShownKind, contact: NamedContact | undefined): string | null =>
  (kind === 'email' ? contact?.email : (contact?.mobilePhone ?? contact?.directPhone)) ?? null;

async function showTeam(
  { writer }: SearchRouteDeps['environment'],
  accountId: number,
  found: readonly FoundContact[],
): Promise<ShownContact[]> {
  const had = await writer.findHad({ accountId, people: found.map(({ uuid }) => uuid) });
  const uuids = [...had].flatMap(([uuid, { email, phone }]) => (email || phone ? [uuid] : []));
  const people = uuids.length === 0 ? [] : await writer.readTeamPeople({ uuids });
  const contacts = new Map(people.map((person) => [person.uuid, person]));
  const show = (kind: ShownKind, uuid: string) =>
    had.get(uuid)?.[kind] ? readValue(kind, contacts.get(uuid)) : null;
  return found.map((person) => ({
    ...person,
    email: show('email', person.uuid),
    phone: show('phone', person.uuid),
  }));
}

export function addSearchRoutes(server: ApiServer, context: SearchRouteDeps): void {
  const { environment } = context;
  serve(server, context, directorySearch, {
    async people(query, { accountId }) {
      const found = await environment.search.contacts(query);
      if (query.directory === 'team')
        return { ...found, results: await showTeam(environment, accountId, found.results) };
      const contacts = readContacts(
        environment.directoryDatabase,
        found.results.map(({ uuid }) => uuid),
      );
      const results = found.results.map((person) => ({
        ...person,
        email: readValue('email', contacts.get(person.uuid)),
        phone: readValue('phone', contacts.get(person.uuid)),
      }));
      return { ...found, results };
    },
    companies: (query) => environment.search.companies(query),
    values: ({ directory }) =>
      directory === 'team'
        ? environment.writer.readTeamValues(null)
        : environment.search.values(null),
    origins: () => environment.search.origins(null),
  });
}

// Dependencies of the routes about the data of one person.
import type { RouteDeps } from '../http/route-deps.ts';
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';
import type { PersonData } from './person-data.ts';

export interface PersonDataRouteDeps extends RouteDeps {
  readonly personData: PersonData;
  readonly liveDatabase: ReadableDatabase;
}

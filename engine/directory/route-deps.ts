/** Dependencies of the routes of the directory. */
import type { CompanyRecord, PersonRecord } from '../contract/records/records.ts';
import type { SearchValues } from '../contract/search.ts';
import type { RouteDepsWith } from '../http/route-deps.ts';
import type { DirectoryCalls } from './directory.commands.ts';
import type { DuplicateCalls } from './duplicates/duplicates.commands.ts';
import type { ListedPerson } from './read/read-people.ts';
import type { UnlockedKinds } from './records/read-person-record.ts';
import type { SearchCalls } from './search/search-directory.ts';

export type DirectoryRouteDeps = RouteDepsWith<object, DirectoryCalls>;

export type DuplicateRouteDeps = RouteDepsWith<object, DuplicateCalls>;

/** Reads the values of the team's directory (shared/settings/team-directory.ts). */
interface TeamValueReads {
  readTeamValues(command: null): Promise<SearchValues>;
  readTeamPeople(command: { readonly uuids: readonly string[] }): Promise<ListedPerson[]>;
}

/** Reads people and companies of the team's directory (shared/settings/team-directory.ts). */
interface TeamRecordReads {
  readTeamRecord(command: {
    readonly uuid: string;
    readonly unlocked: UnlockedKinds;
  }): Promise<PersonRecord>;
  readTeamCompany(command: { readonly uuid: string }): Promise<CompanyRecord>;
}

export type RecordRouteDeps = RouteDepsWith<TeamRecordReads>;

export interface SearchRouteDeps extends RouteDepsWith<TeamValueReads> {
  readonly environment: RouteDepsWith<TeamValueReads>['environment'] & {
    readonly search: SearchCalls;
  };
}

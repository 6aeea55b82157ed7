// Dependencies of the routes of the directory.
import type { DirectoryStats, ImportOptions, ImportReport } from '../contract/directory.ts';
import type { MatchedCompanies } from '../contract/imports.ts';
import type { Reading } from '../contract/reading/reading.ts';
import type { CompanyRecord, PersonRecord } from '../contract/records/records.ts';
import type { SearchValues } from '../contract/search.ts';
import type { RouteDepsWith } from '../http/route-deps.ts';
import type { DuplicateCalls } from './duplicates/duplicate-calls.ts';
import type { ListedPerson } from './read/read-people.ts';
import type { UnlockedKinds } from './records/read-person-record.ts';
import type { SearchCalls } from './search/search-directory.ts';

/**
 * Long work on the directory, which runs one piece at a time. Each may reject with an EngineError.
 * When the signal is aborted, the work stops soon and rejects with its reason.
 */
export interface DirectoryCalls {
  importDirectory(
    command: ImportOptions & {
      peoplePath?: string | undefined;
      companiesPath?: string | undefined;
      peopleName?: string | undefined;
      companiesName?: string | undefined;
      /** If the same import completed since this time, the call is a repeat and changes nothing. */
      beganAt?: string | undefined;
    },
    signal?: AbortSignal,
  ): Promise<ImportReport>;
  importSample(): Promise<ImportReport>;
  undoImport(command: { importId: number }): Promise<ImportReport>;
  /** Applies the suppression list; resolves when every read honours it. */
  applySuppressions(): Promise<void>;
  directoryStats(): Promise<DirectoryStats>;
  matchCompanies(
    command: {
      path: string;
      outPath: string;
      mapping?: Readonly<Record<string, string>> | undefined;
      reading?: Partial<Reading> | undefined;
    },
    signal?: AbortSignal,
  ): Promise<MatchedCompanies>;
  /** Writes a consistent copy of directory.db to `path`. */
  copyDirectory(command: { path: string }): Promise<void>;
}

export type DirectoryRouteDeps = RouteDepsWith<object, DirectoryCalls>;

export type DuplicateRouteDeps = RouteDepsWith<object, DuplicateCalls>;

interface HadValues {
  findHad(command: {
    readonly accountId: number;
    readonly people: readonly string[];
  }): Promise<ReadonlyMap<string, UnlockedKinds>>;
}

/** Reads the values of the team's directory (shared/settings/team-directory.ts). */
interface TeamValueReads extends HadValues {
  readTeamValues(command: null): Promise<SearchValues>;
  readTeamPeople(command: { readonly uuids: readonly string[] }): Promise<ListedPerson[]>;
}

/** Reads people and companies of the team's directory (shared/settings/team-directory.ts). */
interface TeamRecordReads extends HadValues {
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

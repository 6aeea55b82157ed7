// The searches of an environment: of its own directory, or of the team's.
import type { DirectoryStats } from '../../contract/directory.ts';
import type { SearchCalls } from '../../directory/search/search-directory.ts';
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import { readSharedDirectory } from '../settings/shared-directory.table.ts';
import type { TeamSearchCalls } from './team-calls.ts';

export const searchBoth = (
  own: SearchCalls,
  team: Pick<TeamSearchCalls, 'searchTeam' | 'searchTeamCompanies'>,
): SearchCalls => ({
  ...own,
  contacts: (search) =>
    search.directory === 'team' ? team.searchTeam(search) : own.contacts(search),
  companies: (search) =>
    search.directory === 'team' ? team.searchTeamCompanies(search) : own.companies(search),
});

export const describeTeam = (database: ReadableDatabase): Pick<DirectoryStats, 'has_team'> =>
  readSharedDirectory(database)?.isOn === 1 ? { has_team: true } : {};

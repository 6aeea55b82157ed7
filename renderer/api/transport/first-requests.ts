/**
 * The requests that screens send first, also before their files are loaded. Both the table of
 * screens and the functions of `api` take them from here, so that the addresses are equal.
 */
import type { AppEndpoint } from '../../../engine/contract/endpoints.ts';
import type { rates } from '../../../engine/contract/rate-card.ts';
import type { directorySearch } from '../../../engine/contract/records/record-search.ts';
import type { retention } from '../../../engine/contract/retention/retention.ts';
import type { sessions } from '../../../engine/contract/sessions.ts';
import type { webhooks } from '../../../engine/contract/webhooks.ts';
import type { EarlyRequest } from './early.ts';

/** The path of a call. Only types are imported: the tables load with the screens. */
type PathOf<Call extends AppEndpoint> = Call['app'] extends `${string} ${infer Path}`
  ? Path
  : never;

/** The query string of an address, without empty parts. */
export const queryOf = (
  parts: Record<string, string | number | null | undefined>,
): URLSearchParams =>
  new URLSearchParams(
    Object.entries(parts).flatMap(([name, value]) =>
      value === null || value === undefined ? [] : [[name, String(value)]],
    ),
  );

/** Rows of a page of a grid. */
export const pageRows = 100;
const directory = '/app/v1/directory';

/** Addresses without a parameter. */
export const paths = {
  directory,
  directoryOrigins: `${directory}/origins` satisfies PathOf<typeof directorySearch.origins>,
  rates: '/app/v1/rates' satisfies PathOf<typeof rates.list>,
  retention: '/app/v1/retention' satisfies PathOf<typeof retention.read>,
  searchCompanies: `${directory}/search/companies` satisfies PathOf<
    typeof directorySearch.companies
  >,
  searchPeople: `${directory}/search/contacts` satisfies PathOf<typeof directorySearch.people>,
  searchValues: `${directory}/search/values` satisfies PathOf<typeof directorySearch.values>,
  secretKey: '/app/v1/secret-key' satisfies PathOf<typeof webhooks.secretKey>,
  sessions: '/app/v1/sessions' satisfies PathOf<typeof sessions.list>,
} as const;

/** The address of a job. */
export const jobPath = (jobId: string): string => `/app/v1/jobs/${jobId}`;

/** The address of a page of a job's rows, with the members of its view. */
export const jobRowsPath = (
  jobId: string,
  page: Record<string, string | number | undefined> & { limit: number; offset: number },
): string => `${jobPath(jobId)}/rows?${queryOf(page)}`;

/** The address of the counts of a job's outcomes. */
export const outcomesPath = (jobId: string): string => `${jobPath(jobId)}/outcomes`;

/** The first page of a search that asks for everyone. */
const firstPeople: EarlyRequest = {
  path: paths.searchPeople,
  body: { limit: pageRows, offset: 0 },
};
const firstRows = { limit: pageRows, offset: 0 };

/** What each screen asks for first. */
export const firstRequests = {
  directory: (): readonly EarlyRequest[] => [
    { path: paths.directory },
    firstPeople,
    { path: paths.searchValues },
    { path: paths.directoryOrigins },
  ],
  job: ({ id }: { id: string }): readonly EarlyRequest[] => [
    { path: jobPath(id) },
    { path: jobRowsPath(id, firstRows) },
    { path: outcomesPath(id) },
  ],
  newPipeline: (): readonly EarlyRequest[] => [
    { path: paths.directory },
    { path: paths.rates },
    firstPeople,
  ],
  settings: (): readonly EarlyRequest[] =>
    [paths.rates, paths.sessions, paths.retention, paths.secretKey].map((path) => ({ path })),
} as const;

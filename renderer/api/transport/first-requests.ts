// The requests that screens send first, also before their files are loaded. Both the table of
// screens and the functions of `api` take them from here, so that the addresses are equal.
import type { AppEndpoint } from '../../../engine/contract/endpoints.ts';
import type { jobRows } from '../../../engine/contract/jobs/app-jobs.ts';
import type { jobs } from '../../../engine/contract/jobs/job.ts';
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

type JobPath = PathOf<typeof jobs.status | typeof jobRows.read | typeof jobRows.outcomes>;

export const pageRows = 100;
const directory = '/app/v1/directory';

/** Addresses without a parameter. */
const paths = {
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

const jobPath = (path: JobPath, id: string): string => path.replace(':job_id', id);

/** The first page of a search that asks for everyone. */
const firstPeople: EarlyRequest = {
  path: paths.searchPeople,
  body: { limit: pageRows, offset: 0 },
};

export const firstRequests = {
  directory: (): readonly EarlyRequest[] => [
    { path: paths.directory },
    firstPeople,
    { path: paths.searchValues },
    { path: paths.directoryOrigins },
  ],
  job: ({ id }: { id: string }): readonly EarlyRequest[] => [
    { path: jobPath('/app/v1/jobs/:job_id', id) },
    { path: `${jobPath('/app/v1/jobs/:job_id/rows', id)}?limit=${pageRows}&offset=0` },
    { path: jobPath('/app/v1/jobs/:job_id/outcomes', id) },
  ],
  newPipeline: (): readonly EarlyRequest[] => [
    { path: paths.directory },
    { path: paths.rates },
    firstPeople,
  ],
  settings: (): readonly EarlyRequest[] =>
    [paths.rates, paths.sessions, paths.retention, paths.secretKey].map((path) => ({ path })),
} as const;

/** Route /app/v1/organisation: the organisation's rules, and where each comes from. */
import { OrganisationSchema } from '../contract/team/team-config.ts';
import { answersOf, success } from '../http/responses.ts';
import type { ApiServer } from '../http/route-deps.ts';
import { presentRules, type TeamRules } from './team-rules.ts';

/** Adds the route. The server must have the session hook. */
export function addOrganisationRoute(server: ApiServer, { rules }: { rules: TeamRules }): void {
  const response = answersOf(OrganisationSchema);
  server.get('/organisation', { schema: { response } }, async () => success(presentRules(rules)));
}

// Answers the call about the organisation's rules, and where each comes from.
import { organisation } from '../contract/team/team-config.ts';
import type { ApiServer, RouteDepsWith } from '../http/route-deps.ts';
import { serve } from '../http/serve.ts';
import { presentRules, type TeamRules } from './team-rules.ts';

export function addOrganisationRoute(
  server: ApiServer,
  context: RouteDepsWith<object> & { readonly rules: TeamRules },
): void {
  serve(server, context, organisation, { read: () => presentRules(context.rules) });
}

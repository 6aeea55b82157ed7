/** Answers the calls about the user's data services. No answer contains a key. */

import { providerCalls } from '../contract/providers.ts';
import type { ApiServer, RouteDepsWith } from '../http/route-deps.ts';
import { serve } from '../http/serve.ts';
import { presentLog, presentLogged } from './installed/present-log.ts';
import type { ProviderCalls } from './providers.commands.ts';

type ProviderRouteDeps = RouteDepsWith<ProviderCalls>;

export function addProviderRoutes(server: ApiServer, context: ProviderRouteDeps): void {
  const { environment } = context;
  const described = () => environment.writer.describeProviders(null);
  serve(server, context, providerCalls, {
    list: described,
    async setKey(given) {
      await environment.writer.setProviderKey(given);
      return described();
    },
    async change({ id, ...change }) {
      await environment.writer.changeProvider({ id, change });
      return described();
    },
    async remove({ id }) {
      await environment.writer.removeProvider({ id });
      return described();
    },
    async order(order) {
      await environment.writer.orderProviders(order);
      return described();
    },
    test: ({ id }) => environment.writer.testProvider({ id }),
    forget: ({ id }) => environment.writer.forgetAnswers({ id }),
    importDefinition: ({ text }) => environment.writer.importDefinition({ text }),
    quote: ({ rows, open_fields: openShares, selected_layers: codes }) =>
      environment.writer.quoteProviders({ rows, openShares, codes }),
    log: ({ limit, before, state }) =>
      presentLog(environment.database, { limit, before, isUncertain: state === 'uncertain' }),
    async decide({ id, ...decision }) {
      await environment.writer.decideRequest({ id, decision, author: 'app' });
      return presentLogged(environment.database, id);
    },
  });
}

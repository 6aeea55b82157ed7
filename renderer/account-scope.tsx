/**
 * Everything the page knows belongs to one account: another account starts with a cache of its own
 * and with every screen anew, so that nothing of the first shows in it.
 */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { Fragment, type ReactNode, useState, useSyncExternalStore } from 'react';
import { onAccountChange, readAccount } from './api/account.ts';
import { ApiError } from './api/client.ts';

/** A cache; the list of accounts alone is taken over from the one before. */
function makeClient(before?: QueryClient): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 2_000,
        refetchOnWindowFocus: false,
        // A refusal stays a refusal; only an engine that did not answer is asked again.
        retry: (count, error) => count < 2 && error instanceof ApiError && error.status === 0,
        networkMode: 'always',
      },
      mutations: { networkMode: 'always' },
    },
  });
  const accounts = before?.getQueryData(['accounts']);
  if (accounts) client.setQueryData(['accounts'], accounts);
  return client;
}

/** Gives what is inside a cache of the chosen account. */
export function AccountScope({ children }: { children: ReactNode }) {
  const account = useSyncExternalStore(onAccountChange, readAccount);
  const [scope, setScope] = useState(() => ({ account, client: makeClient() }));
  if (scope.account !== account) setScope({ account, client: makeClient(scope.client) });
  return (
    <QueryClientProvider client={scope.client}>
      <Fragment key={scope.account ?? 'first'}>{children}</Fragment>
    </QueryClientProvider>
  );
}

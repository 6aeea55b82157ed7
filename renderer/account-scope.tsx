/**
 * One query cache per account. Another account starts with an empty cache and remounts every
 * screen, so no data of the first is shown.
 */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { Fragment, type ReactNode, useState, useSyncExternalStore } from 'react';
import { onAccountChange, readAccount } from './api/account.ts';
import { ApiError } from './api/client.ts';

/** Creates a cache that takes over only the list of accounts. */
function makeClient(before?: QueryClient): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 2_000,
        refetchOnWindowFocus: false,
        // Retry only if the engine did not answer. A refusal is final.
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

/** Provides the cache of the selected account to its children. */
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

// The root component: styles, providers and the interface.
import '@fontsource-variable/inter';
import '@mantine/core/styles.css';
import '@mantine/dropzone/styles.css';
import '@mantine/notifications/styles.css';
import './styles.css';
import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { Fragment, type ReactNode, StrictMode, useState, useSyncExternalStore } from 'react';
import { Router } from 'wouter';
import { onAccountChange, readAccount } from './api/account.ts';
import { ApiError } from './api/client.ts';
import { App } from './app.tsx';
import { latePart } from './late-part.tsx';
import { resolveVariables, theme } from './theme.ts';

// The place of the page: the path and the query of a screen, both in the fragment of the address,
// as in `#/jobs/ID?status=skipped`. A query outside the fragment would stay when the path changes.

const subscribe = (listener: () => void): (() => void) => {
  addEventListener('hashchange', listener);
  return () => removeEventListener('hashchange', listener);
};

const readPlace = (): string => `/${location.hash.replace(/^#?\/?/, '')}`;
const readPath = (): string => readPlace().split('?')[0] ?? '/';
const readQuery = (): string => readPlace().split('?')[1] ?? '';

function navigate(to: string, { state = null, replace = false } = {}): void {
  const url = new URL(location.href);
  url.hash = to.replace(/^#?\/?/, '/');
  history[replace ? 'replaceState' : 'pushState'](state, '', url);
  dispatchEvent(new HashChangeEvent('hashchange'));
}

const useHashLocation = Object.assign(
  (): [string, typeof navigate] => [useSyncExternalStore(subscribe, readPath), navigate],
  {
    hrefs: (href: string) => `#${href}`,
    searchHook: () => useSyncExternalStore(subscribe, readQuery),
  },
);

// One query cache per account. Another account starts with an empty cache and remounts every
// screen, so no data of the first is shown.

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

function AccountScope({ children }: { children: ReactNode }) {
  const account = useSyncExternalStore(onAccountChange, readAccount);
  const [scope, setScope] = useState(() => ({ account, client: makeClient() }));
  if (scope.account !== account) setScope({ account, client: makeClient(scope.client) });
  return (
    <QueryClientProvider client={scope.client}>
      <Fragment key={scope.account ?? 'first'}>{children}</Fragment>
    </QueryClientProvider>
  );
}

const EveryPage = latePart(() => import('./every-page.tsx').then((file) => file.EveryPage));

/** @param nonce the nonce for styles added later, if the page's policy has one */
export function Root({ nonce }: { nonce?: string | undefined }) {
  return (
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={resolveVariables}
        defaultColorScheme="auto"
        {...(nonce ? { getStyleNonce: () => nonce } : {})}
      >
        <Router hook={useHashLocation}>
          <AccountScope>
            <App />
          </AccountScope>
        </Router>
        <EveryPage />
      </MantineProvider>
    </StrictMode>
  );
}
